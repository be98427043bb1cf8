package import Pipeline
internal import TranslationVendors

extension AzureForge {
  package func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    var attempts = ForgeAttempts()
    for label in extras.labels {
      let sent = try VendorHTTP.Request(
        "POST", path(String(number), "labels"), query: [Self.version], json: AzureLabel(name: label),
        isRepeatable: true)
      try await attempts.attempt("label \(label)") { try await api.tell(sent) }
    }
    // People may already have added some of the reviewers. Adding a reviewer again would reset the reviewer's vote.
    var present: AzurePresentExtras?
    if !extras.reviewers.isEmpty || extras.merge != nil {
      present = try await api.json(
        VendorHTTP.Request("GET", path(String(number)), query: [Self.version]), as: AzurePresentExtras.self)
    }
    let known = Set((present?.reviewers ?? []).map { $0.id.lowercased() })
    for reviewer in extras.reviewers where !known.contains(reviewer.lowercased()) {
      let sent = try VendorHTTP.Request(
        "PUT", path(String(number), "reviewers", reviewer), query: [Self.version],
        json: AzureReviewer(id: reviewer, vote: 0))
      try await attempts.attempt("reviewer \(reviewer)") { try await api.tell(sent) }
    }
    if let merge = extras.merge, let present, present.autoCompleteSetBy == nil {
      let strategy =
        switch merge {
        case .merge: "noFastForward"
        case .squash: "squash"
        case .rebase: "rebase"
        }
      let sent = try VendorHTTP.Request(
        "PATCH", path(String(number)), query: [Self.version],
        json: AzureAutoComplete(
          autoCompleteSetBy: .init(id: present.createdBy.id), completionOptions: .init(mergeStrategy: strategy)),
        isRepeatable: true)
      try await attempts.attempt("auto-complete") { try await api.tell(sent) }
    }
    return attempts.applied
  }
}

struct AzureLabel: Encodable {
  var name: String
}

struct AzureReviewer: Encodable {
  var id: String
  /// The reviewer's vote: 0 for no vote yet.
  var vote: Int
}

/// The author, the reviewers and the auto-complete state of a pull request.
struct AzurePresentExtras: Decodable {
  struct Account: Codable {
    var id: String
  }

  /// The account that opened the pull request, usually the one that Dragoman uses.
  var createdBy: Account
  var reviewers: [Account]?
  /// The account that set auto-complete; `nil` if it is not set.
  var autoCompleteSetBy: Account?
}

struct AzureAutoComplete: Encodable {
  struct Options: Encodable {
    var mergeStrategy: String
  }

  var autoCompleteSetBy: AzurePresentExtras.Account
  var completionOptions: Options
}
