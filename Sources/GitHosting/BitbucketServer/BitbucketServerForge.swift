package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// A client for the pull requests and commit statuses of one repository on Bitbucket Data Center or Bitbucket Server.
package struct BitbucketServerForge: Forge {
  let project: String
  let repository: String
  /// The address of the server's pages.
  private let web: String
  let api: VendorHTTP

  /// - Parameters:
  ///   - base: `https://HOST/rest/api/1.0`.
  ///   - project: the project's key; `~user` for a personal project.
  ///   - environment: the vendor environment. Its secret is an HTTP access token that may write to the repository.
  package init(
    base: HTTPURL, project: String, repository: String, environment: VendorEnvironment, paces: RequestPaces = .shared
  ) {
    self.project = project
    self.repository = repository
    web = base.text.firstRange(of: "/rest/").map { String(base.text[..<$0.lowerBound]) } ?? base.text
    api = VendorHTTP(
      vendor: "bitbucket-server", of: .forge, base: base, authentication: .authorization(scheme: "Bearer"),
      pace: PaceSettings(perSecond: 5, burst: 10, concurrent: 2), environment: environment, paces: paces)
  }

  package var traits: ForgeTraits {
    // The server allows 32,768 characters in a body.
    ForgeTraits(bodyLimit: 30_000, changesTextOfMerged: false)
  }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    for state in ["OPEN", "ALL"] {
      var start = 0
      // The list is sorted newest first. It is short, because it is filtered by the source branch.
      for _ in 0..<10 {
        let found = try await api.json(
          VendorHTTP.Request(
            "GET", path(),
            query: [
              ("state", state), ("at", Self.reference(branch)), ("direction", "OUTGOING"), ("order", "NEWEST"),
              ("start", String(start)), ("limit", "50"),
            ]), as: BitbucketServerPullRequest.List.self)
        if let own = found.values.first(where: { isOurs($0, branch, base) }) { return own.value }
        guard !found.isLastPage, let next = found.nextPageStart, next > start else { break }
        start = next
      }
    }
    return nil
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let place = BitbucketServerPullRequest.Repository(slug: repository, project: .init(key: project))
    let content = BitbucketServerNewPullRequest(
      title: wanted.title, description: wanted.body,
      fromRef: .init(id: Self.reference(wanted.branch), repository: place),
      toRef: .init(id: Self.reference(wanted.base), repository: place), draft: wanted.isDraft ? true : nil)
    let sent = try VendorHTTP.Request("POST", path(), json: content)
    return try await permitted { try await api.json(sent, as: BitbucketServerPullRequest.self) }.value
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    do {
      return try await change(try await current(pullRequest.number), title, body)
    } catch let error as TransportError where error.kind == .status(409) {
      // The pull request may have a newer version. If it is no longer open, for example because auto-merge has merged it, its text is not changed.
      let newest = try await current(pullRequest.number)
      return newest.value.state == .open ? try await change(newest, title, body) : newest.value
    }
  }

  private func change(
    _ current: BitbucketServerPullRequest, _ title: String, _ body: String
  ) async throws -> PullRequest {
    // A change must contain the current version and all reviewers, because missing reviewers would be removed.
    let content = BitbucketServerPullRequestText(
      version: current.version, title: title, description: body,
      reviewers: current.reviewers?.map { .init(user: .init(name: $0.user.name)) } ?? [])
    // After a lost response, the pull request may have a new version, so the same request is not repeated. The next attempt reads the new version.
    let sent = try VendorHTTP.Request("PUT", path(String(current.id)), json: content, isRepeatable: false)
    return try await permitted { try await api.json(sent, as: BitbucketServerPullRequest.self) }.value
  }

  func current(_ number: Int) async throws -> BitbucketServerPullRequest {
    try await api.json(VendorHTTP.Request("GET", path(String(number))), as: BitbucketServerPullRequest.self)
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    let content = BitbucketStatus(
      key: status.name, state: status.isGood ? "SUCCESSFUL" : "FAILED",
      url: "\(web)/projects/\(HTTPURL.encode(project))/repos/\(HTTPURL.encode(repository))/commits/\(commit)",
      name: status.name, description: status.text)
    let path = ["projects", project, "repos", repository, "commits", commit.rawValue, "builds"]
    let sent = try VendorHTTP.Request("POST", path, json: content, isRepeatable: true)
    try await permitted { try await api.tell(sent) }
  }

  /// Runs `body`, which sends a request that changes something, and corrects the status of its error.
  ///
  /// The server returns 401 for an unknown token, but also for a missing permission (“insufficient permissions” in its specification).
  /// - Throws: an error with status 403 instead of 401 if the server accepts the token for the list of pull requests.
  func permitted<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as TransportError where error.kind == .status(401) {
      let list = VendorHTTP.Request("GET", path(), query: [("limit", "1")])
      guard try await api.send(list, accepting: [401, 403, 404]).head.isSuccess else { throw error }
      throw TransportError(
        kind: .status(403), operation: error.operation,
        detail: "\(error.detail), although it accepts the token for other requests")
    }
  }

  func path(_ rest: String...) -> [String] {
    ["projects", project, "repos", repository, "pull-requests"] + rest
  }

  static func reference(_ branch: String) -> String { "refs/heads/\(branch)" }

  private func isOurs(_ found: BitbucketServerPullRequest, _ branch: String, _ base: String) -> Bool {
    found.fromRef.id == Self.reference(branch) && found.toRef.id == Self.reference(base) && !found.isFork
  }
}
