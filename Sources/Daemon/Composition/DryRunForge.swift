import Localization
import Pipeline

/// A forge that is only read. Calls that would change something at the forge are recorded instead.
struct DryRunForge: Forge {
  let forge: any Forge
  let pipeline: String
  let record: DryRunRecord

  private func note(_ text: String) { record.note(pipeline) { $0.requests.append(text) } }

  var traits: ForgeTraits { forge.traits }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    try await forge.pullRequest(from: branch, into: base)
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    note("open a pull request from \(wanted.branch) into \(wanted.base): \(wanted.title)")
    return PullRequest(
      number: 0, url: "", state: .open, head: wanted.tip, title: wanted.title, body: wanted.body,
      isDraft: wanted.isDraft)
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    var updated = pullRequest
    (updated.title, updated.body) = (title, body)
    // A pull request that this dry run recorded as opened has the number 0.
    if pullRequest.number != 0 { note("update pull request \(pullRequest.number): \(title)") }
    return updated
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    note("set the status \(status.name) of \(commit.short) to \(status.isGood ? "good" : "bad"): \(status.text)")
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await forge.openPullRequests(into: base, limit: limit)
  }

  func comments(on number: Int) async throws -> ReadComments {
    number == 0 ? ReadComments([]) : try await forge.comments(on: number)
  }

  func addComment(_ body: String, to number: Int) async throws { note("add a comment to pull request \(number)") }

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
    note("change the comment on pull request \(number)")
    return true
  }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var parts: [String] = []
    if !extras.labels.isEmpty { parts.append("labels \(extras.labels.joined(separator: ", "))") }
    if !extras.reviewers.isEmpty { parts.append("reviewers \(extras.reviewers.joined(separator: ", "))") }
    if let merge = extras.merge { parts.append("auto-merge \(merge.rawValue)") }
    if !parts.isEmpty { note("set on the pull request: \(parts.joined(separator: "; "))") }
    return AppliedExtras()
  }

  func obstacle(toPushing branch: String) async throws -> String? { try await forge.obstacle(toPushing: branch) }
}
