/// A style of pseudo-localization, like one of Xcode's pseudolanguages.
package enum PseudoStyle: String, Hashable, Sendable, CaseIterable {
  /// Every Latin letter gets an accent: `Ĥéłļó`.
  case accented
  /// Vowels are doubled. The text gets about a third longer, like many translations.
  case lengthened
  /// The words are repeated at the end of the text, without the placeholders.
  case doubleLength = "double-length"
  /// The text runs from right to left.
  case rightToLeft = "right-to-left"
  /// The text is enclosed in `[#` and `#]`, which makes truncation visible.
  case bounded

  /// Returns the text with the changes of these styles. The placeholders, tags and destinations of links stay the same, in the same order.
  package static func apply(_ styles: Set<PseudoStyle>, to text: String) -> String {
    let pieces = PseudoScanner.pieces(of: text)
    var result = pieces.map { piece in
      switch piece {
      case .fixed(let text): text
      case .words(let words): change(words, styles)
      }
    }.joined()
    let bare = pieces.compactMap { piece in
      if case .words(let words) = piece { return change(words, styles) }
      return nil
    }.joined()
    if styles.contains(.doubleLength), bare.unicodeScalars.contains(where: \.properties.isAlphabetic) {
      result += " " + String(bare.drop { $0.isWhitespace })
    }
    if styles.contains(.bounded), !text.isEmpty { result = "[# \(result) #]" }
    // Each line gets its own right-to-left override (U+202E) and the character that ends it (U+202C), because a line break ends an override.
    if styles.contains(.rightToLeft), !text.isEmpty {
      result = result.split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.isEmpty ? "" : "\u{202E}\($0)\u{202C}"
      }.joined(separator: "\n")
    }
    return result
  }

  private static func change(_ words: String, _ styles: Set<PseudoStyle>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in words.unicodeScalars {
      let changed = styles.contains(.accented) ? accents[scalar] ?? scalar : scalar
      result.append(changed)
      if styles.contains(.lengthened), "aeiouAEIOU".unicodeScalars.contains(scalar) { result.append(changed) }
    }
    return String(result)
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "áƀçðéƒĝĥíĵķļɱñóþǫŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ".unicodeScalars))
}
