internal import HTTPTransport
package import Localization
internal import Pipeline

/// A token for a forge's API that expires, and is renewed before it does.
package protocol ForgeTokens: Sendable {
  /// The newest token; `nil` before the first.
  var current: Secret? { get }

  /// Returns a token that is valid for some minutes, a new one if needed.
  func token() async throws -> Secret

  /// Forgets a token that a server refused, for example because it was revoked.
  func forget(_ token: Secret) async
}

/// A forge whose token is renewed before each request, and once more if it is refused.
struct RenewingForge: Forge {
  let forge: any Forge
  let tokens: any ForgeTokens

  var bodyLimit: Int { forge.bodyLimit }

  private func with<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
    let token = try await tokens.token()
    do { return try await ask() } catch let error as TransportError where error.kind == .status(401) {
      await tokens.forget(token)
      _ = try await tokens.token()
      return try await ask()
    }
  }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    try await with { try await forge.pullRequest(from: branch, into: base) }
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    try await with { try await forge.open(wanted) }
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    try await with { try await forge.update(pullRequest, title: title, body: body) }
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    try await with { try await forge.set(status, of: commit, on: branch) }
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await with { try await forge.openPullRequests(into: base, limit: limit) }
  }

  func comments(on number: Int) async throws -> [PullRequestComment] {
    try await with { try await forge.comments(on: number) }
  }

  func addComment(_ body: String, to number: Int) async throws {
    try await with { try await forge.addComment(body, to: number) }
  }

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
    try await with { try await forge.changeComment(comment, to: body, on: number) }
  }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> [String] {
    try await with { try await forge.apply(extras, to: number) }
  }

  func obstacle(toPushing branch: String) async throws -> String? {
    try await with { try await forge.obstacle(toPushing: branch) }
  }
}
