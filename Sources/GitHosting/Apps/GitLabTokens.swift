// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
package import HTTPTransport
package import Localization
private import Synchronization
package import TranslationVendors

/// Access tokens of an OAuth application on GitLab. A token is valid for two hours, and is renewed before it expires.
///
/// GitLab replaces the refresh token at each renewal and no longer accepts the previous one. Therefore the new refresh token is stored on disk before
/// the new access token is used (``KeptTokens``). Concurrent callers share one request, as do all pipelines and processes with the same folder,
/// application and first refresh token.
package actor GitLabTokens: ForgeTokens {
  /// The time, in seconds, before its expiry at which a token is renewed. For a lifetime of less than 20 minutes, it is a quarter of the lifetime.
  private static let margin: TimeInterval = 300
  /// The lifetime of a token, in seconds, according to GitLab's documentation. It is used if a response does not contain the lifetime.
  private static let usualLifetime: TimeInterval = 7200

  private static let operation = "renew the GitLab token"

  private let client: String
  private let clientSecret: @Sendable () throws -> Secret?
  private let firstToken: @Sendable () throws -> Secret?
  private let server: HTTPURL
  private let folder: String
  private let api: VendorHTTP
  private let environment: VendorEnvironment
  private let newest = Mutex<KeptTokens.State?>(nil)
  private var refused: Set<Secret> = []
  private var renewal: Task<KeptTokens.State, any Error>?

  /// - Parameters:
  ///   - client: the application's id.
  ///   - secret: the application's secret; `nil` for a non-confidential application.
  ///   - refreshToken: the first refresh token from GitLab. The newest refresh token is in the folder.
  ///   - server: GitLab's address, without `/api/v4`.
  ///   - folder: the folder that stores the tokens. It is created if missing.
  package init(
    client: String, secret: @escaping @Sendable () throws -> Secret?,
    refreshToken: @escaping @Sendable () throws -> Secret?, server: HTTPURL, folder: String,
    environment: VendorEnvironment, paces: RequestPaces = .shared
  ) {
    self.client = client
    clientSecret = secret
    firstToken = refreshToken
    self.server = server
    self.folder = folder
    self.environment = environment
    var plain = environment
    plain.secret = { nil }
    api = VendorHTTP(
      vendor: "gitlab", of: .forge, base: server, authentication: .none,
      pace: PaceSettings(perSecond: 1, burst: 5, concurrent: 1), environment: plain, paces: paces)
  }

  package nonisolated var gitUser: String { "oauth2" }

  package nonisolated var current: Secret? { newest.withLock { $0?.access } }

  package func token() async throws -> Secret {
    if let known = newest.withLock({ $0 }), let access = usable(known) { return access }
    // The task is separate from the caller, because another caller may wait for the same request.
    let task = renewal ?? Task { try await self.renew() }
    renewal = task
    defer { if renewal == task { renewal = nil } }
    guard let access = try await task.value.access else { throw fault("GitLab's response has no access token") }
    return access
  }

  package func forget(_ token: Secret) { refused.insert(token) }

  /// Returns the access token if it need not be renewed yet and was not refused; otherwise `nil`.
  private func usable(_ state: KeptTokens.State) -> Secret? {
    guard let access = state.access, !refused.contains(access), state.renewal > environment.now() else { return nil }
    return access
  }

  private func renew() async throws -> KeptTokens.State {
    guard let first = try firstToken(), Self.isToken(first.reveal()) else {
      throw fault("deliver.oauth_refresh_token does not contain a token")
    }
    let kept = KeptTokens(folder: folder, server: server.text, client: client, first: first)
    // Only one pipeline or process with the same token can renew it at a time; the others wait for the lock.
    let lock = try await kept.lock(sleep: environment.sleep)
    defer { withExtendedLifetime(lock) {} }
    var state = try await kept.read() ?? KeptTokens.State(refresh: first)
    if usable(state) == nil {
      // The secret is read before the request is recorded, because without it no request is sent.
      let secret = try clientSecret()
      let earlier = state.askedAt
      state.askedAt = earlier ?? environment.now()
      try await kept.write(state)
      do {
        state = try await ask(with: state.refresh, secret, earlier: earlier)
      } catch  where Self.isRefusal(error) {
        // The server refused the request, so it has issued no new tokens.
        state.askedAt = earlier
        try await kept.write(state)
        throw error
      }
      do { try await kept.write(state) } catch {
        throw fault(
          "GitLab replaced the refresh token, and the new one could not be stored: \(error). Make \(folder) writable. "
            + "The old token is no longer valid: authorize the application again, and replace deliver.oauth_refresh_token"
        )
      }
    }
    refused = refused.filter { $0 == state.access }
    newest.withLock { $0 = state }
    return state
  }

  /// Requests new tokens from GitLab.
  /// - Parameter earlier: the time of an earlier request whose response was not stored; `nil` if there was none.
  /// - Throws: an error that `isRefusal` recognizes if the server refused the request. After any other error, the server may have replaced the
  ///   token.
  private func ask(with refresh: Secret, _ secret: Secret?, earlier: Date?) async throws -> KeptTokens.State {
    var fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.reveal()), ("client_id", client)]
    if let secret { fields.append(("client_secret", secret.reveal())) }
    var api = api
    api.moreSecrets = [refresh] + (secret.map { [$0] } ?? [])
    let form = fields.map { "\(HTTPURL.encode($0.0))=\(HTTPURL.encode($0.1))" }.joined(separator: "&")
    // If no response arrives, the next call uses the same token again, because there is no other token. If the server then refuses this token, it
    // probably sent a new token in the lost response. The error message says so.
    let request = VendorHTTP.Request(
      "POST", ["oauth", "token"], headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: .bytes(Array(form.utf8)), isRepeatable: false, responseLimit: 1 << 16)
    let response = try await api.send(request, accepting: [400, 401])
    guard response.head.isSuccess else {
      let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.body))
      throw self.refusal(api.redacted(refusal?.error ?? "status \(response.status)"), earlier: earlier)
    }
    let tokens = try api.decode(response, request, as: TokenResponse.self)
    guard Self.isToken(tokens.access_token), Self.isToken(tokens.refresh_token) else {
      throw VendorError(kind: .protocolFault, operation: Self.operation, detail: "GitLab's response contains no tokens")
    }
    let lifetime = min(max(tokens.expires_in ?? Self.usualLifetime, 0), 365 * 86400)
    return KeptTokens.State(
      refresh: Secret(tokens.refresh_token), access: Secret(tokens.access_token),
      renewal: environment.now().addingTimeInterval(lifetime - min(Self.margin, lifetime / 4)))
  }

  private func refusal(_ code: String, earlier: Date?) -> VendorError {
    switch code {
    case "invalid_grant":
      let lost = earlier.map {
        " The response to a request at \($0.formatted(.iso8601)) was not stored; GitLab probably replaced the token then."
      }
      return fault(
        "GitLab no longer accepts the refresh token.\(lost ?? "") Authorize the application again, and replace "
          + "deliver.oauth_refresh_token")
    case "invalid_client", "unauthorized_client":
      return fault("GitLab does not recognize the application. Check deliver.oauth_client and deliver.oauth_secret")
    default:
      return fault("GitLab refused: \(String(code.prefix(100)).withVisibleControls)")
    }
  }

  private func fault(_ detail: String) -> VendorError {
    VendorError(kind: .refused, operation: Self.operation, detail: detail)
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    if let error = error as? VendorError { return error.kind == .refused }
    guard let error = error as? TransportError, case .status(let status) = error.kind else { return false }
    return (400..<500).contains(status)
  }

  /// Returns whether a text can be sent as a token in a header.
  private static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private struct TokenResponse: Decodable {
    var access_token: String
    var refresh_token: String
    var expires_in: TimeInterval?
  }

  private struct Refusal: Decodable {
    var error: String
  }
}
