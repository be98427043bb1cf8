internal import Localization
package import Pipeline
internal import TranslationVendors

extension GitLabForge {
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await ForgePages.all(limit: limit, of: 100) { page in
      try await api.json(
        VendorHTTP.Request(
          "GET", path(),
          query: [
            ("state", "opened"), ("target_branch", base), ("order_by", "updated_at"), ("sort", "desc"),
            ("per_page", "100"), ("page", String(page)),
          ]), as: [GitLabMergeRequest].self
      ).map { request in
        OpenPullRequest(
          number: request.iid, branch: request.source_branch, base: base,
          head: CommitID(rawValue: request.sha ?? ""),
          isFork: request.source_project_id != request.target_project_id,
          reference: "refs/merge-requests/\(request.iid)/head")
      }
    }
  }

  package func comments(on number: Int) async throws -> ReadComments {
    try await ForgePages.comments { page, order in
      try await api.json(
        VendorHTTP.Request(
          "GET", path(String(number), "notes"),
          query: [
            ("order_by", "created_at"), ("sort", order == .oldest ? "asc" : "desc"), ("per_page", "100"),
            ("page", String(page)),
          ]),
        as: [GitHubComment].self
      ).map(\.value)
    }
  }

  package func addComment(_ body: String, to number: Int) async throws {
    try await api.tell(
      try VendorHTTP.Request("POST", path(String(number), "notes"), json: GitHubNewComment(body: body)))
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    try await api.change(
      try VendorHTTP.Request(
        "PUT", path(String(number), "notes", comment.id), json: GitHubNewComment(body: body)))
  }
}
