internal import Localization
package import Pipeline
internal import TranslationVendors

extension GiteaForge {
  package func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] {
    var own: [OpenPullRequest] = []
    // Servers may return fewer pull requests than requested, and older servers cannot filter by the base.
    for page in 1...20 where own.count < limit {
      let found = try await api.json(
        VendorHTTP.Request(
          "GET", path(),
          query: [("state", "open"), ("sort", "recentupdate"), ("limit", "50"), ("page", String(page))]),
        as: [GiteaPullRequest].self)
      guard !found.isEmpty else { break }
      own += found.filter { $0.base.ref == base }.map { pull in
        OpenPullRequest(
          number: pull.number, branch: pull.head.ref, base: base, head: CommitID(rawValue: pull.head.sha),
          isFork: pull.isFork, reference: "refs/pull/\(pull.number)/head")
      }
    }
    return Array(own.prefix(limit))
  }

  package func comments(on number: Int) async throws -> ReadComments {
    // This list is not split into pages.
    let found = try await api.json(VendorHTTP.Request("GET", issue(number, "comments")), as: [GitHubComment].self)
    return ReadComments(found.map(\.value))
  }

  package func addComment(_ body: String, to number: Int) async throws {
    try await api.tell(
      try VendorHTTP.Request("POST", issue(number, "comments"), json: GitHubNewComment(body: body)))
  }

  package func changeComment(
    _ comment: PullRequestComment, to body: String, on number: Int
  ) async throws -> Bool {
    try await api.change(
      try VendorHTTP.Request(
        "PATCH", ["repos", owner, repository, "issues", "comments", comment.id], json: GitHubNewComment(body: body),
        isRepeatable: true))
  }

  func issue(_ number: Int, _ rest: String...) -> [String] {
    ["repos", owner, repository, "issues", String(number)] + rest
  }
}
