/// Determines where statements begin and end, and, from the words before a brace, which kind of block the brace opens.
extension BracketScanner {
  /// Returns whether the operator that ends here is a postfix operator of the preceding operand, assuming that the line ends after it.
  func isPostfix(from start: Int) -> Bool {
    guard start > 0, !Self.isSpace(bytes[start - 1]) else { return false }
    switch chain.last {
    case .word, .closing, .closingBrace, .postfix: break
    // `try?` and `as!` are not operands.
    case .separator, .keyword, .joint: return false
    }
    switch bytes[position - 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case UInt8(ascii: ">"): return bytes[start] != UInt8(ascii: "-")
    case UInt8(ascii: "."): return position - start > 1
    default: return false
    }
  }

  /// Handles the end of a line. A line break ends a statement unless the token before or after the line break continues the statement.
  mutating func endLine() {
    // Some keywords can also be names. If the last word is a name, the statement ends here. Because the scanner cannot decide this, it keeps the
    // whole statement.
    if chain.last == .keyword { statements.goOn() }
    guard chain.last != .joint, chain.last != .keyword else { return }
    var ahead = max(position, blankEnd)
    defer {
      bytesAhead += ahead - max(position, blankEnd)
      blankEnd = ahead
    }
    while ahead < bytes.count {
      switch bytes[ahead] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): ahead += 1
      case UInt8(ascii: "/"):
        // After a block comment, a statement may begin on the same line.
        if ahead + 1 < bytes.count, bytes[ahead + 1] == UInt8(ascii: "*") { statements.goOn() }
        return
      case UInt8(ascii: "#"): return
      case let next where Self.isOperator(next) || next == UInt8(ascii: "{"): return
      case let next where Self.isWord(next) && continuesStatement(at: ahead): return
      default:
        statements.end(at: position - 1, quotes)
        chain = Chain()
        if stack.last.map({ $0.opening == UInt8(ascii: "{") }) ?? true { angles.open = 0 }
        if case .variable = pending { pending = .nothing }
        return
      }
    }
  }

  /// Returns whether the first word of a line continues the statement before it: `else` and the label of a trailing closure after a `}`, or `as` and
  /// `is` after any token.
  func continuesStatement(at start: Int) -> Bool {
    var end = start
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<end])
    if Self.equals(word, "as") || Self.equals(word, "is") { return true }
    guard chain.last == .closingBrace else { return false }
    if Self.equals(word, "else") { return true }
    let next = after(end)
    return next < bytes.count && bytes[next] == UInt8(ascii: ":") && !Self.equals(word, "default")
  }

  mutating func noteOperator(_ byte: UInt8) {
    guard case .variable = pending else { return }
    if byte == UInt8(ascii: ":") { pending = .variable(hasType: true) }
    if byte == UInt8(ascii: "=") { pending = .nothing }
  }

  mutating func beginStatement(_ word: StatementWord) {
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
      // `try?` and `try!` are treated as one word.
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

  /// Returns the offset of the first byte at or after `offset` that is not a space.
  func after(_ offset: Int) -> Int {
    var ahead = offset
    while ahead < bytes.count, bytes[ahead] == UInt8(ascii: " ") { ahead += 1 }
    return ahead
  }

  /// Returns the construct that the next `{` opens after this word; `nil` if the word does not determine it.
  func introduced(by word: UnsafeBufferPointer<UInt8>) -> Pending? {
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

  /// Whether the scanner is in a condition, where `let` and `case` bind names.
  var isConditional: Bool {
    if case .block = pending { return true }
    return false
  }

  /// Returns whether the braces of a variable may contain `willSet` or `didSet`. The variable is then stored, not computed.
  func opensObservers() -> Bool {
    var ahead = position + 1
    while ahead < bytes.count, !Self.isWord(bytes[ahead]) {
      // A comment or an attribute may precede an observer, so this function assumes that an observer follows.
      if bytes[ahead] == UInt8(ascii: "/") || bytes[ahead] == UInt8(ascii: "@") { return true }
      ahead += 1
    }
    var end = ahead
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[ahead..<end])
    return Self.equals(word, "willSet") || Self.equals(word, "didSet")
  }
}
