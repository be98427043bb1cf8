internal import FoundationEssentials
package import Localization

/// Removes secrets from a server's messages before they are shown or logged: some servers repeat the request.
///
/// It replaces each secret and each part of `user:password`, also percent-encoded and in Base64.
package struct SecretMask: Sendable {
  package static let mark = "REDACTED"

  /// The texts that are replaced, longest first.
  package let words: [String]

  /// - Parameter whole: secrets whose parts are not secret, such as a user name before a password.
  package init(_ secrets: [Secret?], whole: [Secret?] = []) {
    var all: Set<String> = []
    let parts = secrets.compactMap { $0?.reveal() }.flatMap { [$0] + $0.split(separator: ":").map(String.init) }
    for part in parts + whole.compactMap({ $0?.reveal() }) where part.utf8.count >= 4 {
      all.formUnion([part, HTTPURL.encode(part), Data(part.utf8).base64EncodedString()])
    }
    words = all.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Returns a text without the secrets. Call it before the text is shortened, because a part of a secret is not recognized.
  package func text(_ text: String) -> String {
    words.reduce(text) { $0.contains($1) ? $0.replacing($1, with: Self.mark) : $0 }
  }
}
