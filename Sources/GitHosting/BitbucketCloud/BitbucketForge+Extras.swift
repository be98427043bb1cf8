package import Pipeline
internal import TranslationVendors

extension BitbucketForge {
  /// Adds reviewers. Bitbucket Cloud has neither labels nor automatic merging.
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.reviewers.isEmpty {
      try await attempts.attempt(each: extras.reviewers, "reviewer") { names in
        var change = BitbucketChange(try await current(number))
        let wanted = names.map { BitbucketPullRequest.Account(uuid: $0) }
        change.reviewers += wanted.filter { !change.reviewers.contains($0) }
        try await api().tell(try VendorHTTP.Request("PUT", path(String(number)), json: change))
      }
    }
    return attempts.applied
  }
}
