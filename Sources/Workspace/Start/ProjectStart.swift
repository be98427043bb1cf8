package import Localization

/// Starts the localization of a project: creates catalogs for the strings that have none, fills the catalogs from the code, and changes the packages
/// and Xcode projects so that they build the catalogs.
package struct ProjectStart: Sendable {
  /// All changed and new files.
  package private(set) var edits = TreeEdits()
  /// The new catalogs, with the number of their strings.
  package private(set) var created: [(path: TreePath, strings: Int)] = []
  /// The steps that a person must take, and problems that were found.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Creates the missing catalogs of a project. The changes are in `edits`; no file is written.
  /// - Parameters:
  ///   - snapshot: a snapshot of the tree, read for sync, with the strings of its code.
  ///   - languages: the languages to add to Xcode projects. Packages list no languages.
  package init(
    of snapshot: ProjectSnapshot, languages: Set<LocaleIdentifier>, options: ExtractionOptions
  ) throws {
    let wanted = WantedCatalog.all(of: snapshot)
    var refused: Set<TreePath> = []
    var (new, next) = try place(wanted, in: snapshot)
    // The project decides which target includes a file. A catalog is not created if no target would include it or if a target already has its table.
    while let path = Self.misplaced(among: new, wanted, in: next.project) {
      refused.insert(path)
      (new, next) = try place(wanted.filter { !refused.contains($0.path) }, in: snapshot)
    }
    diagnostics += WantedCatalog.refusals(of: wanted, except: Set(new), in: snapshot.project)
    try next.extract(options)
    diagnostics += next.extraction.diagnostics.filter { $0.severity != .note }
    let carried = CarriedTexts(for: new, in: next)
    for (path, entries) in carried.entries { next.catalogs[path]?.replace(entries) }
    diagnostics += carried.diagnostics
    let inStep = next.inStep
    let filled = next.write(inStep.catalogs.filter { new.contains($0.key) })
    edits = edits.merging(filled.edits)
    diagnostics += inStep.diagnostics + filled.diagnostics
    for path in inStep.changes.keys.sorted() where !new.contains(path) {
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: "this catalog is not in step with the code, and was not changed",
          hint: "run `dragoman sync`, which prints its changes"))
    }
    created = new.map { ($0, inStep.catalogs[$0]?.entries.count ?? 0) }
    let addition = LanguageAddition(
      languages, to: next.project, of: snapshot.tools, in: EditedTree(snapshot.tree, edits: edits))
    edits = edits.merging(addition.edits)
    diagnostics += addition.diagnostics
  }

  /// Prepares the project for new catalogs, and creates them.
  /// - Returns: the created catalogs, and a snapshot of the project that includes them.
  private mutating func place(
    _ wanted: [WantedCatalog], in snapshot: ProjectSnapshot
  ) throws -> (new: [TreePath], next: ProjectSnapshot) {
    let prepared = snapshot.tools.layout.preparing(
      wanted.flatMap { catalog in catalog.targets.map { NewCatalog(path: catalog.path, target: $0) } },
      sourceLanguage: snapshot.project.sourceLanguage, of: snapshot.project, in: snapshot.tree)
    let new = Set(prepared.catalogs.map(\.path)).sorted()
    edits = prepared.edits
    diagnostics = prepared.diagnostics
    for path in new { edits.write(Self.empty(snapshot.project.sourceLanguage), to: path) }
    return (
      new, try ProjectSnapshot(EditedTree(snapshot.tree, edits: edits), for: .sync, with: snapshot.tools)
    )
  }

  /// Returns the first new catalog that no target of an Xcode project includes although a target should include it, or whose table a target would
  /// have twice.
  private static func misplaced(
    among new: [TreePath], _ wanted: [WantedCatalog], in project: ProjectDescription
  ) -> TreePath? {
    let rivals = TableRivals.pairs(of: project).flatMap { [$0.other, $0.catalog] }
    if let rival = rivals.first(where: new.contains) { return rival }
    let xcode = Set(project.targets.filter { if case .xcode = $0.kind { true } else { false } }.map(\.id))
    return wanted.first { catalog in
      guard new.contains(catalog.path), xcode.isSuperset(of: catalog.targets) else { return false }
      let owners = project.catalogs.first { $0.path == catalog.path }?.targets ?? []
      return Set(owners).isDisjoint(with: catalog.targets)
    }?.path
  }

  /// Returns an empty catalog in the form that Xcode creates.
  private static func empty(_ language: LocaleIdentifier) -> [UInt8] {
    Array("{\n  \"sourceLanguage\" : \"\(language)\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}".utf8)
  }
}
