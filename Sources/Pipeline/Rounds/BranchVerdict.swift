package import Localization

/// What a gate says of a watched branch.
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
  /// What the pipeline requires of the heads of its branches; nothing where it requires nothing. A head that cannot be read fails.
  package func verdicts() async throws -> [BranchVerdict] {
    let requirements = definition.require
    guard !requirements.isEmpty else { return [] }
    let heads = try await WatchedHeads.load(self)
    let nothing = CompletionReport(sourceLanguage: "en", languages: [], catalogs: [])
    guard !heads.isEmpty else {
      let verdict = CompletionVerdict(nothing, requirements: requirements, obstacles: ["no branch is readable"])
      return [BranchVerdict(branch: "-", verdict: verdict)]
    }
    return heads.map { head in
      let unread = CompletionVerdict(
        nothing, requirements: requirements, obstacles: ["commit \(head.run.commit.short) is unreadable"])
      return BranchVerdict(branch: head.run.branch, verdict: head.snapshot?.verdict(requirements) ?? unread)
    }
  }
}
