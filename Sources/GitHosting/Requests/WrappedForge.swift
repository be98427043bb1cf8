internal import Pipeline

/// A wrapper around the calls of a forge, which can, for example, repeat a call with a new token. A call may send several requests.
protocol ForgeRequests: Sendable {
  func run<Value>(_ request: () async throws -> Value) async throws -> Value
}

/// A forge whose calls all run in a ``ForgeRequests``.
struct WrappedForge<Requests: ForgeRequests>: Forge {
  let forge: any Forge
  let requests: Requests

  var traits: ForgeTraits { forge.traits }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    try await requests.run { try await forge.pullRequest(from: branch, into: base) }
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    try await requests.run { try await forge.open(wanted) }
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    try await requests.run { try await forge.update(pullRequest, title: title, body: body) }
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    try await requests.run { try await forge.set(status, of: commit, on: branch) }
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await requests.run { try await forge.openPullRequests(into: base, limit: limit) }
  }

  func comments(on number: Int) async throws -> ReadComments {
    try await requests.run { try await forge.comments(on: number) }
  }

  func addComment(_ body: String, to number: Int) async throws {
    try await requests.run { try await forge.addComment(body, to: number) }
  }

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
    try await requests.run { try await forge.changeComment(comment, to: body, on: number) }
  }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    try await requests.run { try await forge.apply(extras, to: number) }
  }

  func obstacle(toPushing branch: String) async throws -> String? {
    try await requests.run { try await forge.obstacle(toPushing: branch) }
  }
}
