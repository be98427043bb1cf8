internal import Localization

/// A scanner that splits a text into parts that a translator may change and parts that must not change.
struct PseudoScanner {
  enum Piece: Equatable {
    case words(String)
    /// A part that must not change: a placeholder, a tag, a link's destination, an entity, an escape or code.
    case fixed(String)

    var text: String {
      switch self {
      case .words(let text), .fixed(let text): text
      }
    }
  }

  private let text: [Unicode.Scalar]
  /// The ends of placeholders by their starts, as indices of ``text``.
  private let placeholders: [Int: Int]
  private var at = 0
  private var pieces: [Piece] = []
  private var words = ""

  /// Whether an inflected part such as `^[two birds](inflect: true)` stays unchanged, including its words.
  private let keepsInflected: Bool

  /// Splits a text into pieces.
  /// - Parameter keepsInflected: whether an inflected part stays unchanged. If not, its words may be changed, and only the markup around
  ///   them stays.
  static func pieces(of text: String, keepsInflected: Bool = true) -> [Piece] {
    var scanner = PseudoScanner(text, keepsInflected: keepsInflected)
    return scanner.scan()
  }

  private init(_ text: String, keepsInflected: Bool) {
    self.keepsInflected = keepsInflected
    self.text = Array(text.unicodeScalars)
    // Placeholders are recognized in the same way as in the checks of returned texts. For example, "50% off" has no placeholder.
    var (start, found): (Int, [Int: Int]) = (0, [:])
    for part in FormatString(text).parts {
      let end = start + part.text.unicodeScalars.count
      switch part {
      case .literal, .name: break
      case .escapedPercent, .substitutionArgument, .reference, .specifier: found[start] = end
      }
      start = end
    }
    placeholders = found
  }

  private mutating func scan() -> [Piece] {
    while at < text.count {
      if let end = fixedEnd() {
        flush()
        pieces.append(.fixed(string(at..<end)))
        at = end
      } else {
        words.unicodeScalars.append(text[at])
        at += 1
      }
    }
    flush()
    return pieces
  }

  private mutating func flush() {
    if !words.isEmpty { pieces.append(.words(words)) }
    words = ""
  }

  private func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(text[range])) }

  /// Returns the end of the unchangeable part that starts at the current position; `nil` if no such part starts there.
  private func fixedEnd() -> Int? {
    switch text[at] {
    case "%": return placeholders[at]
    case "$": return peek(1) == "{" ? find("}", from: at + 2).map { $0 + 1 } : nil
    case "^": return peek(1) == "[" ? inflectionEnd() : nil
    case "]": return peek(1) == "(" ? closing("(", ")", from: at + 1) : nil
    case "<": return tagEnd()
    case "&": return entityEnd()
    case "\\": return at + 1 < text.count ? at + 2 : nil
    case "`": return find("`", from: at + 1).map { $0 + 1 }
    case "h": return addressEnd()
    default: return nil
    }
  }

  private func peek(_ offset: Int) -> Unicode.Scalar? { at + offset < text.count ? text[at + offset] : nil }

  private func find(_ scalar: Unicode.Scalar, from start: Int) -> Int? {
    start <= text.count ? text[start...].firstIndex(of: scalar) : nil
  }

  private func starts(_ word: String, at start: Int) -> Bool {
    text[min(start, text.count)...].starts(with: word.unicodeScalars)
  }

  /// Returns the index after the bracket that closes the bracket at `start`. Nested brackets are counted. The result is `nil` if there is no such
  /// bracket.
  private func closing(_ open: Unicode.Scalar, _ close: Unicode.Scalar, from start: Int) -> Int? {
    var depth = 0
    for index in start..<text.count {
      if text[index] == open { depth += 1 }
      if text[index] == close {
        depth -= 1
        if depth == 0 { return index + 1 }
      }
    }
    return nil
  }

  /// Returns the end of `^[two birds](inflect: true)`, whose words Foundation inflects, or only the end of `^[` if the words may be changed; `nil` if
  /// no such part starts here.
  private func inflectionEnd() -> Int? {
    guard let words = closing("[", "]", from: at + 1), words < text.count, text[words] == "(" else { return nil }
    guard let end = closing("(", ")", from: words) else { return nil }
    // The remaining markup, `](inflect: true)`, is recognized later, like the end of a link.
    return keepsInflected ? end : at + 2
  }

  private func tagEnd() -> Int? {
    guard let next = peek(1), next == "/" || isLetter(next), let end = find(">", from: at + 1) else { return nil }
    return end + 1
  }

  private func entityEnd() -> Int? {
    guard let end = find(";", from: at + 1), end - at <= 10, end > at + 1 else { return nil }
    return text[(at + 1)..<end].allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "#" } ? end + 1 : nil
  }

  private func addressEnd() -> Int? {
    guard starts("https://", at: at) || starts("http://", at: at) else { return nil }
    return text[at...].firstIndex { $0.properties.isWhitespace || "()<>[]\"".unicodeScalars.contains($0) } ?? text.count
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
