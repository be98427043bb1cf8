internal import HTTPTransport
internal import Localization
package import Pipeline
internal import TranslationVendors

/// A client for the pull requests and commit statuses of one repository on Azure DevOps.
package struct AzureForge: Forge {
  /// The names of a repository, of its project, and of the project's organization.
  typealias Names = (organization: String, project: String, repository: String)

  let organization: String
  let project: String
  let repository: String
  let api: VendorHTTP

  /// - Parameters:
  ///   - base: `https://dev.azure.com`, or the address of a collection's server.
  ///   - environment: the vendor environment. Its secret is a personal access token with permission to write code, or `user:token`.
  init(base: HTTPURL, names: Names, environment: VendorEnvironment, paces: RequestPaces = .shared) {
    (organization, project, repository) = names
    // The API ignores the user name.
    api = VendorHTTP(
      vendor: "azure", of: .forge, base: base, authentication: .basic,
      pace: PaceSettings(perSecond: 3, burst: 6, concurrent: 1), environment: environment, paces: paces)
  }

  /// Returns the names in a repository's path: `organization/project/_git/repository`, or `v3/organization/project/repository` over ssh. A repository
  /// with the name of its project may be `organization/_git/repository`.
  /// - Returns: `nil` if the path has another form.
  static func names(in path: [String]) -> Names? {
    var parts = path
    if parts.first == "v3" { parts.removeFirst() }
    parts.removeAll { $0 == "_git" }
    if parts.count == 2 { parts.append(parts[1]) }
    return parts.count == 3 ? (parts[0], parts[1], parts[2]) : nil
  }

  package var traits: ForgeTraits {
    // A body may have 4,000 characters, including a few that the server adds itself.
    ForgeTraits(bodyLimit: 3_900, titleLimit: 390)
  }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    for status in ["active", "all"] {
      // Forks may have branches with the same name.
      let found = try await ForgePages.all(limit: 1000, of: 50) { page in
        try await api.json(
          VendorHTTP.Request(
            "GET", path(),
            query: [
              ("searchCriteria.status", status), ("searchCriteria.sourceRefName", Self.reference(branch)),
              ("searchCriteria.targetRefName", Self.reference(base)), ("$top", "50"),
              ("$skip", String((page - 1) * 50)), Self.version,
            ]), as: AzurePullRequest.List.self
        ).value
      }
      let own = found.filter {
        $0.sourceRefName == Self.reference(branch) && $0.targetRefName == Self.reference(base)
          && $0.forkSource == nil
      }
      // Lists contain only the first 400 characters of a description.
      if let newest = own.map(\.pullRequestId).max() { return value(try await current(newest)) }
    }
    return nil
  }

  private func current(_ number: Int) async throws -> AzurePullRequest {
    try await api.json(
      VendorHTTP.Request("GET", path(String(number)), query: [Self.version]), as: AzurePullRequest.self)
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let content = AzureNewPullRequest(
      sourceRefName: Self.reference(wanted.branch), targetRefName: Self.reference(wanted.base), title: wanted.title,
      description: wanted.body, isDraft: wanted.isDraft)
    let sent = try VendorHTTP.Request("POST", path(), query: [Self.version], json: content)
    return value(try await api.json(sent, as: AzurePullRequest.self))
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    let sent = try VendorHTTP.Request(
      "PATCH", path(String(pullRequest.number)), query: [Self.version],
      json: AzurePullRequestText(title: title, description: body), isRepeatable: true)
    return value(try await api.json(sent, as: AzurePullRequest.self))
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    let parts = status.name.split(separator: "/", maxSplits: 1).map(String.init)
    let content = AzureStatus(
      state: status.isGood ? "succeeded" : "failed", description: status.text,
      context: AzureStatus.Context(name: parts.last ?? "", genre: parts.first ?? ""))
    let path = [
      organization, project, "_apis", "git", "repositories", repository, "commits", commit.rawValue, "statuses",
    ]
    // The server stores every status that it receives, so an equal status is not sent again.
    let known = VendorHTTP.Request("GET", path, query: [("latestOnly", "true"), Self.version])
    let response = try await api.send(known, accepting: [403, 404])
    if response.head.isSuccess,
      try api.decode(response, known, as: AzureStatus.List.self).value.contains(where: { $0.isSame(as: content) })
    {
      return
    }
    try await api.tell(
      try VendorHTTP.Request("POST", path, query: [Self.version], json: content, isRepeatable: true))
  }

  static let version = (name: "api-version", value: "7.1")

  static func reference(_ branch: String) -> String { "refs/heads/\(branch)" }

  func path(_ rest: String...) -> [String] {
    [organization, project, "_apis", "git", "repositories", repository, "pullrequests"] + rest
  }

  private func value(_ found: AzurePullRequest) -> PullRequest {
    PullRequest(
      number: found.pullRequestId,
      url: (found.repository?.webUrl).map { "\($0)/pullrequest/\(found.pullRequestId)" } ?? found.url ?? "",
      state: found.status == "active" ? .open : found.status == "completed" ? .merged : .closed,
      head: CommitID(rawValue: found.lastMergeSourceCommit?.commitId ?? ""), title: found.title,
      body: found.description ?? "")
  }
}
