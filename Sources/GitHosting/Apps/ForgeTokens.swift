internal import HTTPTransport
package import Localization

/// A token for a forge's API that expires, and is renewed before it does.
package protocol ForgeTokens: Sendable {
  /// The newest token; `nil` before the first request for one.
  var current: Secret? { get }

  /// The user name for git over https, where the token is the password.
  var gitUser: String { get }

  /// Returns a token that is valid for at least some minutes, and renews it if necessary.
  func token() async throws -> Secret

  /// Forgets a token that a server refused, for example because it was revoked.
  func forget(_ token: Secret) async
}

/// Renews the token before each request, and once more if it is refused.
struct TokenRenewal: ForgeRequests {
  let tokens: any ForgeTokens

  func run<Answer>(_ request: () async throws -> Answer) async throws -> Answer {
    let token = try await tokens.token()
    do { return try await request() } catch let error as TransportError where error.kind == .status(401) {
      await tokens.forget(token)
      _ = try await tokens.token()
      return try await request()
    }
  }
}
