package import Localization

/// Who we are to a server over HTTP(S).
package struct GitCredentials: Hashable, Sendable {
  package var user: String
  package var secret: Secret

  package init(user: String, secret: Secret) {
    self.user = user
    self.secret = secret
  }

  /// What an environment variable or a file says: `user:password`, or a token alone, for the user that forges take tokens from.
  /// A trailing newline, as files have one, is no part of it.
  package init(_ value: Secret) {
    let text = String(value.reveal().drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if let colon = text.firstIndex(of: ":") {
      self.init(user: String(text[..<colon]), secret: Secret(String(text[text.index(after: colon)...])))
    } else {
      self.init(user: "x-access-token", secret: Secret(text))
    }
  }
}
