package import Pipeline
internal import TranslationVendors

extension BitbucketForge {
  /// Bitbucket has no labels, and merges nothing by itself.
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> [String] {
    var attempts = ForgeAttempts()
    if !extras.reviewers.isEmpty {
      let current = try await api().json(
        VendorHTTP.Request("GET", path(String(number))), as: BitbucketPullRequest.self)
      let change = BitbucketReviewers(title: current.title, reviewers: extras.reviewers.map { .init(uuid: $0) })
      let sent = try VendorHTTP.Request("PUT", path(String(number)), json: change)
      try await attempts.attempt("reviewers") { try await api().tell(sent) }
    }
    return attempts.refusals
  }
}

struct BitbucketReviewers: Encodable {
  struct Account: Encodable {
    /// In braces.
    var uuid: String
  }

  var title: String
  var reviewers: [Account]
}
