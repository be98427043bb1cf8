package import Localization

/// The catalogs of a tree brought in step with its code, as a build in Xcode does.
///
/// As in Xcode, a catalog that is not there is not made (docs/decisions/0007): beside the `.strings` of its table it would stop the
/// build, and in an Xcode project no target would take it up.
package struct CatalogsInStep: Sendable {
  /// Every catalog that was read.
  package private(set) var catalogs: [TreePath: Catalog]
  /// What sync did, by catalog; a catalog that is not named here is as it was.
  package private(set) var changes: [TreePath: [SyncChange]] = [:]
  /// For which catalogs keys are only added, and why; and which strings have no catalog.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - committed: the catalogs that could be read.
  ///   - broken: those that could not: nothing is done to them.
  ///   - isKeptInStep: whether a catalog of this name is of a format that a build brings in step with the code.
  package init(
    _ project: ProjectDescription, committed: [TreePath: Catalog], broken: Set<TreePath>, extraction: Extraction,
    isKeptInStep: (TreePath) -> Bool
  ) {
    catalogs = committed
    // Where the layout of the tree was not understood, what is not found in code may be there all the same.
    let isComplete = !project.diagnostics.contains { $0.severity == .error }
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    // A catalog that no target is known to feed is nobody's: its keys may come from anywhere.
    let fed = Set(project.catalogs.filter { !$0.targets.isEmpty }.map(\.path)).union(strings.keys)
    for path in fed.subtracting(broken).sorted() where isKeptInStep(path) {
      let found = strings[path] ?? []
      guard let catalog = committed[path] else {
        if let diagnostic = Self.withoutCatalog(path, found) { diagnostics.append(diagnostic) }
        continue
      }
      let reasons = extraction.incompleteCatalogs[path] ?? []
      if let reason = reasons.first { diagnostics.append(Self.onlyAdded(path, reason, more: reasons.count - 1)) }
      let result = CatalogSync.sync(catalog, with: found, mayRemove: reasons.isEmpty && isComplete)
      if !result.changes.isEmpty { adopt(result) }
    }
  }

  private mutating func adopt(_ result: SyncResult) {
    catalogs[result.catalog.path] = result.catalog
    changes[result.catalog.path] = result.changes
  }

  /// Says at the first of them that strings have no catalog; `nil` where there are none.
  private static func withoutCatalog(_ path: TreePath, _ found: [ExtractedString]) -> Diagnostic? {
    let sites = found.flatMap(\.sites).sorted()
    guard let string = found.first else { return nil }
    let others = found.count == 1 ? "" : " (and those of \(found.count - 1) more keys)"
    return Diagnostic(
      path: sites.first?.path.text ?? path.text, line: sites.first?.line, column: sites.first?.column,
      severity: .warning,
      message: "find the String Catalog of table \(string.table): there is none, so this string is left out\(others)",
      hint:
        "add a catalog named \(path.name) to the target, and sync fills it; where the table is in .strings files, migrate these"
    )
  }

  private static func onlyAdded(_ path: TreePath, _ reason: Diagnostic, more: Int) -> Diagnostic {
    let place = Diagnostic(
      path: reason.path, line: reason.line, column: reason.column, severity: .note, message: reason.message)
    return Diagnostic(
      path: path.text, severity: .warning,
      message: "keys are only added here, none is taken out or made stale: \(place)"
        + (more > 0 ? " (and \(more) more reasons)" : ""))
  }
}
