import CatalogFormats
import Localization

/// One table with a file a language, `.strings` and `.stringsdict` together, on its way to a String Catalog.
struct TableConversion {
  /// Where the catalog goes: beside the `.lproj` folders.
  let path: TreePath
  let name: String
  let targets: Set<TargetID>
  /// The `.stringsdict` before the `.strings`, as they count at run time.
  private let tables: [(catalog: Catalog, files: CatalogFiles)]

  private(set) var catalog: Catalog
  /// Empty where the files hold nothing but what no catalog can.
  private(set) var edits = TreeEdits()
  private(set) var diagnostics: [Diagnostic] = []

  /// The tables of a project by where their catalog would be.
  static func groups(of project: ProjectDescription) -> [(path: TreePath, catalogs: [ProjectCatalog])] {
    // The Settings app reads `.strings` files out of the bundle as they are.
    let classic = project.catalogs.filter {
      ["strings", "stringsdict"].contains($0.path.ending) && !$0.path.isInSettingsBundle
    }
    let groups = Dictionary(grouping: classic) { catalog in
      catalog.path.folderOfLanguages.appending(catalog.table + ".xcstrings")
    }
    return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted { $0.path > $1.path }) }
  }

  /// - Throws: what keeps a file from being read, or that the catalog is there already.
  init(_ group: (path: TreePath, catalogs: [ProjectCatalog]), of state: ProjectSnapshot) throws(InputFault) {
    path = group.path
    name = group.path.stem
    targets = group.catalogs.reduce(into: []) { $0.formUnion($1.targets) }
    var tables: [(catalog: Catalog, files: CatalogFiles)] = []
    for described in group.catalogs {
      // A file that cannot be read was told with the project's diagnostics.
      guard let catalog = state.catalogs[described.path], catalog.unread.isEmpty,
        let files = state.files[described.path]
      else {
        throw InputFault(
          Diagnostic(
            path: described.path.text, severity: .error, message: "convert table \(group.path.stem): it cannot be read")
        )
      }
      tables.append((catalog, files))
    }
    self.tables = tables
    let sources = Set(group.catalogs.map(\.path)).union([group.path])
    let strings = state.extraction.strings.filter { sources.contains($0.catalog) }
    let kept = try Self.kept(tables.map(\.files), &diagnostics)
    let held = tables.map { $0.catalog.without(kept) }
    if state.files[group.path] != nil, held.allSatisfy(\.entries.isEmpty) {
      // What an earlier conversion left in the files, and nothing else.
      catalog = Catalog(path: group.path, sourceLanguage: state.project.sourceLanguage)
      return
    }
    // Also one that cannot be read, or is a symbolic link: its content is not known, and nothing may be written over it.
    let stands =
      state.project.catalogs.contains { $0.path == group.path } || (try? state.tree.entry(at: group.path)) != nil
    guard !stands else {
      throw InputFault(
        Diagnostic(
          path: group.path.text, severity: .error,
          message: "convert table \(group.path.stem): there is a String Catalog of this table already",
          hint: "take its keys out of one of the two, or move the file aside"))
    }
    let converted = CatalogConversion.convert(
      held, to: group.path, comments: try Self.comments(of: tables.map(\.files), &diagnostics), strings: strings)
    catalog = converted.catalog
    for (key, language, text) in converted.overruled {
      diagnostics.append(
        Diagnostic(
          path: group.path.text, severity: .warning,
          message:
            "convert: '\(language)' of the key \"\(key)\" is also in the .strings file, where it never counted and is left out: "
            + MergeNode.quoted(text)))
    }
    edits.write(try StringCatalogFormat().write(catalog, over: nil), to: group.path)
    for table in tables { try leave(table.files, kept) }
  }

  /// The keys of which a file holds what no catalog can: they stay where they are, in all languages.
  private static func kept(
    _ tables: [CatalogFiles], _ diagnostics: inout [Diagnostic]
  ) throws(InputFault) -> Set<UnitKey> {
    var kept: Set<UnitKey> = []
    for table in tables where table.path.ending == "stringsdict" {
      for (path, bytes) in table.bytes.sorted(by: { $0.key < $1.key }) {
        for (key, diagnostic) in try StringsDictFile.read(bytes, at: path).staying {
          kept.insert(key)
          diagnostics.append(diagnostic)
        }
      }
    }
    return kept
  }

  /// The comments of each key, the source language's first.
  private static func comments(
    of tables: [CatalogFiles], _ diagnostics: inout [Diagnostic]
  ) throws(InputFault) -> [UnitKey: [String]] {
    var comments: [UnitKey: [String]] = [:]
    for table in tables.reversed() {
      let others = table.localizations.sorted { $0.key < $1.key }.map(\.value).filter { $0 != table.path }
      for path in [table.path] + others {
        guard let bytes = table.bytes[path] else { continue }
        if table.path.ending == "strings" {
          let file = try StringsFile.read(bytes, at: path)
          diagnostics += file.commentsOfNoKey
          for (key, comment) in file.commentsByKey { comments[key, default: []].append(comment) }
        } else {
          for entry in try StringsDictFile.read(bytes, at: path).entries {
            comments[entry.key, default: []] += entry.comment.map { [$0] } ?? []
          }
        }
      }
    }
    return comments
  }

  /// Removes the files of a table, but for what stays in them.
  private mutating func leave(_ files: CatalogFiles, _ kept: Set<UnitKey>) throws(InputFault) {
    for (path, bytes) in files.bytes.sorted(by: { $0.key < $1.key }) {
      if path.ending == "strings" {
        let file = try StringsFile.read(bytes, at: path)
        guard !file.holdsTextsAlone else {
          edits.remove(path)
          continue
        }
        diagnostics.append(
          Diagnostic(
            path: path.text, severity: .warning, message: "convert: the file stays for values that are no texts",
            hint: "see to them, then remove it"))
        let keys = Set(file.entries.map(\.key)).subtracting(file.keptKeys)
        edits.write(
          try file.edited(Dictionary(uniqueKeysWithValues: keys.map { ($0, StringsEdit.remove) })), to: path)
      } else {
        let file = try StringsDictFile.read(bytes, at: path)
        let removed = Set(file.entries.map(\.key)).subtracting(kept)
        guard !file.kept.isEmpty || file.entries.contains(where: { kept.contains($0.key) }) else {
          edits.remove(path)
          continue
        }
        var changes: [UnitKey: Translation?] = [:]
        for key in removed { changes[key] = .some(nil) }
        edits.write(try file.edited(changes), to: path)
      }
    }
  }
}

extension Catalog {
  fileprivate func without(_ keys: Set<UnitKey>) -> Catalog {
    guard path.ending == "stringsdict" else { return self }
    var catalog = self
    for key in keys { catalog.entries[key] = nil }
    return catalog
  }
}
