// The members have the same names as in the API.
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
    var reviewers: [(name: String, id: Int)] = []
    for name in extras.reviewers {
      let found = try await api.json(
        VendorHTTP.Request("GET", ["users"], query: [("username", name)]), as: [GitLabUser].self)
      if let user = found.first {
        reviewers.append((name, user.id))
      } else {
        attempts.refuse("reviewers: there is no account \(name)")
      }
    }
    // People may already have added some of the reviewers, or enabled auto-merge.
    var present = GitLabPresentExtras()
    if !reviewers.isEmpty || extras.merge != nil {
      present = try await api.json(VendorHTTP.Request("GET", path(String(number))), as: GitLabPresentExtras.self)
    }
    let known = (present.reviewers ?? []).map(\.id)
    reviewers.removeAll { known.contains($0.id) }
    if !reviewers.isEmpty {
      var added: Set<Int>?
      try await attempts.attempt("reviewers") { added = try await add(reviewers.map(\.id), to: number, beside: known) }
      for reviewer in reviewers where added?.contains(reviewer.id) == false {
        attempts.refuse(
          "reviewer \(reviewer.name): the server did not add the account. Either it has no access to the project, or the "
            + "project's plan allows only one reviewer")
      }
    }
    if let merge = extras.merge, present.merge_when_pipeline_succeeds != true {
      let sent = try VendorHTTP.Request(
        "PUT", path(String(number), "merge"), json: GitLabMerge(squash: merge == .squash))
      // The server also returns 405 for a draft and if there is no pipeline. Older servers return 406 where newer ones return 422.
      try await attempts.attempt("auto-merge") {
        do { try await api.askToMerge(sent, later: [405, 406, 409, 422]) } catch let error as TransportError
          where error.kind == .status(401)
        {
          // The server has just accepted the token for other requests, so the account lacks a permission.
          throw VendorError(
            kind: .refused, at: error.operation,
            detail: "the account of the token may not merge into the branch: \(error.detail). Allow it, or remove "
              + "deliver.auto_merge")
        }
      }
    }
    return attempts.applied
  }

  /// Adds reviewers. The server silently omits accounts without access. On the free tier, it accepts only the first account, so if the merge request
  /// has no reviewer afterwards, the request is repeated without this account.
  /// - Parameter known: the current reviewers. They are sent again, because a change replaces all reviewers.
  /// - Returns: the reviewers after the change.
  private func add(_ ids: [Int], to number: Int, beside known: [Int]) async throws -> Set<Int> {
    var left = ids[...]
    while true {
      let sent = try VendorHTTP.Request("PUT", path(String(number)), json: GitLabExtras(reviewer_ids: known + left))
      let added = try await api.json(sent, as: GitLabPresentExtras.self).reviewers ?? []
      left = left.dropFirst()
      // If there is no reviewer, the first account may have prevented the addition of the others.
      if !added.isEmpty || left.isEmpty { return Set(added.map(\.id)) }
    }
  }
}

struct GitLabUser: Decodable {
  var id: Int
}

/// The reviewers and the auto-merge state of a merge request.
struct GitLabPresentExtras: Decodable {
  var reviewers: [GitLabUser]?
  /// Whether auto-merge is enabled. Newer servers still use this old name.
  var merge_when_pipeline_succeeds: Bool?
}

struct GitLabExtras: Encodable {
  var add_labels: String?
  var reviewer_ids: [Int]?
}

struct GitLabMerge: Encodable {
  var squash: Bool
  /// Whether auto-merge is requested. GitLab 17.11 and later read `auto_merge`; earlier versions read `merge_when_pipeline_succeeds`.
  var auto_merge = true
  var merge_when_pipeline_succeeds = true
}
