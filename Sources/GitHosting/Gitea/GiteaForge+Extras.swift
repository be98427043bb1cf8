// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
package import Pipeline
internal import TranslationVendors

extension GiteaForge {
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.labels.isEmpty {
      let known = try await labels()
      var ids: [Int] = []
      for name in extras.labels {
        if let label = known.first(where: { $0.name.lowercased() == name.lowercased() }) {
          ids.append(label.id)
        } else {
          attempts.refuse("labels: there is no label \(name)")
        }
      }
      if !ids.isEmpty {
        let sent = try VendorHTTP.Request(
          "POST", issue(number, "labels"), json: GiteaLabels(labels: ids), isRepeatable: true)
        try await attempts.attempt("labels") { try await api.tell(sent) }
      }
    }
    if !extras.reviewers.isEmpty {
      try await attempts.attempt(each: extras.reviewers, "reviewer") { names in
        try await api.tell(
          try VendorHTTP.Request(
            "POST", path(String(number), "requested_reviewers"), json: GitHubReviewers(names), isRepeatable: true))
      }
    }
    if let merge = extras.merge {
      let sent = try VendorHTTP.Request(
        "POST", path(String(number), "merge"), json: GiteaMerge(Do: merge.rawValue), isRepeatable: true)
      // 405 can also mean “Please try again later” while the server tests for conflicts.
      try await attempts.attempt("auto-merge") {
        try await api.askToMerge(sent, later: [405, 409], settled: "already scheduled")
      }
    }
    return attempts.applied
  }

  private func labels() async throws -> [GiteaLabel] {
    var all: [GiteaLabel] = []
    for page in 1...20 {
      let found = try await api.json(
        VendorHTTP.Request(
          "GET", ["repos", owner, repository, "labels"], query: [("page", String(page)), ("limit", "50")]),
        as: [GiteaLabel].self)
      // Servers may return fewer elements than requested, so only an empty page is the last one.
      guard !found.isEmpty else { break }
      all += found
    }
    return all
  }

  package func obstacle(toPushing branch: String) async throws -> String? {
    let request = VendorHTTP.Request("GET", ["repos", owner, repository, "branches", branch])
    let response = try await api.send(request, accepting: [404])
    guard response.status != 404, try api.decode(response, request, as: ProtectedBranch.self).user_can_push == false
    else { return nil }
    return "the token's account may not push to it"
  }
}

struct GiteaLabel: Decodable {
  var id: Int
  var name: String
}

struct GiteaLabels: Encodable {
  var labels: [Int]
}

struct GiteaMerge: Encodable {
  /// The merge method: `merge`, `rebase` or `squash`. Newer servers ignore the case of the member's name.
  var Do: String
  var merge_when_checks_succeed = true
}
