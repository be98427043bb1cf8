internal import Localization
package import Pipeline
internal import TranslationVendors

extension BitbucketForge {
  /// Returns open pull requests. Bitbucket reports only the first digits of a commit id, and has no reference for the commits of a fork.
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    try await ForgePages.all(limit: limit, of: 50) { page in
      try await api().json(
        VendorHTTP.Request(
          "GET", path(),
          query: [
            ("state", "OPEN"), ("q", "destination.branch.name=\(quoted(base))"), ("sort", "-updated_on"),
            ("pagelen", "50"), ("page", String(page)),
          ]), as: BitbucketPullRequest.List.self
      ).values.map { pull in
        OpenPullRequest(
          number: pull.id, branch: pull.source.branch.name, base: base,
          head: CommitID(rawValue: pull.source.commit?.hash ?? ""),
          isFork: pull.isFork)
      }
    }
  }

  package func comments(on number: Int) async throws -> ReadComments {
    try await ForgePages.comments { page, order in
      let sort = order == .oldest ? "created_on" : "-created_on"
      return try await api().json(
        VendorHTTP.Request(
          "GET", path(String(number), "comments"),
          query: [("sort", sort), ("pagelen", "100"), ("page", String(page))]),
        as: BitbucketComment.List.self
      ).values.map { comment in
        PullRequestComment(id: String(comment.id), body: comment.deleted == true ? "" : comment.content?.raw ?? "")
      }
    }
  }

  package func addComment(_ body: String, to number: Int) async throws {
    try await api().tell(
      try VendorHTTP.Request("POST", path(String(number), "comments"), json: BitbucketNewComment(body)))
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    try await api().change(
      try VendorHTTP.Request("PUT", path(String(number), "comments", comment.id), json: BitbucketNewComment(body)))
  }
}

struct BitbucketComment: Decodable {
  struct List: Decodable {
    var values: [BitbucketComment]
  }

  struct Content: Codable {
    var raw: String
  }

  var id: Int
  var deleted: Bool?
  var content: Content?
}

struct BitbucketNewComment: Encodable {
  var content: BitbucketComment.Content

  init(_ text: String) { content = BitbucketComment.Content(raw: text) }
}
