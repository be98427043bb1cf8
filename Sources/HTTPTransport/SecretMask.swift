internal import FoundationEssentials
package import Localization

/// A mask that removes secrets from a server's messages before they are shown or logged, because some servers repeat parts of the request.
///
/// It replaces each secret and each part of `user:password`, also in percent-encoded or Base64 form. Texts of fewer than 4 bytes are not replaced.
package struct SecretMask: Sendable {
  package static let mark = "REDACTED"

  /// The texts to replace, the longest first.
  package let words: [String]

  /// - Parameter whole: secrets that are replaced only as a whole, because a part of them, such as a user name, is not secret.
  package init(_ secrets: [Secret?], whole: [Secret?] = []) {
    var all: Set<String> = []
    let parts = secrets.compactMap { $0?.reveal() }.flatMap { [$0] + $0.split(separator: ":").map(String.init) }
    for part in parts + whole.compactMap({ $0?.reveal() }) where part.utf8.count >= 4 {
      all.formUnion([part, HTTPURL.encode(part), Data(part.utf8).base64EncodedString()])
    }
    words = all.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Returns a text without the secrets. Call this before shortening the text, because a part of a secret is not recognized.
  package func text(_ text: String) -> String {
    words.reduce(text) { $0.contains($1) ? $0.replacing($1, with: Self.mark) : $0 }
  }
}
