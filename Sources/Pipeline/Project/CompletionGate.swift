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
      found.append("the project cannot be read: \(first.place): \(first.message)")
    } else if project.targets.isEmpty, project.catalogs.isEmpty, unreadable.isEmpty {
      found.append("there is no project here: no Package.swift, no Xcode project and no catalog")
    }
    found += some(unreadable.sorted { $0.key < $1.key }, "catalogs cannot be read", "catalog cannot be read") {
      $0.value.diagnostics.first.map { "\($0.place): \($0.message)" } ?? $0.key.text
    }
    let incomplete = extraction.incompleteCatalogs.sorted { $0.key < $1.key }
    found += some(
      incomplete, "catalogs may lack strings of sources that cannot be read",
      "catalog may lack strings of sources that cannot be read"
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
    return [strings + "; `dragoman sync` adds them to those that are there"]
  }

  /// Returns text such as `3 catalogs cannot be read, the first is …`, or an empty array if there are no elements.
  private func some<Element>(
    _ elements: [Element], _ many: String, _ one: String, _ place: (Element) -> String
  ) -> [String] {
    guard let first = elements.first else { return [] }
    return [
      elements.count == 1 ? "1 \(one): \(place(first))" : "\(elements.count) \(many), the first is \(place(first))"
    ]
  }
}

extension Snapshot {
  /// Returns whether the commit meets the requirements; `nil` if there are none.
  package func verdict(_ requirements: [CompletionRequirement]) -> CompletionVerdict? {
    guard !requirements.isEmpty else { return nil }
    let catalogs = committed.sorted { $0.key < $1.key }.map(\.value)
    return CompletionVerdict(
      Completion.report(catalogs: catalogs, languages: languages), requirements: requirements, obstacles: obstacles)
  }
}

/// The result of a gate for one watched branch.
package struct BranchVerdict: Hashable, Sendable, Encodable {
  package var branch: String
  package var verdict: CompletionVerdict

  private enum CodingKeys: String, CodingKey { case branch }

  package func encode(to encoder: any Encoder) throws {
    try verdict.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(branch, forKey: .branch)
  }
}

extension PipelineContext {
  /// Checks the heads of the watched branches against `require`; empty if nothing is required. A head that cannot be read fails.
  package func verdicts() async throws -> [BranchVerdict] {
    let requirements = definition.require
    guard !requirements.isEmpty else { return [] }
    let heads = try await WatchedHeads.load(self)
    let nothing = CompletionReport(sourceLanguage: "en", languages: [], catalogs: [])
    guard !heads.isEmpty else {
      let verdict = CompletionVerdict(nothing, requirements: requirements, obstacles: ["no branch could be read"])
      return [BranchVerdict(branch: "-", verdict: verdict)]
    }
    return heads.map { head in
      let unread = CompletionVerdict(
        nothing, requirements: requirements, obstacles: ["commit \(head.run.commit.short) could not be read"])
      return BranchVerdict(branch: head.run.branch, verdict: head.snapshot?.verdict(requirements) ?? unread)
    }
  }
}
