package import Localization

/// The catalogs of a tree after a sync with its code, as after a build in Xcode.
///
/// Like Xcode, sync does not create missing catalogs (docs/decisions/0007). A new catalog next to the `.strings` files of its table would break the
/// build, and in an Xcode project a new catalog would belong to no target.
package struct CatalogsInStep: Sendable {
  /// All catalogs that could be read, after the sync.
  package private(set) var catalogs: [TreePath: Catalog]
  /// The changes that sync made, by catalog. Catalogs that are not listed are unchanged.
  package private(set) var changes: [TreePath: [SyncChange]] = [:]
  /// The catalogs that are not changed, because it is unknown which strings of the code belong to them.
  package private(set) var unplaceable: Set<TreePath> = []
  /// Diagnostics about catalogs that are not changed or from which no keys are removed (each with the cause), about keys that are kept because code
  /// may localize them, and about strings that have no catalog.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Syncs the catalogs with the strings of the code.
  /// - Parameters:
  ///   - committed: the catalogs that could be read.
  ///   - broken: the catalogs that could not be read. They are not changed.
  ///   - isKeptInStep: whether builds sync catalogs with this name.
  package init(
    _ project: ProjectDescription, committed: [TreePath: Catalog], broken: Set<TreePath>, extraction: Extraction,
    isKeptInStep: (TreePath) -> Bool
  ) {
    catalogs = committed
    // If a part of the tree's layout could not be read, keys that are not found in code may still be in use.
    let isComplete = !project.diagnostics.contains { $0.severity == .error }
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    // A catalog that no target uses is skipped, because any code may use its keys.
    let fed = Set(project.catalogs.filter { !$0.targets.isEmpty }.map(\.path)).union(strings.keys)
    var generated: [TreePath: [Diagnostic]] = [:]
    for target in project.targets where target.feedsCatalogs && !target.generatedSources.isEmpty {
      for catalog in target.catalogs.values { generated[catalog, default: []] += target.generatedSources }
    }
    let owners = Self.unreadOwners(of: strings, in: project)
    for path in fed.subtracting(broken).sorted() where isKeptInStep(path) {
      let found = strings[path] ?? []
      if let owner = owners[path] {
        unplaceable.insert(path)
        if committed[path] != nil { diagnostics.append(Self.leftAlone(path, owner)) }
        continue
      }
      guard let catalog = committed[path] else {
        if let diagnostic = Self.withoutCatalog(path, found, in: project) { diagnostics.append(diagnostic) }
        continue
      }
      let reasons = (extraction.incompleteCatalogs[path] ?? []) + (generated[path] ?? [])
      if let reason = reasons.first { diagnostics.append(Self.onlyAdded(path, reason, more: reasons.count - 1)) }
      let kept = extraction.uncertainKeys[path] ?? [:]
      let mayRemove = reasons.isEmpty && isComplete
      if mayRemove { diagnostics += Self.keptKeys(kept, of: catalog) }
      let result = CatalogSync.sync(catalog, with: found, keeping: Set(kept.keys), mayRemove: mayRemove)
      if !result.changes.isEmpty { adopt(result) }
    }
  }

  /// Returns the catalogs whose strings depend on a project file that cannot be read, each with the path of that file. The targets of such a project
  /// are unknown, and a source file's folder does not show its target. Therefore a string of the app could be written into the catalog of an
  /// extension.
  private static func unreadOwners(
    of strings: [TreePath: [ExtractedString]], in project: ProjectDescription
  ) -> [TreePath: TreePath] {
    let guessed = project.targets.filter { $0.unreadProject != nil }
    guard !guessed.isEmpty else { return [:] }
    let files = Dictionary(guessed.map { ($0.id, $0.unreadProject) }, uniquingKeysWith: { first, _ in first })
    var owners: [TreePath: TreePath] = [:]
    for catalog in project.catalogs {
      for target in catalog.targets { if let file = files[target] ?? nil { owners[catalog.path] = file } }
    }
    for (path, strings) in strings {
      for target in strings.flatMap(\.targets) { if let file = files[target] ?? nil { owners[path] = file } }
    }
    return owners
  }

  private static func leftAlone(_ path: TreePath, _ owner: TreePath) -> Diagnostic {
    Diagnostic(
      path: path.text, severity: .error,
      message: "this catalog was not changed: \(owner) cannot be read, so it is unknown which strings belong to it",
      hint: "repair the project file")
  }

  private mutating func adopt(_ result: SyncResult) {
    catalogs[result.catalog.path] = result.catalog
    changes[result.catalog.path] = result.changes
  }

  /// Returns a diagnostic at the first of the strings without a catalog; `nil` if there are no strings.
  private static func withoutCatalog(
    _ path: TreePath, _ found: [ExtractedString], in project: ProjectDescription
  ) -> Diagnostic? {
    let sites = found.flatMap(\.sites).sorted()
    guard !found.isEmpty else { return nil }
    let targets = Set(found.flatMap(\.targets))
    let names = project.targets.filter { targets.contains($0.id) }.map(\.name).joined(separator: ", ")
    let place = names.isEmpty ? "" : " in target \(names)"
    let strings = found.count == 1 ? "1 string" : "\(found.count) strings"
    return Diagnostic(
      path: sites.first?.path.text ?? path.text, line: sites.first?.line, column: sites.first?.column,
      severity: .warning,
      message: "no \(path.name)\(place): \(strings) skipped",
      hint: "create \(path) in the target, or convert the table if it is in .strings files")
  }

  /// Returns a note about the keys that are kept because it is unknown whether code localizes them; empty if there are none. Does not mention keys
  /// of code that only Release builds compile.
  private static func keptKeys(_ kept: [UnitKey: ExtractionSite], of catalog: Catalog) -> [Diagnostic] {
    let decided: [ExtractionState?] = [nil, .extractedWithValue]
    let keys = kept.filter { key, site in
      !site.isReleaseOnly && (catalog.entries[key].map { decided.contains($0.extractionState) } ?? false)
    }
    guard let first = keys.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return [] }
    let others = keys.count == 1 ? "is kept" : "and \(keys.count - 1) more key\(keys.count == 2 ? "" : "s") are kept"
    return [
      Diagnostic(
        path: first.value.path.text, line: first.value.line, column: first.value.column, severity: .note,
        message:
          "\(first.key.text.cutForMessage.debugDescription) \(others) in \(catalog.path), because code may localize "
          + "\(keys.count == 1 ? "it" : "them"): a declaration that decides this is not in the repository",
        hint: "`dragoman extract --why KEY` explains a key")
    ]
  }

  private static func onlyAdded(_ path: TreePath, _ reason: Diagnostic, more: Int) -> Diagnostic {
    let place = Diagnostic(
      path: reason.path, line: reason.line, column: reason.column, severity: .note, message: reason.message)
    return Diagnostic(
      path: path.text, severity: .warning,
      message: "keys are only added to this catalog, and none is removed or marked stale: \(place)"
        + (more > 0 ? " (and \(counted(more, "more reason")))" : ""))
  }
}
