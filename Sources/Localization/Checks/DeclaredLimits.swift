/// The limits that the comment of a text sets for its translations: their maximum length, and words that must stay unchanged.
///
///     dragoman:max-length 20
///     dragoman:keep Dragoman, Swift
///
/// Phrases such as “at most 20 characters” and “max. length: 20 characters” are recognized too.
package struct DeclaredLimits: Hashable, Sendable {
  /// The maximum length in user-perceived characters; `nil` if the comment sets no limit.
  package var maxLength: Int?
  /// The words that translations must keep, in the order of the comment.
  package var kept: [String] = []

  private static let lengthMark = "dragoman:max-length"
  private static let keepMark = "dragoman:keep"
  /// The maximum size in bytes of a comment from which limits are read.
  private static let mostBytes = 1 << 16
  private static let lengths = 1...100_000

  package init(maxLength: Int? = nil, kept: [String] = []) {
    self.maxLength = maxLength
    self.kept = kept
  }

  package init(comment: String) {
    guard comment.utf8.count <= Self.mostBytes, Self.maySay(comment) else { return }
    for line in comment.split(whereSeparator: \.isNewline) {
      if let range = line.firstRange(of: Self.lengthMark) {
        let number = line[range.upperBound...].drop { $0 == " " || $0 == ":" }.prefix { $0.isASCII && $0.isNumber }
        note(Int(number))
      } else if let range = line.firstRange(of: Self.keepMark) {
        kept += line[range.upperBound...].drop { $0 == ":" }.split(separator: ",").map { String($0).trimmedWhitespace }
          .filter { !$0.isEmpty }
      } else {
        note(Self.lengthInWords(line))
      }
    }
  }

  /// Returns the maximum length that a comment declares; `nil` if the comment declares none, or if a source text is longer. In the second case, the
  /// comment is about something else, or the source text is wrong; `check` reports such a source text.
  package static func maxLength(in comment: String?, of sources: some Sequence<String>) -> Int? {
    // Every declaration of a length contains a number, and few comments do.
    guard let comment, Self.hasDigit(comment), let limit = DeclaredLimits(comment: comment).maxLength,
      sources.allSatisfy({ length(of: $0) <= limit })
    else { return nil }
    return limit
  }

  /// Returns whether a comment can declare a limit: a length contains a digit, and `dragoman:keep` contains a colon. Most comments contain neither.
  private static func maySay(_ comment: String) -> Bool {
    hasDigit(comment) || comment.utf8.contains(UInt8(ascii: ":")) && comment.contains(keepMark)
  }

  private static func hasDigit(_ comment: String) -> Bool { comment.utf8.contains { (0x30...0x39).contains($0) } }

  /// Returns whether a line contains `dragoman:max-length` or `dragoman:keep`. Such a line is not an explanation for translators.
  package static func isDeclaration(_ line: some StringProtocol) -> Bool {
    line.utf8.contains(UInt8(ascii: ":")) && (line.contains(lengthMark) || line.contains(keepMark))
  }

  /// Sets the maximum length, unless a smaller one is already set. Ignores a length outside `lengths`.
  private mutating func note(_ length: Int?) {
    guard let length, Self.lengths.contains(length) else { return }
    maxLength = min(maxLength ?? length, length)
  }

  /// Reads the smallest maximum length from the phrases of a line: “max. 20 characters”, “at most 20 chars”, “20 characters max”, “limit: 20
  /// characters”. Returns `nil` if there is no such phrase.
  private static func lengthInWords(_ line: Substring) -> Int? {
    let words = line.lowercased().split { !($0.isLetter || $0.isNumber) }
    let units: Set<Substring> = ["character", "characters", "char", "chars"]
    let limits: Set<Substring> = ["max", "maximum", "most", "limit", "limited"]
    return words.indices.dropLast().compactMap { index -> Int? in
      guard let number = Int(words[index]), units.contains(words[index + 1]) else { return nil }
      let before = words[max(0, index - 3)..<index]
      let after = words.dropFirst(index + 2).prefix(1)
      return before.contains { limits.contains($0) } || after.contains { limits.contains($0) } ? number : nil
    }.min()
  }

  /// Returns the number of characters of a text. Placeholders are not counted because their values are unknown, and direction marks are not
  /// counted because they are invisible.
  package static func length(of text: String) -> Int {
    FormatString(text).parts.reduce(0) { sum, part in
      switch part {
      case .literal(let text):
        sum + String(String.UnicodeScalarView(text.unicodeScalars.filter { !isDirectionMark($0) })).count
      case .escapedPercent: sum + 1
      default: sum
      }
    }
  }

  private static func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  fileprivate var trimmedWhitespace: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
