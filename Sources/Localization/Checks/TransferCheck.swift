/// Finds damage that a vendor's system did to a returned text: trimmed white space, escaped characters, typographic quotes in markup and
/// placeholders, and added direction marks or control characters. The translation may be right, but people would see the damage.
package enum TransferCheck {
  /// The repairs that a pipeline can turn on for a vendor.
  package enum Repair: String, Hashable, Sendable, CaseIterable {
    /// Restores lost white space at the beginning and the end.
    case spaces
    /// Unescapes escaped characters once.
    case escapes
    /// Replaces typographic quotes in tags and placeholders with straight quotes.
    case quotes
    /// Removes unwanted direction marks. If the translation has marks that the source text lacks, also removes all marks inside placeholders.
    case marks
  }

  /// Returns a message about the first kind of damage to a translation; `nil` if there is none.
  package static func fault(
    of translation: String, against source: String, in language: LocaleIdentifier
  ) -> String? {
    if let control = ControlCharacters.first(in: translation, notIn: source) {
      return "it has the control character \(control)"
    }
    for repair in Repair.allCases {
      let repaired = apply(repair, to: translation, source, language)
      guard !repaired.isExactly(translation) else { continue }
      switch repair {
      case .spaces: return "white space at its beginning or end was lost"
      case .escapes: return "it has escaped characters that the source text does not have, such as &amp; or \\n"
      case .quotes: return "the quotes in a tag or placeholder of the source text have become typographic"
      case .marks: return "it has unwanted direction marks"
      }
    }
    return nil
  }

  /// Returns the translation after the given repairs.
  package static func repaired(
    _ translation: String, of source: String, in language: LocaleIdentifier, by repairs: Set<Repair>
  ) -> String {
    Repair.allCases.filter(repairs.contains).reduce(translation) { apply($1, to: $0, source, language) }
  }

  private static func apply(
    _ repair: Repair, to text: String, _ source: String, _ language: LocaleIdentifier
  ) -> String {
    guard !text.isEmpty, !text.isExactly(source) else { return text }
    return switch repair {
    case .spaces: TextEdges.restored(text, source, isSpaced: !unspaced.contains(language.language))
    case .escapes: EscapedText.unescaped(text, source)
    case .quotes: MachineQuotes.straightened(text, source)
    case .marks: DirectionMarks.removed(text, source, isRightToLeft: language.isRightToLeft)
    }
  }

  /// Languages without spaces between words. Their translators rightly omit spaces around a text.
  private static let unspaced: Set = ["ja", "zh", "yue", "wuu", "th", "lo", "km", "my", "bo", "dz"]
}

private enum TextEdges {
  static func restored(_ text: String, _ source: String, isSpaced: Bool) -> String {
    guard source.first?.isWhitespace == true || source.last?.isWhitespace == true,
      text.contains(where: { !$0.isWhitespace }), source.contains(where: { !$0.isWhitespace })
    else { return text }
    var result = text[...]
    let begin = source.prefix { $0.isWhitespace }
    if isLost(text.prefix { $0.isWhitespace }, begin, isSpaced) { result = begin + result.drop { $0.isWhitespace } }
    let end = source.suffix(source.reversed().prefix { $0.isWhitespace }.count)
    let own = result.reversed().prefix { $0.isWhitespace }.count
    if isLost(result.suffix(own), end, isSpaced) { result = result.dropLast(own) + end }
    return String(result)
  }

  private static func isLost(_ own: Substring, _ wanted: Substring, _ isSpaced: Bool) -> Bool {
    if wanted.contains(where: \.isNewline) { return !own.contains(where: \.isNewline) }
    return isSpaced && !wanted.isEmpty && own.isEmpty
  }
}

private enum EscapedText {
  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "mdash": "—",
    "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
  ]
  private static let controls: [Character: String] = [
    "n": "\n", "t": "\t", "r": "\r", "\"": "\"", "'": "'", "\\": "\\",
  ]

  static func unescaped(_ text: String, _ source: String) -> String {
    var result = text
    if text.utf8.contains(UInt8(ascii: "&")), decoded(source).isExactly(source) { result = decoded(result) }
    if text.utf8.contains(UInt8(ascii: "\\")), !source.utf8.contains(UInt8(ascii: "\\")) {
      result = withoutBackslashes(result)
    }
    return result
  }

  private static func decoded(_ text: String) -> String {
    text.replacing(/&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,6});/) { match in
      let name = String(match.1)
      guard name.hasPrefix("#") else { return entities[name] ?? String(match.0) }
      let isHex = name.dropFirst().first?.lowercased() == "x"
      let number = isHex ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
    }
  }

  private static func withoutBackslashes(_ text: String) -> String {
    text.replacing(/\\(?:[uU]([0-9a-fA-F]{4})|(["'\\nrt]))/) { match in
      if let code = match.1 {
        return UInt32(code, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
      }
      return match.2?.first.flatMap { controls[$0] } ?? String(match.0)
    }
  }
}

private enum MachineQuotes {
  private static let pairs: [Character: Character] = [
    "“": "\"", "”": "\"", "„": "\"", "‟": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'", "‚": "'", "‛": "'",
  ]

  static func straightened(_ text: String, _ source: String) -> String {
    var result = text
    if source.utf8.contains(UInt8(ascii: "<")), text.utf8.contains(UInt8(ascii: "<")) {
      let own = source.matches(of: /<[A-Za-z][^<>]*>/).map { String($0.output) }
      if own.contains(where: { $0.contains("\"") || $0.contains("'") }),
        !own.contains(where: { $0.contains(where: { pairs[$0] != nil }) })
      {
        result = result.replacing(/<[A-Za-z][^<>]*>/) { String($0.output.map { pairs[$0] ?? $0 }) }
      }
    }
    // A quote in a placeholder is the flag for grouping digits.
    if source.utf8.contains(UInt8(ascii: "'")), source.firstMatch(of: /%(?:[0-9]+\$)?'/) != nil {
      result = result.replacing(/%([0-9]+\$)?[‘’](?=[0-9.]*(?:hh?|ll?|q|z|t|j)?[diuf])/) { "%\($0.1 ?? "")'" }
    }
    return result
  }
}

private enum DirectionMarks {
  private static let opening: Set<Unicode.Scalar> = [
    "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
  ]
  private static let closing: Set<Unicode.Scalar> = ["\u{202C}", "\u{2069}"]
  private static let overrides: Set<Unicode.Scalar> = ["\u{202D}", "\u{202E}"]
  private static let rightToLeft: Set<Unicode.Scalar> = ["\u{200F}", "\u{061C}", "\u{202B}", "\u{2067}", "\u{202E}"]
  private static let single: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{061C}"]

  static func removed(_ text: String, _ source: String, isRightToLeft: Bool) -> String {
    guard text.utf8.contains(where: { $0 == 0xE2 || $0 == 0xD8 }) else { return text }
    let own = Set(source.unicodeScalars)
    let found = Set(text.unicodeScalars).filter { isMark($0) && !own.contains($0) }
    guard !found.isEmpty else { return text }
    var unwanted = !isRightToLeft && !found.isDisjoint(with: rightToLeft) ? found : found.intersection(overrides)
    if !unwanted.isEmpty || !isBalanced(text) { unwanted.formUnion(found.subtracting(single)) }
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.filter { !unwanted.contains($0) }))
    return withoutMarksInPlaceholders(kept)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    single.contains(scalar) || opening.contains(scalar) || closing.contains(scalar)
  }

  private static func isBalanced(_ text: String) -> Bool {
    var open: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if opening.contains(scalar) { open.append(scalar) }
      guard closing.contains(scalar) else { continue }
      guard let last = open.popLast(), (scalar == "\u{2069}") == (last.value >= 0x2066) else { return false }
    }
    return open.isEmpty
  }

  /// Removes marks between a percent sign and its conversion letter.
  private static func withoutMarksInPlaceholders(_ text: String) -> String {
    text.replacing(/%[0-9$.#@'+\-\x{200E}\x{200F}\x{061C}\x{202A}-\x{202E}\x{2066}-\x{2069}]*[a-zA-Z@]/) { match in
      String(String.UnicodeScalarView(match.output.unicodeScalars.filter { !isMark($0) }))
    }
  }
}
