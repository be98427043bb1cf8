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
  private var pending = Pending.nothing
  private var quotes = 0
  private var statements = QuietStatements()
  /// What can hold no string: line comments, bodies of functions, computed properties and statements without a quotation mark, the
  /// braces left out, and of statements beside others all but the first word.
  private(set) var quietRanges: [Range<Int>] = []

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
    /// An operator right after an operand, which at a line's end is a postfix one: `a!`, `[Int]?`, `Set<Int>`.
    case postfix
  }

  /// What the `{` to come will open, as far as the words before it tell.
  private enum Pending {
    case nothing
    /// After `func`, `init`, `deinit`.
    case function
    /// After `var`, and whether its type was seen.
    case variable(hasType: Bool)
    /// After `if`, `for` and the like where a statement begins.
    case block
    /// After `struct`, `extension` and the like.
    case type
  }

  private struct Frame {
    var opening: UInt8
    var chain: Chain
    var pending: Pending
    /// Where the body of a function or computed property begins, and how many quotation marks stood before it.
    var body: (start: Int, quotes: Int)?
    /// The statements of the code around.
    var statements: QuietStatements
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
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/") && !isEscaped:
        skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*") && !isEscaped:
        skipBlockComment()
      case UInt8(ascii: "\""):
        note(.word)
        quotes += 1
        if let fault = openLiteral(pounds: 0) { return fault }
      case UInt8(ascii: "#"):
        if let fault = scanPound() { return fault }
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if let fault = open(current, literal: nil) { return fault }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let fault = close(current) { return fault }
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        if current == UInt8(ascii: ",") { statements.goOn() } else { statements.end(at: position, quotes) }
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
      default:
        noteOperator(current)
        let start = position
        position += 1
        while position < bytes.count, Self.isOperator(bytes[position]), !startsComment() { position += 1 }
        note(isPostfix(from: start) ? .postfix : .joint)
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

  /// Whether a backslash stands before: as in a regex literal, where an escaped slash may end the pattern or be repeated.
  private var isEscaped: Bool { position > 0 && bytes[position - 1] == UInt8(ascii: "\\") }

  private func startsComment() -> Bool {
    !isEscaped && byte() == UInt8(ascii: "/") && (byte(1) == UInt8(ascii: "/") || byte(1) == UInt8(ascii: "*"))
  }

  /// Whether an operator that ends here belongs to the operand before it, where a line ends after it.
  private func isPostfix(from start: Int) -> Bool {
    guard start > 0, !Self.isSpace(bytes[start - 1]) else { return false }
    switch chain.last {
    case .word, .closing, .closingBrace, .postfix: break
    // `try?` and `as!` are no operands.
    case .separator, .keyword, .joint: return false
    }
    switch bytes[position - 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case UInt8(ascii: ">"): return bytes[start] != UInt8(ascii: "-")
    case UInt8(ascii: "."): return position - start > 1
    default: return false
    }
  }

  private mutating func note(_ token: Token) {
    chain.length += 1
    chain.last = token
    statements.go()
  }

  /// A line's end ends a statement unless what stands before or after it goes on.
  private mutating func endLine() {
    // Some of these words are names, too, and then the statement ends.
    if chain.last == .keyword { statements.goOn() }
    guard chain.last != .joint, chain.last != .keyword else { return }
    var ahead = position
    while ahead < bytes.count {
      switch bytes[ahead] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): ahead += 1
      case UInt8(ascii: "/"):
        // After a block comment a statement may begin on its line.
        if ahead + 1 < bytes.count, bytes[ahead + 1] == UInt8(ascii: "*") { statements.goOn() }
        return
      case UInt8(ascii: "#"): return
      case let next where Self.isOperator(next) || next == UInt8(ascii: "{"): return
      case let next where Self.isWord(next) && continuesStatement(at: ahead): return
      default:
        statements.end(at: position - 1, quotes)
        chain = Chain()
        if case .variable = pending { pending = .nothing }
        return
      }
    }
  }

  /// Whether the word with which a line begins belongs to the statement before: `else` and the label of a further closure after a `}`,
  /// `as` and `is` after anything.
  private func continuesStatement(at start: Int) -> Bool {
    var end = start
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<end])
    if Self.equals(word, "as") || Self.equals(word, "is") { return true }
    guard chain.last == .closingBrace else { return false }
    if Self.equals(word, "else") { return true }
    let next = after(end)
    return next < bytes.count && bytes[next] == UInt8(ascii: ":") && !Self.equals(word, "default")
  }

  private mutating func noteOperator(_ byte: UInt8) {
    guard case .variable = pending else { return }
    if byte == UInt8(ascii: ":") { pending = .variable(hasType: true) }
    if byte == UInt8(ascii: "=") { pending = .nothing }
  }

  private mutating func scanWord() {
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<position])
    let isMember = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
    if !isMember, let introduced = introduced(by: word) {
      switch (pending, introduced) {
      // As in `struct Vector<let count: Int> {`.
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
    // The statements after `case` are a body of their own.
    if first == .label { quietRanges += statements.close(isEnd: true) }
    // `.repeat` is a member, but what comes after `...` is not.
    let isName = isMember && (start < 2 || !Self.isOperator(bytes[start - 2]))
    note(!isName && Self.descends(word) ? .keyword : .word)
    statements.mention(word)
    if let first { beginStatement(first) }
  }

  private mutating func beginStatement(_ word: StatementWord) {
    switch word {
    case .label, .other: return
    case .binding:
      let start = after(position)
      var end = start
      while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
      let next = after(end)
      guard end > start, next < bytes.count, bytes[next] == UInt8(ascii: "=") || bytes[next] == UInt8(ascii: ":") else {
        return
      }
      let name = UnsafeBufferPointer(rebasing: bytes[start..<end])
      statements.begin(.binding(WordSet(name)), keeping: end, quotes)
    case .prefix:
      // `try?` and `try!` are one word here.
      if byte() == UInt8(ascii: "?") || byte() == UInt8(ascii: "!") { position += 1 }
      let next = after(position)
      if next < bytes.count, Self.isWord(bytes[next]) { statements.goOnWithPrefix() }
    case .operand:
      var ahead = position
      while ahead < bytes.count, Self.isSpace(bytes[ahead]) { ahead += 1 }
      guard ahead < bytes.count else { return }
      let isCut =
        switch bytes[ahead] {
        case UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "!"): true
        case UInt8(ascii: "("), UInt8(ascii: "["): !bytes[position..<ahead].contains(UInt8(ascii: "\n"))
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "|"):
          ahead + 1 < bytes.count && bytes[ahead + 1] == UInt8(ascii: "=")
        default: false
        }
      if isCut { statements.begin(.expression, keeping: position, quotes) }
    }
  }

  /// The first offset from one on at which no space stands.
  private func after(_ offset: Int) -> Int {
    var ahead = offset
    while ahead < bytes.count, bytes[ahead] == UInt8(ascii: " ") { ahead += 1 }
    return ahead
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// What a word lets the next `{` open; `nil` for a word that tells nothing.
  private func introduced(by word: UnsafeBufferPointer<UInt8>) -> Pending? {
    func equals(_ word: UnsafeBufferPointer<UInt8>, _ other: StaticString) -> Bool { Self.equals(word, other) }
    let statement: Pending = chain.length == 0 || chain.last == .closingBrace ? .block : .nothing
    switch word.count {
    case 2: return equals(word, "if") || equals(word, "do") ? statement : nil
    case 3:
      if equals(word, "for") { return statement }
      return equals(word, "var") ? .variable(hasType: false) : equals(word, "let") && !isConditional ? .nothing : nil
    case 4:
      if equals(word, "func") || equals(word, "init") { return .function }
      if equals(word, "enum") { return .type }
      return equals(word, "case") && !isConditional ? .nothing : nil
    case 5:
      if equals(word, "while") || equals(word, "guard") || equals(word, "defer") { return statement }
      if equals(word, "class") || equals(word, "actor") { return .type }
      return equals(word, "macro") ? .nothing : nil
    case 6:
      if equals(word, "deinit") { return .function }
      if equals(word, "switch") { return statement }
      if equals(word, "struct") { return .type }
      return equals(word, "repeat") ? .nothing : nil
    case 8: return equals(word, "protocol") ? .type : nil
    case 9:
      if equals(word, "extension") { return .type }
      return equals(word, "subscript") || equals(word, "typealias") ? .nothing : nil
    default: return nil
    }
  }

  /// Whether a condition is being read, in which `let` and `case` bind.
  private var isConditional: Bool {
    if case .block = pending { return true }
    return false
  }

  private mutating func scanPound() -> (Int, String)? {
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
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
    // `#if`, `#else`, `#endif`: a directive's line is no part of an expression.
    note(.word)
    return nil
  }

  private mutating func open(_ opening: UInt8, literal: Literal?) -> (Int, String)? {
    note(.closing)
    var frame = Frame(opening: opening, chain: chain, pending: pending, statements: statements, literal: literal)
    let isType = if case .type = pending { true } else { false }
    statements = QuietStatements(isBody: opening == UInt8(ascii: "{") && !isType)
    if opening == UInt8(ascii: "{") {
      switch pending {
      case .function, .block: frame.body = (position + 1, quotes)
      case .variable(hasType: true): if !opensObservers() { frame.body = (position + 1, quotes) }
      case .variable, .nothing, .type: break
      }
      frame.pending = .nothing
    }
    stack.append(frame)
    chain = Chain()
    pending = .nothing
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

  /// Whether the braces of a variable hold `willSet` or `didSet`: such a variable is stored.
  private func opensObservers() -> Bool {
    var ahead = position + 1
    while ahead < bytes.count, !Self.isWord(bytes[ahead]) {
      // A comment or an attribute may hide them.
      if bytes[ahead] == UInt8(ascii: "/") || bytes[ahead] == UInt8(ascii: "@") { return true }
      ahead += 1
    }
    var end = ahead
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[ahead..<end])
    return Self.equals(word, "willSet") || Self.equals(word, "didSet")
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
    if let body = frame.body, body.quotes == quotes, position - 1 > body.start {
      quietRanges.append(body.start..<(position - 1))
    }
    pending = frame.pending
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
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    quietRanges.append(start..<position)
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

  /// The same words by length.
  private static let descendingByLength: [[StaticString]] = (0...10).map { length in
    descending.filter { $0.utf8CodeUnitCount == length }
  }

  private static func descends(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (2...10).contains(word.count), let first = word.first, first >= 0x61 else { return false }
    return descendingByLength[word.count].contains { equals(word, $0) }
  }

  private static func equals(_ word: UnsafeBufferPointer<UInt8>, _ other: StaticString) -> Bool {
    guard word.count == other.utf8CodeUnitCount, word.first == other.utf8Start.pointee else { return false }
    for index in 0..<word.count where word[index] != other.utf8Start[index] { return false }
    return true
  }
}
