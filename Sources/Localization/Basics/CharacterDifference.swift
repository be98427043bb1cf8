/// Describes a difference between two texts that is easy to overlook: another kind of space, punctuation or symbol, or another Unicode normalization.
package enum CharacterDifference {
  /// Describes how a text differs from the expected text.
  /// - Parameters:
  ///   - text: the text to describe.
  ///   - other: the expected text.
  /// - Returns: a clause such as `it has space (U+0020) in place of no-break space (U+00A0)`; `nil` if the texts are equal, or if they differ in more
  ///   than normalization and have different lengths, differ in letters or digits, or have more than one kind of replacement.
  package static func name(of text: String, from other: String) -> String? {
    guard !text.isExactly(other) else { return nil }
    if text == other { return "it has a different Unicode normalization" }
    let (own, wanted) = (Array(text.unicodeScalars), Array(other.unicodeScalars))
    guard own.count == wanted.count else { return nil }
    var pairs: [(own: Unicode.Scalar, wanted: Unicode.Scalar)] = []
    for (own, wanted) in zip(own, wanted) where own != wanted {
      guard !own.properties.isAlphabetic, !wanted.properties.isAlphabetic, own.properties.numericType == nil,
        wanted.properties.numericType == nil
      else { return nil }
      if !pairs.contains(where: { $0 == (own, wanted) }) { pairs.append((own, wanted)) }
    }
    guard pairs.count == 1, let pair = pairs.first else { return nil }
    return "it has \(code(pair.own)) in place of \(code(pair.wanted))"
  }

  /// Returns a character's Unicode name in lower case with its code, or only the code if the character has no name.
  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return scalar.properties.name.map { "\($0.lowercased()) (\(code))" } ?? code
  }
}
