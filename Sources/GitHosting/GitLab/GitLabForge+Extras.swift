// Members are named as the API names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
package import Pipeline
internal import TranslationVendors

extension GitLabForge {
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.labels.isEmpty {
      let change = GitLabExtras(add_labels: extras.labels.joined(separator: ","))
      let sent = try VendorHTTP.Request("PUT", path(String(number)), json: change)
      try await attempts.attempt("labels") { try await api.tell(sent) }
    }
    var reviewers: [Int] = []
    for name in extras.reviewers {
      let found = try await api.json(
        VendorHTTP.Request("GET", ["users"], query: [("username", name)]), as: [GitLabUser].self)
      if let user = found.first {
        reviewers.append(user.id)
      } else {
        attempts.refuse("reviewers: there is no account \(name)")
      }
    }
    if !reviewers.isEmpty {
      let sent = try VendorHTTP.Request("PUT", path(String(number)), json: GitLabExtras(reviewer_ids: reviewers))
      try await attempts.attempt("reviewers") { try await api.tell(sent) }
    }
    if let merge = extras.merge {
      let sent = try VendorHTTP.Request(
        "PUT", path(String(number), "merge"), json: GitLabMerge(squash: merge == .squash))
      // 405 also for a draft, and without a pipeline. Older servers answer 406 where newer ones answer 422.
      try await attempts.attempt("auto-merge") {
        do { try await api.askToMerge(sent, later: [405, 406, 409, 422]) } catch let error as TransportError
          where error.kind == .status(401)
        {
          // The server has just taken the token for other requests.
          throw VendorError(
            kind: .refused, at: error.operation,
            detail: "the account of the token may not merge into the branch: \(error.detail). Let it, or remove "
              + "deliver.auto_merge")
        }
      }
    }
    return attempts.applied
  }

  package func obstacle(toPushing branch: String) async throws -> String? {
    let request = VendorHTTP.Request("GET", ["projects", project, "repository", "branches", branch])
    let response = try await api.send(request, accepting: [404])
    guard response.status != 404, try api.decode(response, request, as: ProtectedBranch.self).can_push == false else {
      return nil
    }
    return "the token's account may not push to it"
  }
}

struct GitLabUser: Decodable {
  var id: Int
}

struct GitLabExtras: Encodable {
  var add_labels: String?
  var reviewer_ids: [Int]?
}

struct GitLabMerge: Encodable {
  var squash: Bool
  /// `auto_merge` since GitLab 17.11, the other name before.
  var auto_merge = true
  var merge_when_pipeline_succeeds = true
}
