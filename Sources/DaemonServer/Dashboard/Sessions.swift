internal import Dashboard
internal import Foundation
internal import Localization
internal import Pipeline
private import Synchronization

/// The sessions of people who are signed in to the dashboard. Sessions are only in memory, so a restart ends them. A session also ends when its token
/// is removed.
final class Sessions: Sendable {
  private struct Session {
    var tokenName: String
    var tokenHash: String
    var formToken: String
    var used: Date
  }

  /// The maximum number of sessions. A further session replaces the least recently used session.
  private static let most = 1000
  /// The lifetime of a session without requests, in seconds.
  static let idle = 12 * 3600.0

  private let sessions = Mutex<[String: Session]>([:])
  /// The key for the form tokens of people who signed in at a proxy.
  private let key = Sessions.randomBytes()

  private static func randomBytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Begins a session.
  /// - Returns: the value of the cookie. Only its digest is stored.
  func begin(with token: APIToken, now: Date) -> String {
    let cookie = Self.randomBytes().hexadecimal
    let session = Session(
      tokenName: token.name, tokenHash: token.hash, formToken: Self.randomBytes().hexadecimal, used: now)
    sessions.withLock { sessions in
      sessions = sessions.filter { now.timeIntervalSince($0.value.used) < Self.idle }
      if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value.used < $1.value.used }) {
        sessions[oldest.key] = nil
      }
      sessions[APIToken.hash(of: cookie)] = session
    }
    return cookie
  }

  /// Returns the viewer of a session.
  /// - Parameters:
  ///   - tokens: the valid tokens.
  ///   - isUse: whether a request has just arrived, which restarts the idle time.
  /// - Returns: `nil` if the session does not exist or has expired, or if its token was removed.
  func viewer(of cookie: String, tokens: [APIToken], now: Date, isUse: Bool = true) -> DashboardViewer? {
    let name = APIToken.hash(of: cookie)
    return sessions.withLock { sessions in
      guard let session = sessions[name], now.timeIntervalSince(session.used) < Self.idle,
        let token = tokens.first(where: { $0.name == session.tokenName && $0.hash == session.tokenHash })
      else {
        sessions[name] = nil
        return nil
      }
      if isUse { sessions[name]?.used = now }
      return DashboardViewer(name: token.name, role: token.role, formToken: session.formToken)
    }
  }

  func end(_ cookie: String) { sessions.withLock { $0[APIToken.hash(of: cookie)] = nil } }

  /// Returns the viewer for a person who signed in at a declared proxy.
  func proxied(_ name: String, role: Role) -> DashboardViewer {
    DashboardViewer(
      name: name, role: role, formToken: HMAC.sha256(key: key, Array("form \(name)".utf8)).hexadecimal, isProxied: true)
  }
}
