package import Pipeline
internal import TranslationVendors

extension BitbucketForge {
  /// Bitbucket has no labels, and merges nothing by itself.
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.reviewers.isEmpty {
      var change = BitbucketChange(try await current(number))
      let wanted = extras.reviewers.map { BitbucketPullRequest.Account(uuid: $0) }
      change.reviewers += wanted.filter { !change.reviewers.contains($0) }
      let sent = try VendorHTTP.Request("PUT", path(String(number)), json: change)
      try await attempts.attempt("reviewers") { try await api().tell(sent) }
    }
    return attempts.applied
  }
}
