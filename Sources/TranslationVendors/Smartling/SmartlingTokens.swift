internal import FoundationEssentials
internal import HTTPTransport
internal import Localization

/// The access token of a vendor. Tokens live a few minutes: one is renewed before it expires, and thrown away when the server refuses it.
actor SmartlingTokens {
  /// An access token is renewed when it has less than this to live, in seconds; one that lives shorter, at half its life.
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
  /// - http: does not send credentials.
  ///   - secret: `USER_IDENTIFIER:USER_SECRET`.
  init(http: VendorHTTP, secret: @escaping @Sendable () throws -> Secret?, now: @escaping @Sendable () -> Date) {
    self.http = http
    self.secret = secret
    self.now = now
  }

  /// A token that the server probably accepts.
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

  /// The server refused a token. One that came since then stays.
  func refused(_ token: Secret) {
    if held?.tokens.accessToken == token.reveal() { held = nil }
  }

  private func renewed() async throws -> SmartlingMessages.Tokens {
    if let held, now() < held.refreshUntil {
      self.held = nil
      let request = try VendorHTTP.Request(
        "POST", ["auth-api", "v2", "authenticate", "refresh"],
        json: SmartlingMessages.Refresh(refreshToken: held.tokens.refreshToken), isRepeatable: true)
      // A session ends after some hours, regardless of its tokens.
      let response = try await http.send(request, accepting: [400, 401])
      if response.head.isSuccess {
        return try http.decode(response, request, as: SmartlingMessages.Answer<SmartlingMessages.Tokens>.self)
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
    return try await http.json(request, as: SmartlingMessages.Answer<SmartlingMessages.Tokens>.self).response.data
  }
}
