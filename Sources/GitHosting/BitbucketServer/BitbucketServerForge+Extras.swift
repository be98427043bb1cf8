package import Pipeline
internal import TranslationVendors

extension BitbucketServerForge {
  /// Adds reviewers and requests automatic merging. Bitbucket Data Center has no labels.
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.reviewers.isEmpty {
      try await attempts.attempt(each: extras.reviewers, "reviewer") { names in
        let current = try await current(number)
        let known = current.reviewers?.map(\.user.name) ?? []
        let change = BitbucketServerPullRequestText(
          version: current.version, title: current.title, description: current.description ?? "",
          reviewers: (known + names.filter { !known.contains($0) }).map { .init(user: .init(name: $0)) })
        // After a lost response, the pull request may have a new version, so the same request is not repeated. The next attempt reads the new
        // version.
        let sent = try VendorHTTP.Request("PUT", path(String(number)), json: change, isRepeatable: false)
        try await permitted { try await api.tell(sent) }
      }
    }
    if extras.merge != nil {
      // The repository's settings decide the merge strategy.
      let current = try await current(number)
      let sent = try VendorHTTP.Request(
        "POST", path(String(number), "merge"), query: [("version", String(current.version))],
        json: BitbucketServerMerge())
      try await attempts.attempt("auto-merge") {
        try await permitted { try await api.askToMerge(sent, later: [409]) }
      }
    }
    return attempts.applied
  }
}

struct BitbucketServerMerge: Encodable {
  var autoMerge = true
}
