package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// A client for the pull requests and commit statuses of one repository on Gitea or Forgejo.
package struct GiteaForge: Forge {
  let owner: String
  let repository: String
  let api: VendorHTTP

  /// The maximum number of pages to read from the list of open pull requests, and from the list of closed ones, to find our pull request. A page has
  /// at most 50 pull requests. The lists cannot be filtered by branch. Recently changed pull requests come first.
  private static let pages = 20

  /// - Parameters:
  ///   - base: `https://HOST/api/v1`.
  ///   - environment: the vendor environment. Its secret is a token with the scopes `write:repository` and `write:issue`.
  package init(
    base: HTTPURL, owner: String, repository: String, environment: VendorEnvironment, paces: RequestPaces = .shared
  ) {
    self.owner = owner
    self.repository = repository
    api = VendorHTTP(
      vendor: "gitea", of: .forge, base: base, authentication: .authorization(scheme: "token"),
      pace: PaceSettings(perSecond: 5, burst: 10, concurrent: 2), environment: environment, paces: paces)
  }

  package var traits: ForgeTraits { ForgeTraits() }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    // An open pull request is preferred to a closed one, even if it is older.
    for state in ["open", "closed"] {
      var isWhole = false
      for page in 1...Self.pages where !isWhole {
        let found = try await api.json(
          VendorHTTP.Request(
            "GET", path(),
            query: [("state", state), ("sort", "recentupdate"), ("limit", "50"), ("page", String(page))]),
          as: [GiteaPullRequest].self)
        let own = found.filter { isOurs($0, branch, base) }
        if let newest = own.max(by: { $0.number < $1.number }) { return try await settled(newest) }
        // Servers may return fewer pull requests than requested, so only an empty page is the end of the list.
        isWhole = found.isEmpty
      }
      if isWhole, state == "closed" { return nil }
    }
    // The pull request is not among those that were read. If several pull requests match the following request, the server returns any of them. A
    // server that does not support the request returns 404.
    let request = VendorHTTP.Request("GET", path(base, branch))
    let response = try await api.send(request, accepting: [404])
    guard response.status != 404 else { return nil }
    let found = try api.decode(response, request, as: GiteaPullRequest.self)
    return isOurs(found, branch, base) ? try await settled(found) : nil
  }

  /// Returns a pull request with its own last commit. For a closed pull request, Gitea before 1.23 and Forgejo report the current commit of its
  /// branch if the branch still exists (`services/convert/pull.go`).
  private func settled(_ found: GiteaPullRequest) async throws -> PullRequest {
    var value = found.value
    guard value.state != .open else { return value }
    // The newest commit comes first. If somebody merged a closed pull request by hand, the base has all its commits and the list is empty. In that
    // case the last commit is unknown, because the branch may have newer commits.
    let commits = try await api.json(
      VendorHTTP.Request("GET", path(String(found.number), "commits"), query: [("limit", "1"), ("page", "1")]),
      as: [GiteaCommit].self)
    value.head = CommitID(rawValue: commits.first?.sha ?? "")
    return value
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let content = GiteaNewPullRequest(
      head: wanted.branch, base: wanted.base, title: (wanted.isDraft ? GiteaPullRequest.draft : "") + wanted.title,
      body: wanted.body)
    return try await api.json(try VendorHTTP.Request("POST", path(), json: content), as: GiteaPullRequest.self).value
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    let draft = pullRequest.isDraft ? GiteaPullRequest.draft : ""
    let sent = try VendorHTTP.Request(
      "PATCH", path(String(pullRequest.number)), json: GiteaPullRequestText(title: draft + title, body: body),
      isRepeatable: true)
    return try await api.json(sent, as: GiteaPullRequest.self).value
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    let content = GitHubStatus(
      state: status.isGood ? "success" : "failure", description: status.text, context: status.name)
    let known = VendorHTTP.Request("GET", ["repos", owner, repository, "commits", commit.rawValue, "status"])
    if try await GitHubKnownStatuses.has(content, known, api) { return }
    try await api.tell(
      try VendorHTTP.Request(
        "POST", ["repos", owner, repository, "statuses", commit.rawValue], json: content, isRepeatable: true))
  }

  func path(_ rest: String...) -> [String] { ["repos", owner, repository, "pulls"] + rest }

  /// Returns whether a pull request goes from `branch` of this repository into `base`. If the branch was deleted, only the label contains its name.
  private func isOurs(_ found: GiteaPullRequest, _ branch: String, _ base: String) -> Bool {
    (found.head.ref == branch || found.head.label == branch) && found.base.ref == base && !found.isFork
  }
}
