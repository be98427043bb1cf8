/// Splits a text into parts that a translator may change and parts that must not change.
struct PseudoScanner {
  enum Piece: Equatable {
    case words(String)
    /// A placeholder, a tag, a link's destination, an escape.
    case fixed(String)

    var text: String {
      switch self {
      case .words(let text), .fixed(let text): text
      }
    }
  }

  private let text: [Unicode.Scalar]
  private var at = 0
  private var pieces: [Piece] = []
  private var words = ""

  static func pieces(of text: String) -> [Piece] {
    var scanner = PseudoScanner(text: Array(text.unicodeScalars))
    return scanner.scan()
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

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

  /// The end of the unchangeable part that starts here; `nil` if none starts here.
  private func fixedEnd() -> Int? {
    switch text[at] {
    case "%": return placeholderEnd()
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

  /// Past the bracket that closes the one at `start`; nested ones are counted.
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

  /// `%@`, `%1$lld`, `%%`, `%#@birds@`, `%1$#@birds@`, `%arg`, `%-5.2f`.
  private func placeholderEnd() -> Int? {
    if starts("%arg", at: at) { return at + 4 }
    var index = at + 1
    if index < text.count, text[index] == "%" { return index + 1 }
    while index < text.count, ("0"..."9").contains(text[index]) || "$#-+ '.*".unicodeScalars.contains(text[index]) {
      if text[index] == "#", index + 1 < text.count, text[index + 1] == "@" {
        return find("@", from: index + 2).map { $0 + 1 }
      }
      index += 1
    }
    while index < text.count, "hlqLztj".unicodeScalars.contains(text[index]) { index += 1 }
    guard index < text.count, "@dDiuUxXoOfFeEgGaAcCsSp".unicodeScalars.contains(text[index]) else { return nil }
    return index + 1
  }

  /// `^[two birds](inflect: true)`: grammar works on the words as they are.
  private func inflectionEnd() -> Int? {
    guard let words = closing("[", "]", from: at + 1), words < text.count, text[words] == "(" else { return nil }
    return closing("(", ")", from: words)
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
