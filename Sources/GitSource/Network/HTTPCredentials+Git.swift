import HTTPTransport
import Localization

extension HTTPCredentials {
  /// - Parameters:
  ///   - user: the user name; `nil` if the secret is a bearer token.
  ///   - secret: the password or token; `nil` for no credentials.
  init(user: String?, secret: Secret?) {
    guard let secret else {
      self = .none
      return
    }
    self = user.map { .basic(user: $0, password: secret) } ?? .bearer(secret)
  }
}
