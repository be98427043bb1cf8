// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization
package import Pipeline
internal import TranslationVendors

extension GitHubForge {
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    if !extras.labels.isEmpty {
      try await attempts.attempt("labels") {
        try await api.tell(
          try VendorHTTP.Request(
            "POST", path("issues", String(number), "labels"), headers: Self.headers,
            json: GitHubLabels(labels: extras.labels), isRepeatable: true))
      }
    }
    if !extras.reviewers.isEmpty {
      try await attempts.attempt(each: extras.reviewers, "reviewer") { names in
        try await api.tell(
          try VendorHTTP.Request(
            "POST", path("pulls", String(number), "requested_reviewers"), headers: Self.headers,
            json: GitHubReviewers(names), isRepeatable: true))
      }
    }
    if let merge = extras.merge {
      try await attempts.attempt("auto-merge") {
        let pull = try await api.json(
          VendorHTTP.Request("GET", path("pulls", String(number)), headers: Self.headers), as: GitHubPullRequest.self)
        // A person may already have enabled auto-merge.
        guard pull.auto_merge == nil else { return }
        let response = try await graph.json(
          try VendorHTTP.Request(
            "POST", ["graphql"], json: GitHubAutoMerge(pull.node_id ?? "", merge), isRepeatable: true),
          as: GitHubAutoMerge.Response.self)
        // GitHub returns 200 with a list of errors, for example if the repository does not allow auto-merge.
        if let fault = response.errors?.first, fault.type == "RATE_LIMITED" {
          throw TransportError(
            kind: .status(429), operation: "github: POST /graphql",
            detail: graph.redacted(fault.message).withVisibleControls)
        }
        // Auto-merge is not possible in the pull request's current state. An example is “Pull request is in clean status”: all requirements are
        // fulfilled, perhaps only because no check has begun.
        if let words = response.errors?.first?.message, words.contains(" is in "), words.hasSuffix(" status") {
          throw MergingLater(words: "“\(graph.redacted(words).withVisibleControls)”")
        }
        if let words = response.errors?.first?.message {
          throw VendorError(
            kind: .refused, operation: "enable auto-merge", detail: graph.redacted(words).withVisibleControls)
        }
      }
    }
    return attempts.applied
  }

  package func obstacle(toPushing branch: String) async throws -> String? {
    let request = VendorHTTP.Request("GET", path("branches", branch), headers: Self.headers)
    let response = try await api.send(request, accepting: [404])
    guard response.status != 404, try api.decode(response, request, as: ProtectedBranch.self).protected == true else {
      return nil
    }
    return "it is a protected branch, so the push may be refused"
  }
}

/// The response to `GET …/branches/NAME`. Each forge returns some of these members.
struct ProtectedBranch: Decodable {
  var protected: Bool?
  /// Whether the token's account may push; `nil` except on GitLab.
  var can_push: Bool?
  /// Whether the token's account may push; `nil` except on Gitea and Forgejo.
  var user_can_push: Bool?
}

struct GitHubLabels: Encodable {
  var labels: [String]
}

/// A request for reviewers. GitHub, Gitea and Forgejo use the same format.
struct GitHubReviewers: Encodable {
  var reviewers: [String]
  var team_reviewers: [String]

  init(_ names: [String]) {
    let team = "team:"
    reviewers = names.filter { !$0.hasPrefix(team) }
    team_reviewers = names.filter { $0.hasPrefix(team) }.map { String($0.dropFirst(team.count)) }
  }
}

struct GitHubAutoMerge: Encodable {
  struct Variables: Encodable {
    var id: String
    var method: String
  }

  struct Response: Decodable {
    struct Fault: Decodable {
      var message: String
      /// The kind of the error, such as `UNPROCESSABLE` or `RATE_LIMITED`.
      var type: String?
    }

    var errors: [Fault]?
  }

  var query =
    "mutation($id: ID!, $method: PullRequestMergeMethod!) { enablePullRequestAutoMerge("
    + "input: {pullRequestId: $id, mergeMethod: $method}) { clientMutationId } }"
  var variables: Variables

  init(_ id: String, _ merge: PullRequestExtras.Merge) {
    variables = Variables(id: id, method: merge.rawValue.uppercased())
  }
}
