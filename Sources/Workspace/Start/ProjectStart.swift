package import Localization

/// The beginning of a project's localization: catalogs for the strings that have none, filled from the code, and what packages and Xcode
/// projects need so that the catalogs are built.
package struct ProjectStart: Sendable {
  /// All changed and new files.
  package private(set) var edits = TreeEdits()
  /// The new catalogs, with the number of their strings.
  package private(set) var created: [(path: TreePath, strings: Int)] = []
  /// What a person has to do.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - snapshot: of the tree, read for sync, with the strings of its code.
  ///   - languages: to add to Xcode projects. Packages list no languages.
  package init(
    of snapshot: ProjectSnapshot, languages: Set<LocaleIdentifier>, options: ExtractionOptions
  ) throws {
    let (new, refused) = Self.newCatalogs(of: snapshot)
    diagnostics += refused
    for catalog in new {
      edits.write(Self.empty(snapshot.project.sourceLanguage), to: catalog.path)
    }
    let prepared = snapshot.tools.layout.preparing(
      new, sourceLanguage: snapshot.project.sourceLanguage, of: snapshot.project, in: snapshot.tree)
    edits = edits.merging(prepared.edits)
    diagnostics += prepared.diagnostics
    // Read again with the new files: only now the strings have a place.
    var next = try ProjectSnapshot(
      EditedTree(snapshot.tree, edits: edits), for: .sync, with: snapshot.tools)
    try next.extract(options)
    let synced = next.synced()
    edits = edits.merging(synced.edits)
    diagnostics += synced.diagnostics
    created = new.map(\.path).map { ($0, synced.inStep.catalogs[$0]?.entries.count ?? 0) }
    let addition = LanguageAddition(
      languages, to: next.project, of: snapshot.tools, in: EditedTree(snapshot.tree, edits: edits))
    edits = edits.merging(addition.edits)
    diagnostics += addition.diagnostics
  }

  /// The catalogs that strings of code need and that do not exist.
  private static func newCatalogs(of snapshot: ProjectSnapshot) -> (new: [NewCatalog], refused: [Diagnostic]) {
    let project = snapshot.project
    let known = Set(project.catalogs.map(\.path))
    let targets = Dictionary(project.targets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var wanted: [TreePath: (catalog: NewCatalog, count: Int)] = [:]
    for string in snapshot.extraction.strings where !known.contains(string.catalog) {
      // Names in Info.plist need no catalog, and only a person knows whether they should be translated.
      guard snapshot.tools.isKeptInStep(string.catalog), string.catalog.stem != "InfoPlist" else { continue }
      for id in string.targets {
        guard let target = targets[id] else { continue }
        let path = place(of: string.catalog, in: target)
        wanted[path, default: (NewCatalog(path: path, target: id), 0)].count += 1
      }
    }
    var refused: [Diagnostic] = []
    let new = wanted.values.sorted { $0.catalog.path < $1.catalog.path }.filter { catalog, count in
      guard let target = targets[catalog.target], case .xcode(let path) = target.kind else { return true }
      let tree = EditedTree(snapshot.tree, edits: TreeEdits([catalog.path: .write([])]))
      guard snapshot.tools.layout.taken([catalog.path], by: [target], in: tree).isEmpty else { return true }
      refused.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message:
            "\(count == 1 ? "1 string" : "\(count) strings") of target \(target.name) have no \(catalog.path.name), "
            + "and the project lists its files one by one",
          hint: "add an empty String Catalog named \(catalog.path.stem) to the target in Xcode, then run this again"))
      return false
    }
    return (new.map(\.catalog), refused)
  }

  /// In a package, a folder of its own for resources, unless there is one.
  private static func place(of catalog: TreePath, in target: ProjectTarget) -> TreePath {
    guard case .package = target.kind, target.resourceFolder == target.folder else { return catalog }
    return target.folder.appending("Resources").appending(catalog.name)
  }

  /// A catalog without entries, as Xcode creates it.
  private static func empty(_ language: LocaleIdentifier) -> [UInt8] {
    Array("{\n  \"sourceLanguage\" : \"\(language)\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}".utf8)
  }
}
