internal import FoundationEssentials
internal import HTTPTransport
internal import Localization

/// A store for a vendor's access token to Smartling's APIs. A token is valid for a few minutes. The token is renewed before its expiry, and discarded
/// when the server refuses the token.
actor SmartlingTokens {
  /// An access token is renewed this number of seconds before it expires. A token whose lifetime is less than twice this margin is renewed after half
  /// its lifetime.
  static let margin = 60.0

  private struct Held {
    var tokens: SmartlingMessages.Tokens
    var renewAt: Date
    var refreshUntil: Date
  }

  private let http: VendorHTTP
  private let secret: @Sendable () throws -> Secret?
  private let now: @Sendable () -> Date
  private var held: Held?

  /// - Parameters:
  ///   - http: a client that does not send credentials.
  ///   - secret: returns the secret: `USER_IDENTIFIER:USER_SECRET`.
  init(http: VendorHTTP, secret: @escaping @Sendable () throws -> Secret?, now: @escaping @Sendable () -> Date) {
    self.http = http
    self.secret = secret
    self.now = now
  }

  /// Returns an access token that does not expire soon. If there is none, a token is requested from the server.
  func token() async throws -> Secret {
    if let held, now() < held.renewAt { return Secret(held.tokens.accessToken) }
    let tokens = try await renewed()
    let life = Double(max(0, min(tokens.expiresIn, 86_400)))
    let refreshLife = Double(max(0, min(tokens.refreshExpiresIn, 86_400)))
    held = Held(
      tokens: tokens, renewAt: now() + max(life - Self.margin, life / 2),
      refreshUntil: now() + refreshLife - Self.margin)
    return Secret(tokens.accessToken)
  }

  /// Discards a token that the server refused. A newer token is kept.
  func refused(_ token: Secret) {
    if held?.tokens.accessToken == token.reveal() { held = nil }
  }

  private func renewed() async throws -> SmartlingMessages.Tokens {
    if let held, now() < held.refreshUntil {
      self.held = nil
      let request = try VendorHTTP.Request(
        "POST", ["auth-api", "v2", "authenticate", "refresh"],
        json: SmartlingMessages.Refresh(refreshToken: held.tokens.refreshToken), isRepeatable: true)
      // The server may refuse a valid refresh token, because a session ends after some hours.
      let response = try await http.send(request, accepting: [400, 401])
      if response.head.isSuccess {
        return try http.decode(response, request, as: SmartlingMessages.Envelope<SmartlingMessages.Tokens>.self)
          .response.data
      }
    }
    let parts = (try secret()?.reveal() ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw VendorError(
        kind: .configuration, at: "smartling: sign in",
        detail: "the credentials are not USER_IDENTIFIER:USER_SECRET")
    }
    let request = try VendorHTTP.Request(
      "POST", ["auth-api", "v2", "authenticate"],
      json: SmartlingMessages.Credentials(userIdentifier: parts[0], userSecret: parts[1]), isRepeatable: true)
    return try await http.json(request, as: SmartlingMessages.Envelope<SmartlingMessages.Tokens>.self).response.data
  }
}
