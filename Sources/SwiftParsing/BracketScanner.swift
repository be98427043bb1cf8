/// Follows brackets, literals and comments through Swift source without a grammar, to bound what the parser will meet.
///
/// It errs towards depth: where source is broken (or a bare regex literal holds a bracket) a closing bracket closes the nearest one
/// of its kind, so a stray opening one counts only up to the end of its block.
struct BracketScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: SourceLimits
  private var position = 0
  private var stack: [Frame] = []
  private var chain = Chain()
  private var squares = 0

  init(bytes: UnsafeBufferPointer<UInt8>, limits: SourceLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private struct Chain {
    var length = 0
    var last = Token.separator
    /// `}` `else` `}` `else` …, which the parser descends into.
    var elses = 0
  }

  private enum Token {
    case separator, word, keyword, joint, closing, closingBrace
  }

  private struct Frame {
    var opening: UInt8
    var chain: Chain
    /// For an interpolation: how to go on with the literal after its `)`.
    var literal: Literal?
  }

  private struct Literal {
    var pounds: Int
    var isMultiline: Bool
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < bytes.count ? bytes[index] : 0
  }

  /// - Returns: where the first limit is passed and how to say it.
  mutating func scan() -> (Int, String)? {
    while position < bytes.count {
      let current = bytes[position]
      switch current {
      case UInt8(ascii: "\n"):
        position += 1
        endLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
        skipBlockComment()
      case UInt8(ascii: "\""):
        note(.word)
        if let fault = openLiteral(pounds: 0) { return fault }
      case UInt8(ascii: "#"):
        if let fault = scanPound() { return fault }
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if let fault = open(current, literal: nil) { return fault }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let fault = close(current) { return fault }
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        position += 1
        chain = Chain()
      case UInt8(ascii: "`"):
        skipQuotedIdentifier()
        note(.word)
      case let letter where Self.isWord(letter):
        scanWord()
      default:
        position += 1
        while position < bytes.count, Self.isOperator(bytes[position]), !startsComment() { position += 1 }
        note(.joint)
      }
      if chain.length > limits.chainLength || chain.elses > limits.chainLength / 8 {
        return (
          min(position, bytes.count),
          "read source: more than \(limits.chainLength) parts are chained in one expression; the file is not parsed"
        )
      }
    }
    return nil
  }

  private func startsComment() -> Bool {
    byte() == UInt8(ascii: "/") && (byte(1) == UInt8(ascii: "/") || byte(1) == UInt8(ascii: "*"))
  }

  private mutating func note(_ token: Token) {
    chain.length += 1
    chain.last = token
  }

  /// A line's end ends a statement unless what stands before or after it goes on.
  private mutating func endLine() {
    guard chain.last != .joint, chain.last != .keyword else { return }
    var ahead = position
    while ahead < bytes.count {
      switch bytes[ahead] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): ahead += 1
      case UInt8(ascii: "/"), UInt8(ascii: "#"): return
      case let next where Self.isOperator(next) || next == UInt8(ascii: "{"): return
      case UInt8(ascii: "e") where chain.last == .closingBrace: return
      default:
        chain = Chain()
        return
      }
    }
  }

  private mutating func scanWord() {
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<position])
    let isElse = Self.equals(word, "else")
    if isElse, chain.last == .closingBrace {
      chain.elses += 1
    } else if chain.last == .closingBrace {
      chain = Chain()
    }
    note(Self.descends(word) ? .keyword : .word)
  }

  private mutating func scanPound() -> (Int, String)? {
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if byte(pounds) == UInt8(ascii: "\"") {
      position += pounds
      note(.word)
      return openLiteral(pounds: pounds)
    }
    position += pounds
    if byte() == UInt8(ascii: "/"), byte(1) != UInt8(ascii: "/"), byte(1) != UInt8(ascii: "*") {
      skipRegex(pounds: pounds)
      note(.word)
      return nil
    }
    // `#if`, `#else`, `#endif`: a directive's line is no part of an expression.
    note(.word)
    return nil
  }

  private mutating func open(_ opening: UInt8, literal: Literal?) -> (Int, String)? {
    note(.closing)
    stack.append(Frame(opening: opening, chain: chain, literal: literal))
    chain = Chain()
    if opening == UInt8(ascii: "[") { squares += 1 }
    if squares > limits.squareDepth {
      return (position, "read source: more than \(limits.squareDepth) `[` are nested; the file is not parsed")
    }
    if stack.count > limits.bracketDepth {
      return (position, "read source: more than \(limits.bracketDepth) brackets are nested; the file is not parsed")
    }
    position += 1
    return nil
  }

  private mutating func close(_ closing: UInt8) -> (Int, String)? {
    position += 1
    let opening =
      switch closing {
      case UInt8(ascii: ")"): UInt8(ascii: "(")
      case UInt8(ascii: "]"): UInt8(ascii: "[")
      default: UInt8(ascii: "{")
      }
    // Within an interpolation nothing outside it can be closed.
    let floor = stack.lastIndex { $0.literal != nil } ?? 0
    guard let match = stack.lastIndex(where: { $0.opening == opening }), match >= floor else { return nil }
    while stack.count > match + 1, let dropped = stack.popLast() {
      if dropped.opening == UInt8(ascii: "[") { squares -= 1 }
    }
    guard let frame = stack.popLast() else { return nil }
    if frame.opening == UInt8(ascii: "[") { squares -= 1 }
    chain = frame.chain
    chain.last = closing == UInt8(ascii: "}") ? .closingBrace : .closing
    if let literal = frame.literal { return scanLiteral(literal) }
    return nil
  }

  private mutating func openLiteral(pounds: Int) -> (Int, String)? {
    let isMultiline = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    position += isMultiline ? 3 : 1
    return scanLiteral(Literal(pounds: pounds, isMultiline: isMultiline))
  }

  /// Reads on in a literal, up to its end or to an interpolation.
  private mutating func scanLiteral(_ literal: Literal) -> (Int, String)? {
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

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipBlockComment() {
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

  private mutating func skipQuotedIdentifier() {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`"), bytes[position] != UInt8(ascii: "\n") {
      position += 1
    }
    if byte() == UInt8(ascii: "`") { position += 1 }
  }

  private mutating func skipRegex(pounds: Int) {
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

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
      UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "%"), UInt8(ascii: "~"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Words after which the parser descends, so that many of them in a row nest.
  private static let descending: [StaticString] = [
    "try", "await", "unsafe", "consume", "copy", "borrow", "repeat", "each", "some", "any", "inout", "if", "switch",
    "while", "guard", "for", "case", "let", "var", "is", "as", "do", "catch", "where", "in", "throw", "not", "isolated",
    "borrowing", "consuming", "sending", "defer", "indirect", "else",
  ]

  private static func descends(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (2...9).contains(word.count) else { return false }
    return descending.contains { equals(word, $0) }
  }

  private static func equals(_ word: UnsafeBufferPointer<UInt8>, _ other: StaticString) -> Bool {
    guard word.count == other.utf8CodeUnitCount, word.first == other.utf8Start.pointee else { return false }
    for index in 0..<word.count where word[index] != other.utf8Start[index] { return false }
    return true
  }
}
