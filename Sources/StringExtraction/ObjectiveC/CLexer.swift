/// A lexer that splits a C-family source into tokens, without comments, line continuations and white space.
struct CLexer {
  enum Token {
    case identifier(Range<Int>)
    case literal(CLiteral)
    /// A number or a character constant.
    case number(Range<Int>)
    /// A bracket, comma, semicolon or any other single character.
    case mark(UInt8)
    /// The `#` of a directive. The caller continues from the directive's name.
    case directive
    /// The end of the current directive.
    case directiveEnd
    case end
  }

  let bytes: [UInt8]
  var index: Int
  let end: Int
  /// The start of the last token.
  private(set) var start: Int
  /// Whether the caller needs ``Token/directiveEnd`` at the end of the line.
  var isInDirective = false
  /// The contents of the closed comments, without their delimiters.
  private(set) var comments: [Range<Int>] = []
  /// The start of a comment that is not closed at the end of the file; `nil` if there is none.
  private(set) var openComment: Int?
  /// Whether the lexer searches for code inside a comment or an excluded group, where apostrophes, `#` and slashes have no special meaning.
  private let isProse: Bool
  private var isLineStart = true

  init(_ bytes: [UInt8], _ range: Range<Int>, isProse: Bool = false) {
    self.bytes = bytes
    self.isProse = isProse
    index = range.lowerBound
    end = range.upperBound
    start = index
  }

  mutating func next() -> Token {
    while index < end {
      start = index
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        index += 1
        isLineStart = true
        if isInDirective {
          isInDirective = false
          return .directiveEnd
        }
      case 0...UInt8(ascii: " "): index += 1
      case UInt8(ascii: "/") where !isProse && isComment(at: index): comment()
      case UInt8(ascii: "\\"):
        guard let next = continuation(at: index) else {
          return mark(byte)
        }
        index = next
      case UInt8(ascii: "#") where isLineStart && !isInDirective && !isProse:
        index += 1
        isLineStart = false
        return .directive
      case UInt8(ascii: "\""):
        isLineStart = false
        return .literal(literal())
      case UInt8(ascii: "@") where index + 1 < end && bytes[index + 1] == UInt8(ascii: "\""):
        isLineStart = false
        index += 1
        return .literal(literal())
      case UInt8(ascii: "'") where !isProse:
        isLineStart = false
        character()
        return .number(start..<index)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        isLineStart = false
        number()
        return .number(start..<index)
      case _ where Self.isIdentifier(byte):
        isLineStart = false
        return identifier()
      default: return mark(byte)
      }
    }
    start = end
    if isInDirective {
      isInDirective = false
      return .directiveEnd
    }
    return .end
  }

  private mutating func mark(_ byte: UInt8) -> Token {
    index += 1
    isLineStart = false
    return .mark(byte)
  }

  static func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }

  private mutating func identifier() -> Token {
    while index < end, Self.isIdentifier(bytes[index]) { index += 1 }
    guard index < end, bytes[index] == UInt8(ascii: "\""), index - start <= 3 else {
      return .identifier(start..<index)
    }
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    case "L", "u8", "u", "U": return .literal(literal())
    case "R", "LR", "u8R", "uR", "UR": return .literal(rawLiteral())
    default: return .identifier(start..<index)
    }
  }

  /// Reads a preprocessing number. An apostrophe between digits is part of the number.
  private mutating func number() {
    while index < end {
      let byte = bytes[index]
      let isSeparator =
        byte == UInt8(ascii: "'") && index + 1 < end && bytes[index + 1] != UInt8(ascii: "'")
        && Self.isIdentifier(bytes[index + 1])
      guard Self.isIdentifier(byte) || byte == UInt8(ascii: ".") || isSeparator else { return }
      index += 1
    }
  }

  /// Reads a character constant. An unclosed constant ends at the end of the line, because the text in a group that `#if 0` excludes can contain
  /// apostrophes.
  private mutating func character() {
    index += 1
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "'"):
        index += 1
        return
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
      case UInt8(ascii: "\\"): index = continuation(at: index) ?? min(index + 2, end)
      default: index += 1
      }
    }
  }

  /// Returns the index at which the text continues after a backslash at the end of a line; `nil` if there is no such backslash at `index`.
  func continuation(at index: Int) -> Int? {
    guard index + 1 < end, bytes[index] == UInt8(ascii: "\\") else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "\n"): return index + 2
    case UInt8(ascii: "\r"):
      return index + 2 < end && bytes[index + 2] == UInt8(ascii: "\n") ? index + 3 : index + 2
    default: return nil
    }
  }

  // MARK: comments and directives

  private func isComment(at index: Int) -> Bool {
    index + 1 < end && (bytes[index + 1] == UInt8(ascii: "/") || bytes[index + 1] == UInt8(ascii: "*"))
  }

  private mutating func comment() {
    let isLine = bytes[index + 1] == UInt8(ascii: "/")
    let opening = index
    index += 2
    if isLine {
      while index < end, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
        index = continuation(at: index) ?? index + 1
      }
      comments.append((opening + 2)..<index)
      return
    }
    while index + 1 < end {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        comments.append((opening + 2)..<index)
        index += 2
        return
      }
      index += 1
    }
    index = end
    openComment = openComment ?? opening
  }

  /// Reads the name of a directive after its `#`; empty if there is none.
  mutating func directiveName() -> Range<Int> {
    skipBlanks()
    let start = index
    while index < end, Self.isIdentifier(bytes[index]) { index += 1 }
    return start..<index
  }

  /// Skips white space, line continuations and comments between the words of a directive.
  mutating func skipBlanks() {
    while index < end {
      if bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
        index += 1
      } else if let next = continuation(at: index) {
        index = next
      } else if bytes[index] == UInt8(ascii: "/"), isComment(at: index), bytes[index + 1] == UInt8(ascii: "*") {
        comment()
      } else {
        return
      }
    }
  }

  /// Skips the rest of a directive, but not the end of its line. Literals are not read, because the rest may be prose with a single quotation mark.
  mutating func skipDirective() {
    while index < end, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
      if let next = continuation(at: index) {
        index = next
      } else if bytes[index] == UInt8(ascii: "/"), isComment(at: index) {
        comment()
      } else {
        index += 1
      }
    }
  }
}
