// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization
package import Pipeline
internal import TranslationVendors

extension GitHubForge {
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await ForgePages.all(limit: limit, of: 100) { page in
      let query = [
        ("state", "open"), ("base", base), ("sort", "updated"), ("direction", "desc"), ("per_page", "100"),
        ("page", String(page)),
      ]
      let found = try await api.json(request("GET", "pulls", query: query), as: [GitHubPullRequest].self)
      return found.map { pull in
        OpenPullRequest(
          number: pull.number, branch: pull.head.ref, base: pull.base.ref, head: CommitID(rawValue: pull.head.sha),
          isFork: pull.isFork, reference: "refs/pull/\(pull.number)/head")
      }
    }
  }

  package func comments(on number: Int) async throws -> ReadComments {
    // This list cannot be sorted, so all its pages are read. GitHub accepts at most 2,500 comments.
    let limit = 3000
    let found = try await ForgePages.all(limit: limit, of: 100) { page in
      try await api.json(
        VendorHTTP.Request(
          "GET", path("issues", String(number), "comments"), query: [("per_page", "100"), ("page", String(page))],
          headers: Self.headers), as: [GitHubComment].self
      ).map(\.value)
    }
    return ReadComments(found, isWhole: found.count < limit)
  }

  package func addComment(_ body: String, to number: Int) async throws {
    try await api.tell(
      try VendorHTTP.Request(
        "POST", path("issues", String(number), "comments"), headers: Self.headers, json: GitHubNewComment(body: body)))
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    try await api.change(
      try VendorHTTP.Request(
        "PATCH", path("issues", "comments", comment.id), headers: Self.headers, json: GitHubNewComment(body: body),
        isRepeatable: true))
  }
}

/// A comment on a pull request. GitHub, Gitea, Forgejo and GitLab use the same format.
struct GitHubComment: Decodable {
  var id: Int
  var body: String?

  var value: PullRequestComment { PullRequestComment(id: String(id), body: body ?? "") }
}

struct GitHubNewComment: Encodable {
  var body: String
}

extension GitHubPullRequest {
  var isFork: Bool { PullRequestSides.areApart(head.repo?.full_name, base.repo?.full_name) }
}
