package import Localization

/// The credentials for an HTTP(S) server.
package struct GitCredentials: Hashable, Sendable {
  /// The user name; `nil` if the secret is a bearer token.
  package var user: String?
  package var secret: Secret

  package init(user: String?, secret: Secret) {
    self.user = user
    self.secret = secret
  }

  /// Parses the value of an environment variable or a file: `user:password`, a token alone, or `Bearer` and a token. A token alone gets the user name
  /// that forges expect with tokens. Whitespace at the start and end, such as a file's last newline, is removed.
  package init(_ value: Secret) {
    let text = String(value.reveal().drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if let token = Self.bearerToken(in: text) {
      self.init(user: nil, secret: Secret(token))
    } else if let colon = text.firstIndex(of: ":") {
      self.init(user: String(text[..<colon]), secret: Secret(String(text[text.index(after: colon)...])))
    } else {
      self.init(user: "x-access-token", secret: Secret(text))
    }
  }

  /// Returns the token of a text of the form `Bearer TOKEN`; `nil` for any other text. `Bearer` may be in any case.
  private static func bearerToken(in text: String) -> String? {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
