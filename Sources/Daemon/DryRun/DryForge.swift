import Localization
import Pipeline

/// A forge that is only read. Numbers of pull requests that would be opened are 0.
struct DryForge: Forge {
  let forge: any Forge
  let pipeline: String
  let journal: DryRunJournal

  var bodyLimit: Int { forge.bodyLimit }

  private func note(_ kind: PlannedRequest.Kind, _ subject: String, _ detail: String, _ text: String? = nil) {
    journal.note(PlannedRequest(pipeline: pipeline, kind: kind, subject: subject, detail: detail, text: text))
  }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    try await forge.pullRequest(from: branch, into: base)
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    note(.openPullRequest, "\(wanted.branch) → \(wanted.base)", wanted.title, wanted.body)
    return PullRequest(
      number: 0, url: "", state: .open, head: wanted.tip, title: wanted.title, body: wanted.body,
      isDraft: wanted.isDraft)
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    note(.updatePullRequest, String(pullRequest.number), title, body)
    var updated = pullRequest
    (updated.title, updated.body) = (title, body)
    return updated
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    note(.status, "\(branch) \(commit.short)", "\(status.name) \(status.isGood ? "passes" : "fails"): \(status.text)")
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await forge.openPullRequests(into: base, limit: limit)
  }

  func comments(on number: Int) async throws -> [PullRequestComment] { try await forge.comments(on: number) }

  func addComment(_ body: String, to number: Int) async throws { note(.comment, String(number), "added", body) }

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
    note(.comment, String(number), "changed", body)
    return true
  }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> [String] {
    let merge = extras.merge.map { "auto-merge \($0.rawValue)" }
    let parts = extras.labels.map { "label \($0)" } + extras.reviewers.map { "reviewer \($0)" }
    note(.extras, String(number), (parts + [merge].compactMap(\.self)).joined(separator: ", "))
    return []
  }

  func obstacle(toPushing branch: String) async throws -> String? { try await forge.obstacle(toPushing: branch) }
}
