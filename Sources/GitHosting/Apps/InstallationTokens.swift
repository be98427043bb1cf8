// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
package import HTTPTransport
package import Localization
private import Synchronization
package import TranslationVendors

/// Access tokens of a GitHub app for one repository. A token is valid for an hour and is renewed five minutes before it expires. Concurrent
/// callers share one request.
package actor InstallationTokens: ForgeTokens {
  private struct Token {
    var secret: Secret
    var expiry: Date
  }

  /// The minimum remaining validity of a returned token, in seconds.
  private static let margin: TimeInterval = 300

  private let owner: String
  private let repository: String
  private let api: VendorHTTP
  private let now: @Sendable () -> Date
  private let newest = Mutex<Token?>(nil)
  private var installation: Int?
  private var renewal: Task<Token, any Error>?

  /// - Parameters:
  ///   - app: the app's id or client id.
  ///   - base: the address of GitHub's API.
  ///   - environment: the vendor environment. Its secret is the app's private key, in PEM.
  /// - Throws: an error if the repository's path is not `owner/repository`.
  package init(
    app: String, of place: ForgeRepository, base: HTTPURL, environment: VendorEnvironment,
    paces: RequestPaces = .shared
  ) throws {
    guard place.path.count == 2 else {
      throw VendorError(
        kind: .configuration, operation: "use a GitHub app",
        detail: "the path of repository.url does not have the form owner/repository")
    }
    (owner, repository, now) = (place.path[0], place.path[1], environment.now)
    var signed = environment
    let key = environment.secret
    let clock = environment.now
    signed.secret = {
      try key().map { try Self.webToken(app: app, key: $0, now: Int64(clock().timeIntervalSince1970)) }
    }
    api = VendorHTTP(
      vendor: "github", of: .forge, base: base, authentication: .authorization(scheme: "Bearer"),
      accept: "application/vnd.github+json", pace: PaceSettings(perSecond: 1, burst: 5, concurrent: 1),
      environment: signed, paces: paces)
  }

  package nonisolated var gitUser: String { "x-access-token" }

  package nonisolated var current: Secret? { newest.withLock { $0?.secret } }

  package func token() async throws -> Secret {
    if let known = newest.withLock({ $0 }), known.expiry.timeIntervalSince(now()) > Self.margin { return known.secret }
    // The task is separate from the caller, because another caller may wait for the same request.
    let task = renewal ?? Task { try await self.renew() }
    renewal = task
    defer { if renewal == task { renewal = nil } }
    return try await task.value.secret
  }

  package func forget(_ token: Secret) {
    newest.withLock { if $0?.secret == token { $0 = nil } }
    installation = nil
  }

  private func renew() async throws -> Token {
    do {
      let id: Int
      if let installation {
        id = installation
      } else {
        id = try await api.json(
          VendorHTTP.Request("GET", ["repos", owner, repository, "installation"]), as: Installation.self
        ).id
        installation = id
      }
      let response = try await api.json(
        try VendorHTTP.Request(
          "POST", ["app", "installations", String(id), "access_tokens"], json: Wanted(repositories: [repository]),
          isRepeatable: true), as: TokenResponse.self)
      // If the date cannot be read, the token is assumed to be valid for one hour, as GitHub documents.
      let expiry = try? Date(response.expires_at, strategy: .iso8601)
      let token = Token(secret: Secret(response.token), expiry: expiry ?? now().addingTimeInterval(3600))
      newest.withLock { $0 = token }
      return token
    } catch let error as TransportError {
      installation = nil
      guard case .status(let status) = error.kind, let step = Self.step(after: status) else { throw error }
      throw VendorError(kind: .refused, at: error.operation, detail: "\(error.detail). \(step)")
    }
  }

  private static func step(after status: Int) -> String? {
    switch status {
    case 401:
      "Check deliver.app and deliver.app_key: the key must belong to this app. Also check this machine's clock"
    case 404: "Install the app on the repository, or correct repository.url"
    case 422: "Give the app the permission that it lacks, or include the repository in its installation"
    default: nil
    }
  }

  /// Returns a JSON web token (RFC 7519), signed with the app's key. GitHub allows a lifetime of at most ten minutes, and its clock may be behind
  /// ours.
  static func webToken(app: String, key: Secret, now: Int64) throws -> Secret {
    let header = #"{"alg":"RS256","typ":"JWT"}"#
    let claims = #"{"exp":\#(now + 540),"iat":\#(now - 60),"iss":"\#(app)"}"#
    let content = "\(base64(Array(header.utf8))).\(base64(Array(claims.utf8)))"
    do {
      return Secret("\(content).\(base64(try RSASignature.make(of: Array(content.utf8), key: key)))")
    } catch {
      throw VendorError(
        kind: .refused, operation: "sign in as a GitHub app",
        detail: "\(error) in deliver.app_key. Use the private key that GitHub generated for the app")
    }
  }

  /// Returns Base64 for URLs, without padding (RFC 4648).
  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private struct Installation: Decodable {
    var id: Int
  }

  private struct Wanted: Encodable {
    var repositories: [String]
  }

  private struct TokenResponse: Decodable {
    var token: String
    var expires_at: String
  }
}
