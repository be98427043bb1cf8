package import CatalogFormats
package import Localization

extension TableGroup {
  /// Returns the conversion of the group's files in a tree, and diagnostics about files that are not converted.
  /// - Throws: `InputFault` if a file cannot be read, if the catalog already exists and lacks texts of the files or has another source language, or
  ///   if the new files cannot be written.
  package func conversion(in state: ProjectSnapshot) throws(InputFault) -> (TableConversion, staying: [Diagnostic]) {
    // The path also counts as taken if it is a symbolic link or an unreadable file, because its unknown content must not be overwritten.
    let stands =
      state.project.catalogs.contains { $0.path == path } || (try? state.tree.entry(at: path)) != nil
    do {
      let (rules, staying) = try rulesWithoutSource(in: state)
      let conversion = try TableConversion(
        rules + files(in: state), to: path,
        sourceLanguage: catalogs.first?.sourceLanguage ?? state.catalogs[path]?.sourceLanguage
          ?? state.project.sourceLanguage,
        strings: strings(in: state), isOfInterface: interface != nil, stands: stands,
        existing: state.catalogs[path])
      return (conversion, staying)
    } catch {
      // Faults that the project's diagnostics already report are not reported again.
      let told = Set(state.diagnostics)
      let faults = error.diagnostics.filter { !told.contains($0) }
      throw faults.isEmpty
        ? InputFault(
          Diagnostic(
            path: (catalogs.first?.path ?? leftovers.first ?? path).text, severity: .error,
            message: "table \(table) is unreadable and was not converted")) : InputFault(faults)
    }
  }

  /// Returns the edits in an order in which an interrupted conversion can be continued. Every catalog is written before project files reference it.
  /// The files of the source language are removed last, because a table is recognized from these files.
  /// - Parameter projects: the changes to project files.
  package static func steps(
    _ conversions: [(group: TableGroup, edits: TreeEdits)], projects: TreeEdits
  ) -> [TreeEdits] {
    var catalogs = TreeEdits()
    var others = projects
    var sources = TreeEdits()
    for (group, edits) in conversions {
      let ofSource = Set(group.catalogs.flatMap { [$0.path] + [$0.twin].compactMap(\.self) })
      for (path, edit) in edits.edits {
        if path == group.path {
          catalogs.edits[path] = edit
        } else if ofSource.contains(path) {
          sources.edits[path] = edit
        } else {
          others.edits[path] = edit
        }
      }
    }
    return [catalogs, others, sources]
  }

  /// Returns the files of the tables in order of precedence at run time: `.stringsdict` before `.strings`, and a language's own file before the file
  /// in `Base.lproj`.
  private func files(in state: ProjectSnapshot) throws(InputFault) -> [TableConversion.File] {
    var files: [TableConversion.File] = []
    var faults: [Diagnostic] = []
    func read(_ path: TreePath, _ language: LocaleIdentifier) {
      do {
        files.append(TableConversion.File(path: path, language: language, bytes: try state.tree.read(path)))
      } catch {
        faults.append(error.diagnostic)
      }
    }
    for described in catalogs {
      if described.path.isInterface, state.catalogs[described.path] == nil {
        faults.append(
          Diagnostic(
            path: described.path.text, severity: .error,
            message: "this file is unreadable, so table \(table) was not converted"))
      }
      if let twin = described.twin { read(twin, described.sourceLanguage) }
      if !described.path.isInterface { read(described.path, described.sourceLanguage) }
      for (language, path) in described.localizations.sorted(by: { $0.key < $1.key })
      // A file that no build includes must not be included after the conversion either. Xcode does not convert such a file.
      where !path.isInterface && !described.unlisted.contains(path) { read(path, language) }
    }
    for path in leftovers where !files.contains(where: { $0.path == path }) {
      if let language = LocaleIdentifier(regionName: path.parent.stem) { read(path, language) }
    }
    guard faults.isEmpty else { throw InputFault(faults) }
    return files
  }

  /// Returns the `.stringsdict` files of a table that has no such file in the source language. For example, English may need one text where Russian
  /// needs several forms. Files that no target includes, paths that are not files, and files whose folder does not name a language are not converted.
  private func rulesWithoutSource(
    in state: ProjectSnapshot
  ) throws(InputFault) -> (files: [TableConversion.File], staying: [Diagnostic]) {
    guard let strings = catalogs.last, interface == nil, !catalogs.contains(where: { $0.path.ending == "stringsdict" })
    else { return ([], []) }
    let folders = (try? state.tree.list(strings.path.folderOfLanguages)) ?? []
    let paths = folders.filter { $0.kind == .folder && $0.path.ending == "lproj" }.map {
      $0.path.appending(strings.table + ".stringsdict")
    }.filter { (try? state.tree.entry(at: $0)) != nil }.sorted()
    guard !paths.isEmpty else { return ([], []) }
    let taken = state.tools.layout.taken(
      paths, by: state.project.targets.filter { targets.contains($0.id) }, in: state.tree)
    var files: [TableConversion.File] = []
    var staying: [Diagnostic] = []
    for path in paths {
      let isFile = (try? state.tree.entry(at: path))?.isFile ?? false
      guard taken.contains(path), isFile, let language = LocaleIdentifier(regionName: path.parent.stem) else {
        staying.append(
          Diagnostic(
            path: path.text, severity: .warning,
            message: "this file of table \(table) was not converted: "
              + (taken.contains(path) ? "it is not a file of a language" : "no target uses it")))
        continue
      }
      do throws(TreeError) {
        files.append(TableConversion.File(path: path, language: language, bytes: try state.tree.read(path)))
      } catch {
        throw InputFault(error.diagnostic)
      }
    }
    return (files, staying)
  }

  /// Returns the strings of the code for this table. For an interface file, returns the texts of the file.
  private func strings(in state: ProjectSnapshot) -> [ExtractedString] {
    // The texts of leftovers are only compared with the catalog, which already has the strings of the code.
    guard !catalogs.isEmpty else { return [] }
    guard let interface else {
      let sources = Set(catalogs.map(\.path)).union([path])
      return state.extraction.strings.filter { sources.contains($0.catalog) }
    }
    guard let catalog = state.catalogs[interface] else { return [] }
    return catalog.entries.sorted { $0.key < $1.key }.compactMap { key, entry in
      guard case .text(let unit)? = entry.translations[catalog.sourceLanguage]?.text else { return nil }
      return ExtractedString(
        catalog: interface, table: table, key: key, value: unit.value, comment: entry.comment, origin: .interfaceBuilder
      )
    }
  }
}
