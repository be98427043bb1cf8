/// Scanning of string literals, comments and regular expressions. Brackets inside them do not count.
extension BracketScanner {
  /// Whether the previous byte is a backslash. In a regex literal, a slash after a backslash neither ends the pattern nor begins a comment.
  var isEscaped: Bool { position > 0 && bytes[position - 1] == UInt8(ascii: "\\") }

  func startsComment() -> Bool {
    !isEscaped && byte() == UInt8(ascii: "/") && (byte(1) == UInt8(ascii: "/") || byte(1) == UInt8(ascii: "*"))
  }

  mutating func scanPound() -> (Int, String)? {
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    guard pounds <= limits.poundRun else {
      return (position, "more than \(limits.poundRun) `#` in a row; the file was not parsed")
    }
    if Self.isWord(byte(pounds)) { quietRanges += statements.close(isEnd: false) }
    if byte(pounds) == UInt8(ascii: "\"") {
      position += pounds
      note(.word)
      quotes += 1
      return openLiteral(pounds: pounds)
    }
    position += pounds
    if byte() == UInt8(ascii: "/"), byte(1) != UInt8(ascii: "/"), byte(1) != UInt8(ascii: "*") {
      skipRegex(pounds: pounds)
      note(.word)
      return nil
    }
    // The `#` of a directive such as `#if`, or of a macro, counts as a word.
    note(.word)
    return nil
  }

  mutating func openLiteral(pounds: Int) -> (Int, String)? {
    let isMultiline = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    position += isMultiline ? 3 : 1
    return scanLiteral(Literal(pounds: pounds, isMultiline: isMultiline))
  }

  /// Continues to read a literal, up to its end or to an interpolation.
  /// - Returns: the offset and the message if opening an interpolation exceeds a limit; `nil` otherwise.
  mutating func scanLiteral(_ literal: Literal) -> (Int, String)? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n") where !literal.isMultiline:
        return nil
      case UInt8(ascii: "\""):
        let quotes = literal.isMultiline ? 3 : 1
        if (0..<quotes).allSatisfy({ byte($0) == UInt8(ascii: "\"") }),
          (0..<literal.pounds).allSatisfy({ byte(quotes + $0) == UInt8(ascii: "#") })
        {
          position += quotes + literal.pounds
          return nil
        }
        position += 1
      case UInt8(ascii: "\\"):
        guard (0..<literal.pounds).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) else {
          position += 1
          continue
        }
        position += 1 + literal.pounds
        if byte() == UInt8(ascii: "(") { return open(UInt8(ascii: "("), literal: literal) }
        if position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      default:
        position += 1
      }
    }
    return nil
  }

  mutating func skipLine() {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    quietRanges.append(start..<position)
  }

  mutating func skipBlockComment() {
    var depth = 0
    while position < bytes.count {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
  }

  mutating func skipQuotedIdentifier() {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`"), bytes[position] != UInt8(ascii: "\n") {
      position += 1
    }
    if byte() == UInt8(ascii: "`") { position += 1 }
  }

  mutating func skipRegex(pounds: Int) {
    position += 1
    while position < bytes.count {
      if byte() == UInt8(ascii: "/"), (0..<pounds).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
        position += 1 + pounds
        return
      }
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.count)
  }
}
