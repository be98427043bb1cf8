package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// A client for the pull requests and commit statuses of one repository on Bitbucket Cloud.
package struct BitbucketForge: Forge {
  let workspace: String
  let repository: String
  private let environment: VendorEnvironment
  private let base: HTTPURL
  private let paces: RequestPaces

  /// - Parameters:
  ///   - base: `https://api.bitbucket.org/2.0`.
  ///   - environment: the vendor environment. Its secret is an access token, or `user:token` for an account's API token. Both need the scope
  ///     `pullrequest:write`.
  package init(
    base: HTTPURL, workspace: String, repository: String, environment: VendorEnvironment, paces: RequestPaces = .shared
  ) {
    self.workspace = workspace
    self.repository = repository
    self.environment = environment
    self.base = base
    self.paces = paces
  }

  /// Returns the client of the API. It is created for each request, because the secret may be replaced by one with another form.
  func api() throws -> VendorHTTP {
    var environment = environment
    var authentication = VendorHTTP.Authentication.authorization(scheme: "Bearer")
    // For git, an access token has this special user name.
    let tokenUser = "x-token-auth:"
    if let secret = try environment.secret(), secret.reveal().contains(":") {
      let text = secret.reveal()
      if text.hasPrefix(tokenUser) {
        let token = Secret(String(text.dropFirst(tokenUser.count)))
        environment.secret = { token }
      } else {
        authentication = .basic
        environment.secret = { secret }
      }
    }
    return VendorHTTP(
      vendor: "bitbucket", of: .forge, base: base, authentication: authentication,
      pace: PaceSettings(perSecond: 2, burst: 5, concurrent: 1), environment: environment, paces: paces)
  }

  package var traits: ForgeTraits { ForgeTraits() }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    let query = "source.branch.name=\(quoted(branch)) AND destination.branch.name=\(quoted(base))"
    let every = ["OPEN", "MERGED", "DECLINED", "SUPERSEDED"]
    for states in [["OPEN"], every] {
      // Forks may have branches with the same name.
      let own = try await ForgePages.first(of: 50, atMost: 20) { page in
        try await api().json(
          VendorHTTP.Request(
            "GET", path(),
            query: states.map { ("state", $0) } + [
              ("q", query), ("sort", "-created_on"), ("pagelen", "50"), ("page", String(page)),
            ]), as: BitbucketPullRequest.List.self
        ).values
      } where: {
        isOurs($0, branch, base)
      }
      if let own { return own.value }
    }
    return nil
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let content = BitbucketNewPullRequest(
      title: wanted.title, description: wanted.body, source: .init(branch: .init(name: wanted.branch)),
      destination: .init(branch: .init(name: wanted.base)), draft: wanted.isDraft ? true : nil)
    return try await api().json(
      try VendorHTTP.Request("POST", path(), json: content), as: BitbucketPullRequest.self
    ).value
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    var change = BitbucketChange(try await current(pullRequest.number))
    (change.title, change.description) = (title, body)
    let sent = try VendorHTTP.Request("PUT", path(String(pullRequest.number)), json: change)
    return try await api().json(sent, as: BitbucketPullRequest.self).value
  }

  func current(_ number: Int) async throws -> BitbucketPullRequest {
    try await api().json(VendorHTTP.Request("GET", path(String(number))), as: BitbucketPullRequest.self)
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    let content = BitbucketStatus(
      key: status.name, state: status.isGood ? "SUCCESSFUL" : "FAILED",
      url: "https://bitbucket.org/\(workspace)/\(repository)/commits/\(commit)", name: status.name,
      description: status.text)
    let path = ["repositories", workspace, repository, "commit", commit.rawValue, "statuses", "build"]
    try await api().tell(try VendorHTTP.Request("POST", path, json: content, isRepeatable: true))
  }

  func path(_ rest: String...) -> [String] { ["repositories", workspace, repository, "pullrequests"] + rest }

  /// Returns a text as a quoted literal of Bitbucket's query language.
  func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private func isOurs(_ found: BitbucketPullRequest, _ branch: String, _ base: String) -> Bool {
    found.source.branch.name == branch && found.destination.branch.name == base && !found.isFork
  }
}
