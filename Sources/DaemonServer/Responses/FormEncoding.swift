internal import Foundation

/// A decoder for `application/x-www-form-urlencoded`, the encoding of queries and of the bodies of forms.
enum FormEncoding {
  /// Returns the names and values, in order. A name may be repeated.
  /// - Returns: `nil` if the text is not encoded correctly or contains a null character.
  static func pairs(of text: String) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = parts.count > 1 ? decoded(parts[1]) : "" else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding.flatMap { $0.contains("\0") ? nil : $0 }
  }
}
