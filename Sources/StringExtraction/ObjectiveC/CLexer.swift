/// The tokens of a C-family source: comments, line continuations and white space left out.
struct CLexer {
  enum Token {
    case identifier(Range<Int>)
    case literal(CLiteral)
    /// A number or a character constant.
    case number(Range<Int>)
    /// A bracket, comma, semicolon or anything else that stands for itself.
    case mark(UInt8)
    /// The `#` of a directive, which the caller reads on from its name.
    case directive
    /// The end of the directive that is being read.
    case directiveEnd
    case end
  }

  let bytes: [UInt8]
  var index: Int
  let end: Int
  /// Where the token that was read last begins.
  private(set) var start: Int
  /// Set by the caller that wants ``Token/directiveEnd`` at the end of the line.
  var isInDirective = false
  /// What comments hold, where someone will look into them.
  private(set) var comments: [Range<Int>] = []
  /// Where a comment begins that the file's end cuts off.
  private(set) var openComment: Int?
  /// Whether code is looked for in a comment or in what is not compiled: there, apostrophes, `#` and slashes mean nothing.
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

  /// A preprocessing number; an apostrophe between digits belongs to it.
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

  /// A character constant; one without its end ends with the line: apostrophes stand in prose as well.
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

  /// Where the text goes on after a backslash that ends its line; `nil` where none does at `index`.
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

  /// The name of a directive, after its `#`; empty where there is none.
  mutating func directiveName() -> Range<Int> {
    skipBlanks()
    let start = index
    while index < end, Self.isIdentifier(bytes[index]) { index += 1 }
    return start..<index
  }

  /// Skips what may stand between the words of one directive.
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

  /// Skips the rest of a directive, which may be prose with a lone quotation mark. The end of its line is left.
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
