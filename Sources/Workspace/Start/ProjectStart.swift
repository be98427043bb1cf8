package import Localization

/// The beginning of a project's localization: catalogs for the strings that have none, filled from the code, and the changes of packages
/// and Xcode projects that are needed to build the catalogs.
package struct ProjectStart: Sendable {
  /// All changed and new files.
  package private(set) var edits = TreeEdits()
  /// The new catalogs, with the number of their strings.
  package private(set) var created: [(path: TreePath, strings: Int)] = []
  /// The steps for a person.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - snapshot: of the tree, read for sync, with the strings of its code.
  ///   - languages: to add to Xcode projects. Packages list no languages.
  package init(
    of snapshot: ProjectSnapshot, languages: Set<LocaleIdentifier>, options: ExtractionOptions
  ) throws {
    let (wanted, refused) = Self.newCatalogs(of: snapshot)
    diagnostics += refused
    let prepared = snapshot.tools.layout.preparing(
      wanted, sourceLanguage: snapshot.project.sourceLanguage, of: snapshot.project, in: snapshot.tree)
    let new = Set(prepared.catalogs.map(\.path)).sorted()
    edits = prepared.edits
    diagnostics += prepared.diagnostics
    for path in new { edits.write(Self.empty(snapshot.project.sourceLanguage), to: path) }
    // Read again with the new files: only now the strings have a place.
    var next = try ProjectSnapshot(
      EditedTree(snapshot.tree, edits: edits), for: .sync, with: snapshot.tools)
    try next.extract(options)
    let inStep = next.inStep
    let filled = next.write(inStep.catalogs.filter { new.contains($0.key) })
    edits = edits.merging(filled.edits)
    diagnostics += inStep.diagnostics + filled.diagnostics
    for path in inStep.changes.keys.sorted() where !new.contains(path) {
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: "this catalog is not in step with the code, and was left as it is",
          hint: "run `dragoman sync`, which says what it changes"))
    }
    created = new.map { ($0, inStep.catalogs[$0]?.entries.count ?? 0) }
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
    let hasProjects = project.targets.contains { if case .folder = $0.kind { false } else { true } }
    var wanted: [TreePath: (catalog: NewCatalog, count: Int)] = [:]
    for string in snapshot.extraction.strings + snapshot.extraction.unplaced where !known.contains(string.catalog) {
      // Names in an Info.plist need no catalog: only a person knows whether they should be translated.
      guard snapshot.tools.isKeptInStep(string.catalog), string.catalog.stem != "InfoPlist" else { continue }
      for id in string.targets {
        guard let target = targets[id] else { continue }
        // Sources outside of every target of a package or project: scripts, examples, plugins. Nothing builds a catalog for them.
        if case .folder = target.kind, hasProjects { continue }
        wanted[string.catalog, default: (NewCatalog(path: string.catalog, target: id), 0)].count += 1
      }
    }
    for needed in snapshot.catalogsOfUsageDescriptions(besides: wanted.values.map(\.catalog.target)) {
      wanted[needed.catalog.path] = wanted[needed.catalog.path] ?? needed
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
            "\(count == 1 ? "1 string" : "\(count) strings") of target \(target.name) \(count == 1 ? "has" : "have") no "
            + "\(catalog.path.name), "
            + "and no synchronized folder of the project would take one",
          hint: "add an empty String Catalog named \(catalog.path.stem) to the target in Xcode, then run this again"))
      return false
    }
    return (new.map(\.catalog), refused)
  }

  /// A catalog without entries, as Xcode creates it.
  private static func empty(_ language: LocaleIdentifier) -> [UInt8] {
    Array("{\n  \"sourceLanguage\" : \"\(language)\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}".utf8)
  }
}
