/// The statements of one body, of which those that can hold no string need not be parsed.
///
/// Of a body of several statements only those count that hold a literal, or bind a name that a later one mentions
/// (`FactCompiler.usedStatements`). Of another its first words are left, so that what stands around it stays a body of several statements.
struct StrippedStatements {
  enum Kind {
    case expression
    /// `let`, `var` of one name.
    case binding(WordSet)
  }

  private enum State {
    /// Before the first token of a statement.
    case between
    /// After `return` or `try`, before what it is about.
    case prefixed
    /// Within a statement that stays as it is.
    case kept
    /// Within one that may go, but for what stands before an offset; and how many quotation marks stood before it.
    case going(Kind, keeping: Int, quotes: Int)
  }

  private struct Statement {
    /// What of it may go; nothing where it stays.
    var cut: (kind: Kind, range: Range<Int>)?
    var words: WordSet
  }

  /// Whether statements stand here: between the braces of code, and nowhere else.
  private let isBody: Bool
  private var state: State
  private var count = 0
  private var done: [Statement] = []
  /// What was mentioned since the last one ended.
  private var words = WordSet()
  /// What was mentioned at all.
  private var mentioned = WordSet()

  init(isBody: Bool = false) {
    self.isBody = isBody
    state = isBody ? .between : .kept
  }

  /// Whether the next token is the first of a statement, or what a statement's first word is about.
  var isBetween: Bool {
    switch state {
    case .between, .prefixed: true
    case .kept, .going: false
    }
  }

  /// A token was read.
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

  /// The token that was read is the first word of a statement that may go.
  mutating func begin(_ kind: Kind, keeping end: Int, _ quotes: Int) {
    state = .going(kind, keeping: end, quotes: quotes)
  }

  mutating func goOnWithPrefix() { state = .prefixed }

  /// A comma: the statement is more than it seems.
  mutating func goOn() { if isBody { state = .kept } }

  /// A statement ended.
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

  /// The body ended, or a part of it that may be a body of its own: the statements of a case, or what stands before `#if`.
  /// - Parameter isEnd: whether what comes now cannot mention what was bound.
  /// - Returns: what can go.
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

  /// A bracket within was not closed: what is mentioned here is not certain, nor what is around it.
  mutating func doubt() { mention(.all) }

  /// What brackets held is mentioned by the statement that they stand in.
  func holding(_ inner: StrippedStatements) -> StrippedStatements {
    var own = self
    own.mention(inner.mentioned)
    return own
  }
}

/// Words, as far as few bits tell them apart: what is not in it was not put in.
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

  /// - Parameter word: the marks that a property wrapper's names begin with do not count.
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

/// What the first word of a statement tells of it.
enum StatementWord {
  /// It may begin an expression.
  case operand
  /// `return`, `throw`, `try`, `await`: an expression follows.
  case prefix
  /// `let`, `var`
  case binding
  /// `case`, `default`: the statements after it are a body of their own.
  case label
  /// It begins something else than an expression, or goes on with what stands before.
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
