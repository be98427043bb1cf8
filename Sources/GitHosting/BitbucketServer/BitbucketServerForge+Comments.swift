internal import HTTPTransport
internal import Localization
package import Pipeline
internal import TranslationVendors

extension BitbucketServerForge {
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    var all: [OpenPullRequest] = []
    var start = 0
    while all.count < limit {
      let found = try await api.json(
        VendorHTTP.Request(
          "GET", path(),
          query: [
            ("state", "OPEN"), ("at", Self.reference(base)), ("direction", "INCOMING"), ("order", "NEWEST"),
            ("start", String(start)), ("limit", "100"),
          ]), as: BitbucketServerPullRequest.List.self)
      all += found.values.map { pull in
        OpenPullRequest(
          number: pull.id, branch: pull.fromRef.id.replacing("refs/heads/", with: ""), base: base,
          head: CommitID(rawValue: pull.fromRef.latestCommit ?? ""),
          isFork: pull.isFork, reference: "refs/pull-requests/\(pull.id)/from")
      }
      guard !found.isLastPage, let next = found.nextPageStart, next > start else { break }
      start = next
    }
    return Array(all.prefix(limit))
  }

  /// Returns the comments, oldest first. The server lists them among the activities of the pull request, newest first. At most 30 pages of
  /// activities are read.
  package func comments(on number: Int) async throws -> ReadComments {
    var all: [PullRequestComment] = []
    var start = 0
    var isWhole = false
    for _ in 0..<30 where !isWhole {
      let found = try await api.json(
        VendorHTTP.Request(
          "GET", path(String(number), "activities"), query: [("start", String(start)), ("limit", "100")]),
        as: BitbucketServerActivity.List.self)
      all += found.values.compactMap(\.comment).map { comment in
        PullRequestComment(id: String(comment.id), body: comment.text ?? "", version: comment.version)
      }
      if !found.isLastPage, let next = found.nextPageStart, next > start { start = next } else { isWhole = true }
    }
    return ReadComments(all.reversed(), isWhole: isWhole)
  }

  package func addComment(_ body: String, to number: Int) async throws {
    let sent = try VendorHTTP.Request(
      "POST", path(String(number), "comments"), json: BitbucketServerNewComment(text: body, version: nil))
    try await permitted { try await api.tell(sent) }
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    let sent = try VendorHTTP.Request(
      "PUT", path(String(number), "comments", comment.id),
      json: BitbucketServerNewComment(text: body, version: comment.version),
      // After a lost response, the comment may have a new version, so the same request is not repeated. The next attempt reads the new version.
      isRepeatable: false)
    // Only the author of a comment may change its text.
    do { return try await permitted { try await api.change(sent) } } catch let error as TransportError
      where error.kind == .status(403)
    { return false }
  }
}

struct BitbucketServerActivity: Decodable {
  struct List: Decodable {
    var values: [BitbucketServerActivity]
    var isLastPage: Bool
    var nextPageStart: Int?
  }

  struct Comment: Decodable {
    var id: Int
    var version: Int?
    var text: String?
  }

  /// The comment; `nil` for approvals, merges and other activities.
  var comment: Comment?
}

struct BitbucketServerNewComment: Encodable {
  var text: String
  var version: Int?
}
