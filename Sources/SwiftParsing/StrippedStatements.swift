/// The statements of one body, and the parts of them that need not be parsed because they cannot contain a string.
///
/// In a body of several statements, a statement is relevant only if it contains a literal or binds a name that a later statement mentions
/// (`FactCompiler.usedStatements`). Of every other statement, the first words are kept, so the parser still reads a body of several statements.
struct StrippedStatements {
  enum Kind {
    case expression
    /// A `let` or `var` with one name.
    case binding(WordSet)
  }

  private enum State {
    /// The scanner is before the first token of a statement.
    case between
    /// The scanner is after a `StatementWord.prefix`, such as `return` or `try`, and before the expression.
    case prefixed
    /// The scanner is in a statement that is kept.
    case kept
    /// The scanner is in a statement that can be removed, except for the part before the offset `keeping`. `quotes` is the number of quotation marks
    /// before that offset.
    case going(Kind, keeping: Int, quotes: Int)
  }

  private struct Statement {
    /// The part that can be removed; `nil` if the whole statement is kept.
    var cut: (kind: Kind, range: Range<Int>)?
    var words: WordSet
  }

  /// Whether this is a body of statements, which is code between braces.
  private let isBody: Bool
  private var state: State
  private var count = 0
  private var done: [Statement] = []
  /// The words of the current statement.
  private var words = WordSet()
  /// The words of all statements.
  private var mentioned = WordSet()

  init(isBody: Bool = false) {
    self.isBody = isBody
    state = isBody ? .between : .kept
  }

  /// Whether the next token is the first token of a statement, or the first token after its `return`, `throw`, `try` or `await`.
  var isBetween: Bool {
    switch state {
    case .between, .prefixed: true
    case .kept, .going: false
    }
  }

  /// Notes that a token was read.
  mutating func go() {
    switch state {
    case .between:
      count += 1
      state = .kept
    case .prefixed: state = .kept
    case .kept, .going: break
    }
  }

  mutating func mention(_ word: UnsafeBufferPointer<UInt8>) { mention(WordSet(word)) }

  private mutating func mention(_ set: WordSet) {
    words.formUnion(set)
    mentioned.formUnion(set)
  }

  /// Notes that the last token is the first word of a statement that can be removed.
  mutating func begin(_ kind: Kind, keeping end: Int, _ quotes: Int) {
    state = .going(kind, keeping: end, quotes: quotes)
  }

  mutating func goOnWithPrefix() { state = .prefixed }

  /// Keeps the current statement. For example, after a comma, the statement may contain more than its first word shows.
  mutating func goOn() { if isBody { state = .kept } }

  /// Notes the end of a statement.
  mutating func end(at position: Int, _ quotes: Int) {
    guard isBody else { return }
    defer {
      state = .between
      words = WordSet()
    }
    if case .going(let kind, let start, quotes) = state, start < position {
      done.append(Statement(cut: (kind, start..<position), words: words))
    } else {
      done.append(Statement(cut: nil, words: words))
    }
  }

  /// Ends the body, or a part that counts as a separate body: the statements of a `case`, or the statements before `#if`.
  /// - Parameter isEnd: whether the following code cannot mention the names that are bound here.
  /// - Returns: the ranges that can be removed.
  mutating func close(isEnd: Bool) -> [Range<Int>] {
    guard isBody else { return [] }
    var cuts: [Range<Int>] = []
    var later = isEnd ? words : .all
    for statement in done.reversed() {
      switch statement.cut {
      case (.expression, let range)?: cuts.append(range)
      case (.binding(let name), let range)? where !name.isSubset(of: later): cuts.append(range)
      case _: later.formUnion(statement.words)
      }
    }
    if count < 2 { cuts = [] }
    done = []
    count = 0
    state = .kept
    return cuts
  }

  /// Notes that an inner bracket was not closed. The mentioned words, here and in the surrounding code, are then uncertain.
  mutating func doubt() { mention(.all) }

  /// Returns the state of these statements after brackets that contain inner statements. The words inside brackets count as words of the statement
  /// that contains the brackets.
  func holding(_ inner: StrippedStatements) -> StrippedStatements {
    var own = self
    own.mention(inner.mentioned)
    return own
  }
}

/// A set of words in a few bits. If the set does not contain a word, the word was never added. If the set contains a word, it may still not have been
/// added, because words share bits.
struct WordSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  static let all: WordSet = {
    var set = WordSet()
    set.low = .max
    set.high = .max
    return set
  }()

  /// - Parameter word: a word, whose leading `_` and `$` (of property wrappers) are ignored.
  init(_ word: UnsafeBufferPointer<UInt8>) {
    var hash: UInt32 = 0
    var isMark = true
    for byte in word {
      if isMark, byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") { continue }
      isMark = false
      hash = hash &* 31 &+ UInt32(byte)
    }
    let bit = UInt64(1) << UInt64(hash & 63)
    if (hash >> 6) & 1 == 0 { low = bit } else { high = bit }
  }

  func isSubset(of other: WordSet) -> Bool { low & ~other.low == 0 && high & ~other.high == 0 }

  mutating func formUnion(_ other: WordSet) {
    low |= other.low
    high |= other.high
  }
}

/// The meaning of the first word of a statement.
enum StatementWord {
  /// The word may begin an expression.
  case operand
  /// A word before an expression: `return`, `throw`, `try` or `await`.
  case prefix
  /// `let` or `var`.
  case binding
  /// `case` or `default`. The statements after the label form a separate body.
  case label
  /// The word begins something other than an expression, or continues the previous statement.
  case other

  init(_ word: UnsafeBufferPointer<UInt8>) {
    self = .operand
    guard word.count < Self.byLength.count else { return }
    for (other, kind) in Self.byLength[word.count] {
      if word.indices.allSatisfy({ word[$0] == other.utf8Start[$0] }) {
        self = kind
        return
      }
    }
  }

  private static let byLength: [[(word: StaticString, kind: StatementWord)]] = {
    let others: [StaticString] = [
      "_modify", "_read", "actor", "any", "as", "associatedtype", "async", "borrow", "break", "catch", "class",
      "consume",
      "continue", "convenience", "copy", "defer", "deinit", "didSet", "discard", "distributed", "do", "dynamic", "each",
      "else", "enum",
      "extension", "fallthrough", "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "in",
      "indirect",
      "infix", "init", "inout", "internal", "is", "isolated", "lazy", "macro", "modify", "mutable", "mutate",
      "mutating", "nonisolated", "nonmutating", "open", "operator", "optional", "override", "package", "postfix",
      "precedencegroup", "prefix", "private", "protocol", "public", "read", "repeat", "required", "rethrows", "sending",
      "set", "some", "static", "struct", "subscript", "switch", "throws", "typealias", "unowned", "unsafe",
      "unsafeAddress", "unsafeMutableAddress", "weak", "where", "while", "willSet", "yield",
    ]
    let all =
      others.map { ($0, StatementWord.other) } + [
        ("case", .label), ("default", .label), ("let", .binding), ("var", .binding),
      ]
      + [("return", .prefix), ("throw", .prefix), ("try", .prefix), ("await", .prefix)]
    return (0...20).map { length in all.filter { $0.0.utf8CodeUnitCount == length }.map { (word: $0.0, kind: $0.1) } }
  }()
}
