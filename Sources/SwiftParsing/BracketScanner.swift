/// A scanner that tracks brackets, literals and comments in Swift source without a grammar. It limits the work of the parser before the parser runs.
///
/// The scanner may overestimate the depth, but does not underestimate it. In broken source, or if a bare regex literal contains a bracket, a closing
/// bracket closes the nearest opening bracket of its kind. A stray opening bracket therefore counts only to the end of its block.
struct BracketScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: SourceLimits
  var position = 0
  var stack: [Frame] = []
  var chain = Chain()
  var squares = 0
  var pending = Pending.nothing
  var quotes = 0
  var angles = AngleWork()
  var members = MemberWork()
  /// The end of the last white space that was scanned. White space is scanned only once.
  var blankEnd = 0
  /// The number of bytes that look-ahead from line ends has scanned.
  var bytesAhead = 0
  var statements = StrippedStatements()
  /// Ranges that cannot contain a string:
  ///
  /// - line comments,
  /// - the bodies (without their braces) of functions, computed properties and statements, if they contain no quotation mark,
  /// - in a body with several statements, the parts of statements that ``StrippedStatements`` removes.
  var quietRanges: [Range<Int>] = []

  init(bytes: UnsafeBufferPointer<UInt8>, limits: SourceLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  struct Chain {
    var length = 0
    var last = Token.separator
    /// The length of a chain `} else } else …`, into which the parser recurses.
    var elses = 0
  }

  enum Token {
    case separator, word, keyword, joint, closing, closingBrace
    /// An operator directly after an operand. At the end of a line, it is a postfix operator, as in `a!`, `[Int]?` and `Set<Int>`.
    case postfix
  }

  /// The construct that the next `{` opens, determined from the preceding words.
  enum Pending {
    case nothing
    /// The body of a function, after `func`, `init` or `deinit`.
    case function
    /// The accessors of a variable, after `var`. `hasType` is whether the variable's type was read.
    case variable(hasType: Bool)
    /// The block of a statement, after `if`, `for` and similar words at the start of a statement.
    case block
    /// The body of a type, after `struct`, `extension` and similar words.
    case type
  }

  struct Frame {
    var opening: UInt8
    var chain: Chain
    var pending: Pending
    /// The start of the body of a function, computed property or statement, and the number of preceding quotation marks; `nil` for other brackets.
    var body: (start: Int, quotes: Int)?
    /// The statements of the surrounding code.
    var statements: StrippedStatements
    /// The number of quiet ranges before the bracket.
    var quiet: Int
    /// The number of `<` that are open in the surrounding code.
    var angles: Int
    /// The number of open members of the surrounding type, if the bracket opens the body of a type.
    var members: Int?
    /// The literal to continue after the closing bracket of an interpolation; `nil` for other brackets.
    var literal: Literal?
  }

  struct Literal {
    var pounds: Int
    var isMultiline: Bool
  }

  func byte(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < bytes.count ? bytes[index] : 0
  }

  /// Scans the whole file.
  /// - Returns: the first offset at which a limit is exceeded, and the message; `nil` if no limit is exceeded.
  mutating func scan() -> (Int, String)? {
    while position < bytes.count {
      let current = bytes[position]
      switch current {
      case UInt8(ascii: "\n"):
        position += 1
        if isInType, !members.isContinued { members.isStart = true }
        endLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
        // White space does not change what the limits below bound.
        continue
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/") && !isEscaped:
        skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*") && !isEscaped:
        skipBlockComment()
      case UInt8(ascii: "\""):
        note(.word)
        quotes += 1
        if let fault = openLiteral(pounds: 0) { return fault }
      case UInt8(ascii: "#"):
        members.isStart = false
        if let fault = scanPound() { return fault }
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if let fault = open(current, literal: nil) { return fault }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let fault = close(current) { return fault }
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        if current == UInt8(ascii: ",") {
          statements.goOn()
          members.noteComma()
        } else {
          members.isStart = isInType
          statements.end(at: position, quotes)
          angles.open = 0
        }
        position += 1
        chain = Chain()
        if case .variable = pending { pending = .nothing }
      case UInt8(ascii: "`"):
        let start = position + 1
        skipQuotedIdentifier()
        statements.mention(UnsafeBufferPointer(rebasing: bytes[start..<max(start, position - 1)]))
        note(.word)
      case let letter where Self.isWord(letter):
        scanWord()
      case UInt8(ascii: "@"):
        position += 1
        note(.word)
      default:
        noteOperator(current)
        let start = position
        position += 1
        while position < bytes.count, Self.isOperator(bytes[position]), !startsComment() { position += 1 }
        note(isPostfix(from: start) ? .postfix : .joint)
        angles.note(operator: UnsafeBufferPointer(rebasing: bytes[start..<position]))
      }
      if angles.work > limits.angleWork {
        return (min(position, bytes.count), "too many `<` are open at once; the file was not parsed")
      }
      if members.work > limits.memberWork {
        return (
          min(position, bytes.count),
          "too many members of a type begin without a keyword such as `var` or `func`; the file was not parsed"
        )
      }
      if chain.length > limits.chainLength {
        return (
          min(position, bytes.count),
          "more than \(limits.chainLength) chained parts in one expression; the file was not parsed"
        )
      }
      let mostElses = limits.chainLength / 8
      if chain.elses > mostElses {
        return (
          min(position, bytes.count),
          "more than \(mostElses) `else` in one chain of conditions; the file was not parsed"
        )
      }
    }
    return nil
  }

  mutating func note(_ token: Token) {
    chain.length += 1
    chain.last = token
    angles.work += angles.open
    members.note(token)
    statements.go()
  }

  mutating func scanWord() {
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<position])
    let isMember = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
    if !isMember, let introduced = introduced(by: word) {
      switch (pending, introduced) {
      // A `let` can be among generic parameters, as in `struct Vector<let count: Int> {`.
      case (.type, .nothing): break
      case _: pending = introduced
      }
    }
    if word.count == 4, Self.equals(word, "else"), chain.last == .closingBrace {
      chain.elses += 1
    } else if chain.last == .closingBrace {
      chain = Chain()
    }
    let first = statements.isBetween ? StatementWord(word) : nil
    // The statements after `case` form a separate body.
    if first == .label { quietRanges += statements.close(isEnd: true) }
    // `.repeat` is a member, but a word after `...` is not.
    let isName = isMember && (start < 2 || !Self.isOperator(bytes[start - 2]))
    note(!isName && Self.descending.contains(word) ? .keyword : .word)
    statements.mention(word)
    if members.open > 0, !isMember, isInType, MemberWork.declaring.contains(word) { members.open = 0 }
    if let first { beginStatement(first) }
  }

  /// Whether the surrounding brackets are the body of a type.
  private var isInType: Bool { stack.last?.members != nil }

  mutating func open(_ opening: UInt8, literal: Literal?) -> (Int, String)? {
    note(.closing)
    var frame = Frame(
      opening: opening, chain: chain, pending: pending, statements: statements, quiet: quietRanges.count,
      angles: angles.open, literal: literal)
    // A type in angle brackets may contain tuples and arrays, but no block.
    if opening == UInt8(ascii: "{") || literal != nil { angles.open = 0 }
    let isType = if case .type = pending { true } else { false }
    statements = StrippedStatements(isBody: opening == UInt8(ascii: "{") && !isType)
    if opening == UInt8(ascii: "{") {
      switch pending {
      case .function, .block: frame.body = (position + 1, quotes)
      case .variable(hasType: true): if !opensObservers() { frame.body = (position + 1, quotes) }
      case .variable, .nothing, .type: break
      }
      frame.pending = .nothing
    }
    if isType, opening == UInt8(ascii: "{") {
      frame.members = members.open
      members.open = 0
      members.isStart = true
    }
    stack.append(frame)
    chain = Chain()
    pending = .nothing
    if opening == UInt8(ascii: "[") { squares += 1 }
    if squares > limits.squareDepth {
      return (position, "more than \(limits.squareDepth) nested `[`; the file was not parsed")
    }
    if stack.count > limits.bracketDepth {
      return (position, "more than \(limits.bracketDepth) nested brackets; the file was not parsed")
    }
    position += 1
    return nil
  }

  mutating func close(_ closing: UInt8) -> (Int, String)? {
    position += 1
    let opening =
      switch closing {
      case UInt8(ascii: ")"): UInt8(ascii: "(")
      case UInt8(ascii: "]"): UInt8(ascii: "[")
      default: UInt8(ascii: "{")
      }
    // A bracket in an interpolation cannot close a bracket outside the interpolation.
    let floor = stack.lastIndex { $0.literal != nil } ?? 0
    guard let match = stack.lastIndex(where: { $0.opening == opening }), match >= floor else { return nil }
    if stack.count == match + 1 {
      statements.end(at: position - 1, quotes)
      quietRanges += statements.close(isEnd: true)
    } else {
      statements.doubt()
    }
    while stack.count > match + 1, let dropped = stack.popLast() {
      if dropped.opening == UInt8(ascii: "[") { squares -= 1 }
    }
    guard let frame = stack.popLast() else { return nil }
    statements = frame.statements.holding(statements)
    if frame.opening == UInt8(ascii: "[") { squares -= 1 }
    // Nothing is removed from a closure that is called immediately, because all of its `return` statements determine its type.
    if opening == UInt8(ascii: "{"), byte() == UInt8(ascii: "(") { quietRanges.removeSubrange(frame.quiet...) }
    if let body = frame.body, body.quotes == quotes, position - 1 > body.start {
      quietRanges.append(body.start..<(position - 1))
    }
    pending = frame.pending
    angles.open = frame.angles
    if let outer = frame.members { members.open = outer }
    chain = frame.chain
    chain.last = closing == UInt8(ascii: "}") ? .closingBrace : .closing
    if let literal = frame.literal { return scanLiteral(literal) }
    return nil
  }
}
