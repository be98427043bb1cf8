internal import HTTPTransport
internal import Pipeline
internal import TranslationVendors

/// Adds the next step to refusals of a forge. The servers seldom name it themselves.
struct ExplainingForge: Forge {
  let forge: any Forge

  var bodyLimit: Int { forge.bodyLimit }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    try await explaining { try await forge.pullRequest(from: branch, into: base) }
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    try await explaining { try await forge.open(wanted) }
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    try await explaining { try await forge.update(pullRequest, title: title, body: body) }
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    try await explaining { try await forge.set(status, of: commit, on: branch) }
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await explaining { try await forge.openPullRequests(into: base, limit: limit) }
  }

  func comments(on number: Int) async throws -> [PullRequestComment] {
    try await explaining { try await forge.comments(on: number) }
  }

  func addComment(_ body: String, to number: Int) async throws {
    try await explaining { try await forge.addComment(body, to: number) }
  }

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
    try await explaining { try await forge.changeComment(comment, to: body, on: number) }
  }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> [String] {
    try await explaining { try await forge.apply(extras, to: number) }
  }

  func obstacle(toPushing branch: String) async throws -> String? {
    try await explaining { try await forge.obstacle(toPushing: branch) }
  }

  private func explaining<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
    do { return try await ask() } catch let error as TransportError {
      guard case .status(let status) = error.kind, let step = Self.step(after: status) else { throw error }
      throw VendorError(kind: .refused, operation: error.operation, detail: "\(error.detail). \(step)")
    }
  }

  private static func step(after status: Int) -> String? {
    switch status {
    case 401: "Check the token that deliver.token or credentials names: it is wrong, or has expired"
    case 403: "The token must be allowed to read the repository and to write pull requests and commit statuses"
    case 404:
      "The token cannot see the repository, or it is not the one in repository.url. With a server of your own, check "
        + "deliver.forge and deliver.api"
    default: nil
    }
  }
}
