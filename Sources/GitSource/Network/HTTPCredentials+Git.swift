import HTTPTransport
import Localization

extension HTTPCredentials {
  /// - Parameters:
  ///   - user: `nil`: the secret is a bearer token.
  ///   - secret: `nil`: there are no credentials.
  init(user: String?, secret: Secret?) {
    guard let secret else {
      self = .none
      return
    }
    self = user.map { .basic(user: $0, password: secret) } ?? .bearer(secret)
  }
}
