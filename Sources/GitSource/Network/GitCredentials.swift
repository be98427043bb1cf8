package import Localization

/// The credentials for an HTTP(S) server.
package struct GitCredentials: Hashable, Sendable {
  package var user: String
  package var secret: Secret

  package init(user: String, secret: Secret) {
    self.user = user
    self.secret = secret
  }

  /// Parses the value of an environment variable or a file: `user:password`, or only a token. A token gets the user name that forges
  /// expect with tokens. Whitespace at the start and end, such as the newline of a file, is removed.
  package init(_ value: Secret) {
    let text = String(value.reveal().drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if let colon = text.firstIndex(of: ":") {
      self.init(user: String(text[..<colon]), secret: Secret(String(text[text.index(after: colon)...])))
    } else {
      self.init(user: "x-access-token", secret: Secret(text))
    }
  }
}
