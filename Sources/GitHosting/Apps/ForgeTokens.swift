internal import HTTPTransport
package import Localization

/// A source of tokens for a forge's API and for git over https. Each token expires, and is renewed before it expires.
package protocol ForgeTokens: Sendable {
  /// The newest token; `nil` if there is none yet. After ``forget(_:)``, it may be `nil` or the refused token until the next call of ``token()``.
  var current: Secret? { get }

  /// The user name for git over https. The token is the password.
  var gitUser: String { get }

  /// Returns a token that is valid for at least a few minutes. The token is renewed first if necessary.
  func token() async throws -> Secret

  /// Ensures that ``token()`` no longer returns this token, because a server refused it, for example after it was revoked.
  func forget(_ token: Secret) async
}

/// A wrapper around the calls of a forge that gets a valid token before each call. If the forge refuses the token, another token is requested, and
/// the call is repeated once.
struct TokenRenewal: ForgeRequests {
  let tokens: any ForgeTokens

  func run<Value>(_ request: () async throws -> Value) async throws -> Value {
    let token = try await tokens.token()
    do { return try await request() } catch let error as TransportError where error.kind == .status(401) {
      await tokens.forget(token)
      _ = try await tokens.token()
      return try await request()
    }
  }
}
