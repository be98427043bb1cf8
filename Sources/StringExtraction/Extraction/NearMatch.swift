import Localization
import SwiftLinking

/// A text for comparisons that ignore common differences: the kinds of specifiers, case, white space, and typographic marks.
struct NearMatch {
  private let text: String
  private let withoutSpecifiers: String
  private let folded: String

  init(_ text: String) {
    self.text = text
    withoutSpecifiers = Self.withoutSpecifiers(text)
    folded = Self.folded(withoutSpecifiers)
  }

  /// Returns the kind of difference from a similar text, in the words of a message; `nil` if the other text is the same or not similar.
  func difference(from other: String) -> String? {
    guard !other.isExactly(text) else { return nil }
    let plain = Self.withoutSpecifiers(other)
    if plain.isExactly(withoutSpecifiers) { return "other specifiers" }
    let otherFolded = Self.folded(plain)
    guard otherFolded.isExactly(folded), !folded.isEmpty else { return nil }
    return plain.lowercased() == withoutSpecifiers.lowercased() ? "other case" : "other spaces or marks"
  }

  /// Replaces every specifier, and every interpolation (`\(…)`), with the same mark.
  private static func withoutSpecifiers(_ text: String) -> String {
    KeyRendering.skeleton(ofKey: text.replacing("\\(…)", with: "\u{1}"))
  }

  private static func folded(_ text: String) -> String {
    let marks: [Character: Character] = ["’": "'", "‘": "'", "“": "\"", "”": "\"", "–": "-", "—": "-", "\u{A0}": " "]
    let plain = String(text.replacing("…", with: "...").map { marks[$0] ?? $0 }).lowercased()
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
