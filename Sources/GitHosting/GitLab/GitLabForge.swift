package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// A client for the merge requests and commit statuses of one project on GitLab.
package struct GitLabForge: Forge {
  let project: String
  let api: VendorHTTP

  /// - Parameters:
  ///   - base: `https://HOST/api/v4`.
  ///   - project: the project's path with all groups, such as `group/subgroup/app`.
  ///   - usesOAuth: whether the token comes from an OAuth application.
  ///   - environment: the vendor environment. Its secret is a token with the scope `api`.
  package init(
    base: HTTPURL, project: String, usesOAuth: Bool = false, environment: VendorEnvironment,
    paces: RequestPaces = .shared
  ) {
    self.project = project
    api = VendorHTTP(
      vendor: "gitlab", of: .forge, base: base,
      authentication: usesOAuth ? .authorization(scheme: "Bearer") : .header("PRIVATE-TOKEN"),
      pace: PaceSettings(perSecond: 5, burst: 10, concurrent: 2), environment: environment, paces: paces)
  }

  package var traits: ForgeTraits {
    // GitLab stores each status for a commit and a branch (`ref`).
    ForgeTraits(keepsStatusesByBranch: true)
  }

  package func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    for state in ["opened", "all"] {
      // Forks may have branches with the same name.
      let own = try await ForgePages.first(of: 100, atMost: 20) { page in
        try await api.json(
          VendorHTTP.Request(
            "GET", path(),
            query: [
              ("state", state), ("source_branch", branch), ("target_branch", base), ("order_by", "created_at"),
              ("sort", "desc"), ("per_page", "100"), ("page", String(page)),
            ]), as: [GitLabMergeRequest].self)
      } where: {
        $0.source_branch == branch && $0.target_branch == base && $0.source_project_id == $0.target_project_id
      }
      if let own { return own.value }
    }
    return nil
  }

  package func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let content = GitLabNewMergeRequest(
      source_branch: wanted.branch, target_branch: wanted.base,
      title: (wanted.isDraft ? GitLabMergeRequest.draft : "") + wanted.title, description: wanted.body)
    return try await api.json(
      try VendorHTTP.Request("POST", path(), json: content), as: GitLabMergeRequest.self
    ).value
  }

  package func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    // The title also contains the draft state, which a person may have changed.
    let draft = pullRequest.isDraft ? GitLabMergeRequest.draft : ""
    let sent = try VendorHTTP.Request(
      "PUT", path(String(pullRequest.number)), json: GitLabMergeRequestText(title: draft + title, description: body))
    return try await api.json(sent, as: GitLabMergeRequest.self).value
  }

  package func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    let content = GitLabStatus(
      state: status.isGood ? "success" : "failed", ref: branch, name: status.name, description: status.text)
    let request = try VendorHTTP.Request(
      "POST", ["projects", project, "statuses", commit.rawValue], json: content, isRepeatable: true)
    do { try await api.tell(request) } catch let error as TransportError where error.kind == .status(400) {
      // The message is “Cannot transition status via :EVENT from :STATE”.
      guard let start = error.detail.firstRange(of: "Cannot transition status")?.upperBound,
        let name = error.detail[start...].firstRange(of: "from :")?.upperBound
      else { throw error }
      let present = error.detail[name...].prefix { $0.isLetter || $0 == "_" }
      guard present != content.state else { return }
      throw VendorError(
        kind: .refused, at: error.operation,
        detail:
          "\(error.detail). The status \(status.name) of \(commit.short) on \(branch) is \(present), and GitLab does not change "
          + "it from there to \(content.state). Someone or something else set it: run a new pipeline of the branch in GitLab, "
          + "or push a new commit")
    }
  }

  func path(_ rest: String...) -> [String] { ["projects", project, "merge_requests"] + rest }
}
