import SwiftFacts

/// The open brackets of a C-family source, and the calls that they open.
struct CCallFrames {
  /// The content of an argument, which may still be read.
  enum Argument {
    case empty
    case literal([UInt8], start: Int, isReadable: Bool)
    case name(Range<Int>)
    case expression
  }

  struct Frame {
    /// The opening bracket; 0 for the text outside all brackets.
    var bracket: UInt8
    /// The callee, if the bracket opens a call.
    var name: Range<Int>?
    var finished: [Argument] = []
    /// The start of the callee or bracket.
    var start: Int
    private var state: Argument = .empty
    /// The text of a literal argument so far. It is not in `state`, because each append would then copy the text.
    private var text: [UInt8] = []

    init(bracket: UInt8, name: Range<Int>? = nil, start: Int) {
      self.bracket = bracket
      self.name = name
      self.start = start
    }

    var argument: Argument {
      get {
        guard case .literal(_, let start, let isReadable) = state else { return state }
        return .literal(text, start: start, isReadable: isReadable)
      }
      set {
        text = []
        state = newValue
        guard case .literal(let bytes, let start, let isReadable) = newValue else { return }
        text = bytes
        state = .literal([], start: start, isReadable: isReadable)
      }
    }

    mutating func add(_ literal: CLiteral, start: Int, isReadable: Bool) {
      switch state {
      case .empty: argument = .literal(literal.text, start: start, isReadable: isReadable)
      case .literal(_, let first, let wasReadable):
        text.append(contentsOf: literal.text)
        state = .literal([], start: first, isReadable: wasReadable && isReadable)
      case .name, .expression: argument = .expression
      }
    }
  }

  /// The number of arguments of the longest localizing call: `…WithDefaultValue(key, table, bundle, value, comment)`.
  static let longestCall = 5
  /// The maximum depth. Deeper brackets are only counted.
  static let depthLimit = 2000

  private(set) var frames: [Frame] = [Frame(bracket: 0, start: 0)]
  /// The number of open brackets beyond the limit.
  private var overflow = 0
  private var openBraces = 0

  var depth: Int { frames.count }
  /// The argument that is being read; `.expression` if the brackets are nested too deeply.
  var current: Argument { overflow == 0 ? frames[frames.count - 1].argument : .expression }

  /// The callees of the open calls, innermost first.
  var openCalls: some Sequence<Range<Int>> { frames.reversed().lazy.compactMap(\.name) }

  // MARK: arguments

  mutating func add(_ literal: CLiteral, start: Int, isReadable: Bool) {
    guard overflow == 0 else { return }
    frames[frames.count - 1].add(literal, start: start, isReadable: isReadable)
  }

  mutating func add(name: Range<Int>) {
    guard overflow == 0 else { return }
    let last = frames.count - 1
    if case .empty = frames[last].argument {
      frames[last].argument = .name(name)
    } else {
      frames[last].argument = .expression
    }
  }

  mutating func addOther() {
    if overflow == 0 { frames[frames.count - 1].argument = .expression }
  }

  mutating func endArgument() {
    guard overflow == 0 else { return }
    let last = frames.count - 1
    guard frames[last].name != nil else {
      frames[last].argument = .expression
      return
    }
    if frames[last].finished.count < Self.longestCall { frames[last].finished.append(frames[last].argument) }
    frames[last].argument = .empty
  }

  // MARK: brackets

  /// Opens a bracket.
  /// - Parameter name: the callee, if the bracket opens a call.
  /// - Returns: whether this is the first bracket beyond the limit.
  mutating func open(_ bracket: UInt8, name: Range<Int>?, start: Int) -> Bool {
    guard overflow == 0, frames.count < Self.depthLimit else {
      overflow += 1
      return overflow == 1
    }
    if bracket == UInt8(ascii: "{") { openBraces += 1 }
    frames.append(Frame(bracket: bracket, name: name, start: start))
    return false
  }

  /// Closes the matching bracket, and abandons the brackets inside it that are still open.
  /// - Returns: the closed frame, and the abandoned calls, innermost first. The frame is `nil` if the bracket closes nothing.
  mutating func close(_ bracket: UInt8) -> (closed: Frame?, lost: [Frame]) {
    guard overflow == 0 else {
      overflow -= 1
      return (nil, [])
    }
    let opening: UInt8 =
      switch bracket {
      case UInt8(ascii: ")"): UInt8(ascii: "(")
      case UInt8(ascii: "]"): UInt8(ascii: "[")
      default: UInt8(ascii: "{")
      }
    guard let last = frames.last, last.bracket != 0 else { return (nil, []) }
    if last.bracket == opening { return (pop(), []) }
    // Braces separate statements, so only a brace closes other brackets that are still open. An unmatched `)` or `]` is ignored.
    guard opening == UInt8(ascii: "{"), openBraces > 0 else { return (nil, []) }
    let lost = trim { $0 == opening }
    return (pop(), lost)
  }

  /// Ends a statement. The calls that are still open inside the innermost braces are abandoned and returned. Does nothing if the innermost open
  /// bracket does not open a call.
  mutating func endStatement() -> [Frame] {
    guard overflow == 0, let last = frames.last, last.name != nil else { return [] }
    return trim { $0 == 0 || $0 == UInt8(ascii: "{") }
  }

  /// Abandons the brackets that were opened beyond `depth`, and returns the calls among them, innermost first.
  mutating func trim(to depth: Int) -> [Frame] {
    var lost: [Frame] = []
    overflow = 0
    while frames.count > max(1, depth), let frame = pop() {
      if frame.name != nil { lost.append(frame) }
    }
    return lost
  }

  private mutating func trim(until isEnd: (UInt8) -> Bool) -> [Frame] {
    var lost: [Frame] = []
    while let last = frames.last, !isEnd(last.bracket), frames.count > 1, let frame = pop() {
      if frame.name != nil { lost.append(frame) }
    }
    return lost
  }

  private mutating func pop() -> Frame? {
    guard frames.count > 1, var frame = frames.popLast() else { return nil }
    if frame.bracket == UInt8(ascii: "{") { openBraces -= 1 }
    if frame.finished.count < Self.longestCall { frame.finished.append(frame.argument) }
    return frame
  }

  /// Replaces the current argument, for example with the literal that a call of `CFSTR` contains.
  mutating func replaceArgument(_ argument: Argument) {
    if overflow == 0 { frames[frames.count - 1].argument = argument }
  }
}
