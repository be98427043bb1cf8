internal import HTTPTransport
internal import TranslationVendors

/// The newest statuses of a commit at GitHub, Gitea or Forgejo, one for each name. An identical status is not sent again, because these servers store
/// every status and GitHub accepts at most 1,000 statuses with the same name for a commit.
struct GitHubKnownStatuses: Decodable {
  struct Status: Decodable {
    var context: String?
    var description: String?
    /// The state at GitHub; `nil` at Gitea and Forgejo.
    var state: String?
    /// The state at Gitea and Forgejo; `nil` at GitHub.
    var status: String?
  }

  var statuses: [Status]?

  /// Returns whether a commit already has an identical status.
  /// - Parameter request: the request for the combined status of the commit.
  static func has(_ wanted: GitHubStatus, _ request: VendorHTTP.Request, _ api: VendorHTTP) async throws -> Bool {
    // A token may have the permission to write statuses but not to read them.
    let response = try await api.send(request, accepting: [403, 404, 422])
    guard response.head.isSuccess else { return false }
    return try api.decode(response, request, as: GitHubKnownStatuses.self).statuses?.contains {
      $0.context == wanted.context && $0.description == wanted.description && ($0.state ?? $0.status) == wanted.state
    } ?? false
  }
}
