package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// A client for the pull requests and commit statuses of one repository on GitHub or a GitHub Enterprise Server.
package struct GitHubForge: Forge {
  let owner: String
  let repository: String
  let api: VendorHTTP
  /// The API that enables auto-merge: `/graphql`, or `/api/graphql` on an Enterprise Server.
  let graph: VendorHTTP
  private let usesChecks: Bool

  /// - Parameters:
  ///   - base: `https://api.github.com`, or `https://HOST/api/v3` for an Enterprise Server.
  ///   - environment: the vendor environment. Its secret is a token that may read the repository, write pull requests, and write commit statuses or
  ///     check runs if the pipeline uses them.
  ///   - usesChecks: whether commit statuses are set as check runs, which only apps may create.
  package init(
    base: HTTPURL, owner: String, repository: String, usesChecks: Bool = false, environment: VendorEnvironment,
    paces: RequestPaces = .shared
  ) {
    self.usesChecks = usesChecks
    self.owner = owner
    self.repository = repository
    // GitHub asks clients to send writes one at a time, at most about one per second.
    func http(_ base: HTTPURL) -> VendorHTTP {
      VendorHTTP(
        vendor: "github", of: .forge, base: base, authentication: .authorization(scheme: "Bearer"),
        accept: "application/vnd.github+json", pace: PaceSettings(perSecond: 1, burst: 5, concurrent: 1),
        environment: environment, paces: paces)
    }
    api = http(base)
    graph = http(base.text.hasSuffix("/v3") ? (try? HTTPURL(String(base.text.dropLast(3)))) ?? base : base)
  }

  package var traits: ForgeTraits { ForgeTraits() }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    if let found = try await pullRequest(from: branch, of: owner, into: base) { return found }
    // A repository that was moved to another owner is still found under its old name, but the filter needs the current owner.
    let asked = VendorHTTP.Request("GET", path(), headers: Self.headers)
    let response = try await api.send(asked, accepting: [404])
    guard response.status != 404 else { return nil }
    let present = try api.decode(response, asked, as: GitHubPullRequest.Side.Repository.self).full_name
    guard let current = present.split(separator: "/").first, current.lowercased() != owner.lowercased() else {
      return nil
    }
    return try await pullRequest(from: branch, of: String(current), into: base)
  }

  private func pullRequest(from branch: String, of owner: String, into base: String) async throws -> PullRequest? {
    // A reopened old pull request is listed after newer pull requests, so open pull requests are requested first.
    for state in ["open", "all"] {
      let found = try await api.json(
        request(
          "GET", "pulls",
          query: [
            ("state", state), ("head", "\(owner):\(branch)"), ("base", base), ("sort", "created"),
            ("direction", "desc"), ("per_page", "10"),
          ]), as: [GitHubPullRequest].self)
      // The filter contains only the owner, and another repository of this owner may have a branch with the same name.
      if let match = found.first(where: { isOurs($0, branch, base) }) { return match.value }
    }
    return nil
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let content = GitHubNewPullRequest(
      title: wanted.title, head: wanted.branch, base: wanted.base, body: wanted.body, draft: wanted.isDraft)
    let sent = try VendorHTTP.Request("POST", path("pulls"), headers: Self.headers, json: content)
    return try await api.json(sent, as: GitHubPullRequest.self).value
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    let sent = try VendorHTTP.Request(
      "PATCH", path("pulls", String(pullRequest.number)), headers: Self.headers,
      json: GitHubPullRequestText(title: title, body: body), isRepeatable: true)
    return try await api.json(sent, as: GitHubPullRequest.self).value
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    if usesChecks { return try await setCheck(status, of: commit) }
    let content = GitHubStatus(
      state: status.isGood ? "success" : "failure", description: status.text, context: status.name)
    let known = VendorHTTP.Request(
      "GET", path("commits", commit.rawValue, "status"), query: [("per_page", "100")], headers: Self.headers)
    if try await GitHubKnownStatuses.has(content, known, api) { return }
    try await api.tell(
      try VendorHTTP.Request(
        "POST", path("statuses", commit.rawValue), headers: Self.headers, json: content, isRepeatable: true))
  }

  static let headers = [(name: "X-GitHub-Api-Version", value: "2022-11-28")]

  func path(_ rest: String...) -> [String] { ["repos", owner, repository] + rest }

  func request(_ method: String, _ rest: String, query: [(name: String, value: String)]) -> VendorHTTP.Request {
    VendorHTTP.Request(method, path(rest), query: query, headers: Self.headers)
  }

  private func isOurs(_ found: GitHubPullRequest, _ branch: String, _ base: String) -> Bool {
    found.head.ref == branch && found.base.ref == base && !found.isFork
  }
}
