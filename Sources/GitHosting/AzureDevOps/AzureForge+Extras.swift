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
    for reviewer in extras.reviewers {
      let sent = try VendorHTTP.Request(
        "PUT", path(String(number), "reviewers", reviewer), query: [Self.version],
        json: AzureReviewer(id: reviewer, vote: 0))
      try await attempts.attempt("reviewer \(reviewer)") { try await api.tell(sent) }
    }
    if let merge = extras.merge {
      let current = try await api.json(
        VendorHTTP.Request("GET", path(String(number)), query: [Self.version]), as: AzureCreator.self)
      let strategy =
        switch merge {
        case .merge: "noFastForward"
        case .squash: "squash"
        case .rebase: "rebase"
        }
      let sent = try VendorHTTP.Request(
        "PATCH", path(String(number)), query: [Self.version],
        json: AzureAutoComplete(
          autoCompleteSetBy: .init(id: current.createdBy.id), completionOptions: .init(mergeStrategy: strategy)),
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
  /// 0: no vote yet.
  var vote: Int
}

struct AzureCreator: Decodable {
  struct Account: Codable {
    var id: String
  }

  /// Our account, since we opened the pull request.
  var createdBy: Account
}

struct AzureAutoComplete: Encodable {
  struct Options: Encodable {
    var mergeStrategy: String
  }

  var autoCompleteSetBy: AzureCreator.Account
  var completionOptions: Options
}
