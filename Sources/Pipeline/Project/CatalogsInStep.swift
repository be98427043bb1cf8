package import Localization

/// The catalogs of a tree brought in step with its code, as a build in Xcode does.
package struct CatalogsInStep: Sendable {
  /// Every catalog that was read; those that code needs and the tree lacks are among them.
  package private(set) var catalogs: [TreePath: Catalog]
  /// What sync did, by catalog; a catalog that is not named here is as it was.
  package private(set) var changes: [TreePath: [SyncChange]] = [:]
  /// For which catalogs keys are only added, and why; and what stands in the way of a new one.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - committed: the catalogs that could be read.
  ///   - broken: those that could not: nothing is done to them.
  ///   - canWrite: whether a format of ours writes a file of this name.
  package init(
    _ project: ProjectDescription, committed: [TreePath: Catalog], broken: Set<TreePath>, extraction: Extraction,
    tree: any SourceTree, canWrite: (TreePath) -> Bool
  ) {
    catalogs = committed
    // Where the layout of the tree was not understood, what is not found in code may be there all the same.
    let isComplete = !project.diagnostics.contains { $0.severity == .error }
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    // A catalog that no target is known to feed is nobody's: its keys may come from anywhere.
    let fed = Set(project.catalogs.filter { !$0.targets.isEmpty }.map(\.path)).union(strings.keys)
    for path in fed.subtracting(broken).sorted() where canWrite(path) {
      let found = strings[path] ?? []
      guard let catalog = committed[path] else {
        if !found.isEmpty, isFree(path, in: tree) {
          adopt(
            CatalogSync.sync(
              Catalog(path: path, sourceLanguage: extraction.sourceLanguage), with: found, mayRemove: false))
        }
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

  /// Whether nothing stands where a new catalog would go.
  private mutating func isFree(_ path: TreePath, in tree: any SourceTree) -> Bool {
    do { return try tree.entry(at: path) == nil } catch {
      diagnostics.append(error.diagnostic)
      return false
    }
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
