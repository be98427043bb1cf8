internal import Daemon
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import Pipeline

/// A check that identifies the sender of a request by the request's token. Tokens are read at each request, so a removed token is refused
/// immediately.
struct AccessGate: Sendable {
  let daemon: RunningDaemon

  /// Returns the sender of a request. The name is empty if no token is needed.
  /// - Parameter role: the role that the request needs; `nil` if no token is needed.
  /// - Throws: `APIProblem` if the request has no valid token, or if the token's role is not sufficient.
  func actor(of request: Request, for role: Role?) async throws -> Actor {
    guard let role else { return Actor(name: "", way: .api) }
    guard let token = try await token(of: request) else {
      throw APIProblem(
        .unauthorized, "token", "send a valid token as Authorization: Bearer TOKEN; `dragoman tokens add` makes one")
    }
    guard token.role >= role else {
      throw APIProblem(
        .forbidden, "role", "this needs the role \(role.rawValue), and the token has \(token.role.rawValue)")
    }
    return Actor(name: token.name, way: .api)
  }

  /// Returns the token of a request; `nil` if the request has no token or an unknown token.
  func token(of request: Request) async throws -> APIToken? {
    guard let field = request.headers[.authorization], field.utf8.count < 300 else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return try await token(String(parts[1]))
  }

  /// Returns the token with the given text; `nil` if no token has this text. The hash of the text is compared with the hashes of all tokens. The time
  /// that a comparison takes does not depend on the position of the first difference.
  func token(_ text: String) async throws -> APIToken? {
    let hash = Array(APIToken.hash(of: text).utf8)
    var found: APIToken?
    for token in try await daemon.people.tokens() where HMAC.areEqual(Array(token.hash.utf8), hash) { found = token }
    return found
  }
}
