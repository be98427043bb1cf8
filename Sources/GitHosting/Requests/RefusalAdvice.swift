internal import HTTPTransport
internal import TranslationVendors

/// A wrapper around the calls of a forge that adds the next step for the user to refusals, because servers rarely mention the next step.
struct RefusalAdvice: ForgeRequests {
  /// The settings of the pipeline file that the token comes from.
  enum TokenSource {
    /// `deliver.token`, or credentials for git.
    case secret
    case gitHubApp, oauthApplication
  }

  let source: TokenSource
  /// The scope that a token needs, for servers that report `insufficient_scope`; `nil` for other servers.
  let scope: String?

  func run<Value>(_ request: () async throws -> Value) async throws -> Value {
    do { return try await request() } catch let error as TransportError {
      guard case .status(let status) = error.kind, let step = step(after: status, error.detail) else { throw error }
      throw VendorError(kind: .refused, at: error.operation, detail: "\(error.detail). \(step)")
    }
  }

  private func step(after status: Int, _ words: String) -> String? {
    if let scope, status == 403, words.contains("insufficient_scope") {
      return
        "The token lacks a scope. It needs the scope \(scope): create a token with it, or for an OAuth application select it and "
        + "authorize the application again"
    }
    return switch status {
    case 401: tokenStep
    case 403:
      "If the server gives no other reason, a permission is missing: the token must be allowed to read the repository "
        + "and to write pull requests, comments and commit statuses"
    case 404:
      "The token has no access to the repository, or repository.url is wrong. For your own server, check "
        + "deliver.forge and deliver.api"
    // Requests with these statuses are repeated later, so they need no advice.
    case 408, 423, 425, 429: nil
    case 400..<500:
      "The server does not accept this request. Correct what its message names: a branch, a rule of the repository or a "
        + "setting below deliver:, and run again"
    default: nil
    }
  }

  /// The next step after the server refused the token. A token that Dragoman renews has already been replaced once.
  private var tokenStep: String {
    switch source {
    case .secret:
      "Check the token that deliver.token names, or otherwise deliver.credentials or repository.credentials; it is wrong, or "
        + "has expired, or its account has no access to the repository"
    case .gitHubApp:
      "The server also refuses a new token of the app in deliver.app. Check that the app is installed on the repository and not "
        + "suspended, that deliver.app and deliver.app_key belong to it, and that deliver.api is its server"
    case .oauthApplication:
      "The server also refuses a new token of the application in deliver.oauth_client. Check that its account has access to the "
        + "repository, or authorize the application again and store the new token where deliver.oauth_refresh_token names it"
    }
  }
}
