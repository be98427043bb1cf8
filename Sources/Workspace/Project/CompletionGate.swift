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
    let incomplete = extraction.incompleteCatalogs.sorted { $0.key < $1.key }
    found += some(
      incomplete, "catalogs may lack strings, because their sources are unreadable",
      "catalog may lack strings, because its sources are unreadable"
    ) { path, reasons in reasons.first.map { "\($0.place): \($0.message)" } ?? path.text }
    return found
  }

  /// Strings in code that no catalog contains. They are missing from the counts.
  package func unheld(_ inStep: CatalogsInStep) -> [String] {
    let added = inStep.changes.values.joined().count { $0.kind == .added }
    let without = extraction.strings.filter { string in
      guard unreadable[string.catalog] == nil else { return false }
      guard let catalog = catalogs[string.catalog] else { return true }
      return inStep.changes[string.catalog] == nil && catalog.entries[string.key] == nil
    }
    let count = added + without.count
    guard count > 0 else { return [] }
    let strings =
      count == 1 ? "1 string of the code is in no catalog" : "\(count) strings of the code are in no catalog"
    return [strings + "; `dragoman sync` adds strings to existing catalogs"]
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
