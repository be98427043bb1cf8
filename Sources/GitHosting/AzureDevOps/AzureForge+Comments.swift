internal import Localization
package import Pipeline
internal import TranslationVendors

extension AzureForge {
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    let found = try await api.json(
      VendorHTTP.Request(
        "GET", path(),
        query: [
          ("searchCriteria.status", "active"), ("searchCriteria.targetRefName", Self.reference(base)),
          ("$top", String(limit)), Self.version,
        ]), as: AzurePullRequest.List.self)
    return found.value.map { pull in
      OpenPullRequest(
        number: pull.pullRequestId, branch: pull.sourceRefName.replacing("refs/heads/", with: ""), base: base,
        head: CommitID(rawValue: pull.lastMergeSourceCommit?.commitId ?? ""), isFork: pull.forkSource != nil,
        // The reference is the server's test merge into the base, which is the server's only reference for a pull request. If the branches conflict,
        // this reference is missing or points to the merge of an earlier commit.
        reference: pull.mergeStatus ?? "succeeded" == "succeeded" ? "refs/pull/\(pull.pullRequestId)/merge" : nil)
    }
  }

  /// Returns the first comment of each thread, without deleted comments.
  package func comments(on number: Int) async throws -> ReadComments {
    let found = try await api.json(
      VendorHTTP.Request("GET", path(String(number), "threads"), query: [Self.version]), as: AzureThread.List.self)
    // This list is not split into pages.
    return ReadComments(
      found.value.sorted { $0.id < $1.id }.compactMap { thread in
        guard let comment = thread.comments?.first, thread.isDeleted != true, comment.isDeleted != true else {
          return nil
        }
        return PullRequestComment(id: "\(thread.id)/\(comment.id)", body: comment.content ?? "")
      })
  }

  package func addComment(_ body: String, to number: Int) async throws {
    // The thread is created as closed, because an open thread could prevent the completion of the pull request.
    let thread = AzureNewThread(comments: [.init(content: body, parentCommentId: 0, commentType: "text")])
    try await api.tell(
      try VendorHTTP.Request("POST", path(String(number), "threads"), query: [Self.version], json: thread))
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    let parts = comment.id.split(separator: "/").map(String.init)
    guard parts.count == 2 else { return false }
    return try await api.change(
      try VendorHTTP.Request(
        "PATCH", path(String(number), "threads", parts[0], "comments", parts[1]), query: [Self.version],
        json: AzureCommentText(content: body), isRepeatable: true))
  }
}

struct AzureThread: Decodable {
  struct List: Decodable {
    var value: [AzureThread]
  }

  struct Comment: Decodable {
    var id: Int
    var content: String?
    var isDeleted: Bool?
  }

  var id: Int
  var comments: [Comment]?
  var isDeleted: Bool?
}

struct AzureNewThread: Encodable {
  struct Comment: Encodable {
    var content: String
    var parentCommentId: Int
    var commentType: String
  }

  var comments: [Comment]
  var status = "closed"
}

struct AzureCommentText: Encodable {
  var content: String
}
