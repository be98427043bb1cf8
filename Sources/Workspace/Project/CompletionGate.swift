package import Localization

/// Checks whether all strings and catalogs could be read and found, in addition to the completion counts.
package struct CompletionGate: Sendable {
  private let project: ProjectDescription
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let extraction: Extraction

  /// - Parameters:
  ///   - catalogs: the catalogs that could be read.
  ///   - unreadable: the catalogs that could not be read.
  package init(
    project: ProjectDescription, catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault],
    extraction: Extraction
  ) {
    self.project = project
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.extraction = extraction
  }

  /// The reasons why a gate cannot judge this project, each with its location. A gate with any reason fails.
  package var obstacles: [String] {
    var found: [String] = []
    if let first = project.diagnostics.first(where: { $0.severity == .error }) {
      found.append("the project is unreadable: \(first.place): \(first.message)")
    } else if project.targets.isEmpty, project.catalogs.isEmpty, unreadable.isEmpty {
      found.append("no project found: no Package.swift, no Xcode project, no catalog")
    }
    found += some(unreadable.sorted { $0.key < $1.key }, "catalogs are unreadable", "catalog is unreadable") {
      $0.value.diagnostics.first.map { "\($0.place): \($0.message)" } ?? $0.key.text
    }
    let apart = self.apart
    let incomplete = extraction.incompleteCatalogs.filter { !apart.contains($0.key) }.sorted { $0.key < $1.key }
    found += some(
      incomplete, "catalogs may lack strings, because their sources are unreadable",
      "catalog may lack strings, because its sources are unreadable"
    ) { path, reasons in reasons.first.map { "\($0.place): \($0.message)" } ?? path.text }
    return found
  }

  /// Catalogs that people keep by hand, outside all targets, such as the texts of a page in a store: code has nothing that they lack.
  private var apart: Set<TreePath> {
    Set(
      project.catalogs.filter { $0.targets.isEmpty }.map(\.path).filter { path in
        guard let entries = catalogs[path]?.entries, !entries.isEmpty else { return false }
        return entries.values.allSatisfy { $0.extractionState == .manual }
      })
  }

  /// Strings of the code that no catalog contains. They are missing from the counts.
  private func unheld(_ inStep: CatalogsInStep) -> [String] {
    let added = inStep.changes.values.joined().count { $0.kind == .added }
    return Self.unheld(added + without(inStep) { _ in true })
  }

  /// Why the counts of the committed catalogs are not true of the code: strings in no catalog; strings that the code has again but that are
  /// not counted, since their catalog calls them stale; source texts that changed, so that translations are of an older text.
  package func ahead(_ inStep: CatalogsInStep) -> [String] {
    let changes = inStep.changes.values.joined()
    let revived = changes.count { $0.kind == .revived }
    let changed = changes.count { $0.kind == .sourceChanged }
    return unheld(inStep)
      + Self.some(
        revived, "string of the code is stale in its catalog", "strings of the code are stale in their catalogs")
      + Self.some(
        changed, "source text of the code differs from its catalog's",
        "source texts of the code differ from their catalogs'")
  }

  /// Strings of the code for which there is no catalog at all, or none that sync changes.
  private func without(_ inStep: CatalogsInStep, in isJudged: (TreePath) -> Bool) -> Int {
    extraction.strings.count { string in
      guard unreadable[string.catalog] == nil, isJudged(string.catalog) else { return false }
      guard let catalog = catalogs[string.catalog] else { return true }
      return inStep.changes[string.catalog] == nil && catalog.entries[string.key] == nil
    }
  }

  /// The reasons why a check of the catalogs against the code cannot pass although no catalog would change.
  /// - Parameter isKeptInStep: whether builds sync catalogs with this name.
  package func uncompared(_ inStep: CatalogsInStep, isKeptInStep: (TreePath) -> Bool) -> [String] {
    let without = without(inStep, in: isKeptInStep)
    if without > 0 { return Self.unheld(without) }
    guard unreadable.isEmpty, !project.targets.isEmpty, !catalogs.keys.contains(where: isKeptInStep) else { return [] }
    return ["no String Catalog found"]
  }

  private static func unheld(_ count: Int) -> [String] {
    some(count, "string of the code is in no catalog", "strings of the code are in no catalog").map {
      $0 + "; `dragoman sync` adds strings to existing catalogs"
    }
  }

  private static func some(_ count: Int, _ one: String, _ many: String) -> [String] {
    count == 0 ? [] : [count == 1 ? "1 \(one)" : "\(count) \(many)"]
  }

  /// Returns text such as `3 catalogs cannot be read, the first is …`, or an empty array if there are no elements.
  private func some<Element>(
    _ elements: [Element], _ many: String, _ one: String, _ place: (Element) -> String
  ) -> [String] {
    guard let first = elements.first else { return [] }
    return [
      elements.count == 1 ? "1 \(one): \(place(first))" : "\(elements.count) \(many); the first: \(place(first))"
    ]
  }
}
