package import Localization

/// The verdict on whether a watched branch meets its requirements for completion.
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
  /// Returns the verdicts on the heads of all branches for which the pipeline has requirements. A head that cannot be read does not meet
  /// the requirements. If there are no heads, returns one negative verdict for a branch named "-".
  package func verdicts() async throws -> [BranchVerdict] {
    guard definition.hasRequirements else { return [] }
    let heads = try await WatchedHeads.load(self)
    let nothing = CompletionReport(sourceLanguage: "en", languages: [], catalogs: [])
    guard !heads.isEmpty else {
      let verdict = CompletionVerdict(nothing, requirements: definition.require, obstacles: ["no branch is readable"])
      return [BranchVerdict(branch: "-", verdict: verdict)]
    }
    return heads.compactMap { head in
      let requirements = definition.requirements(on: head.run.branch)
      guard !requirements.isEmpty else { return nil }
      let unread = CompletionVerdict(
        nothing, requirements: requirements, obstacles: ["commit \(head.run.commit.short) is unreadable"])
      let verdict = head.snapshot?.verdict(requirements, fallbacks: definition.fallbacks)
      return BranchVerdict(branch: head.run.branch, verdict: verdict ?? unread)
    }
  }
}
