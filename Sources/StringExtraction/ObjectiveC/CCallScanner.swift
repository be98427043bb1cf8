import SDKDeclarations
import StructuredText
import SwiftFacts
import SwiftParsing

/// A scanner that finds the calls of a C-family source in one pass over its tokens. Like genstrings, it uses names and text, without a preprocessor.
struct CCallScanner {
  /// The maximum number of faults of one kind in one file. More faults would add no information.
  static let faultLimit = 100
  /// Words before a parenthesis that are not callees.
  static let keywords: Set<String> = ["if", "while", "for", "switch", "return", "sizeof"]

  let bytes: [UInt8]
  let isProse: Bool
  let lines: LineTable
  var lexer: CLexer
  var frames = CCallFrames()
  var conditionals = CConditionals()
  var definition: Definition?
  /// The identifier before the current token.
  var previous: Range<Int>?
  /// The start of the current group that `#if 0` or `#elif 0` excludes; `nil` outside such groups.
  var offStart: Int?
  var offRanges: [Range<Int>] = []
  var facts = CFileFacts()
  /// The unfinished merges of the file, computed at the first marker.
  private var mergeRegions: [MergeRegion]?
  /// The number of faults of each kind, by its raw value.
  var faults = [Int](repeating: 0, count: CFault.Kind.allCases.count)

  /// A `#define` whose body is being read.
  struct Definition {
    var name: String
    /// The parameters; `nil` for a macro without a parameter list.
    var parameters: Set<String>?
    /// The open brackets around the directive.
    var outside: CCallFrames
  }

  /// Returns the facts of a source, including the calls in comments and in groups that `#if 0` or `#elif 0` excludes.
  /// - Parameter bytes: UTF-8 without a byte order mark.
  static func scan(_ bytes: [UInt8]) -> CFileFacts {
    let lines = bytes.withUnsafeBufferPointer { LineTable($0) }
    var scanner = CCallScanner(bytes, 0..<bytes.count, lines, isProse: false)
    scanner.run()
    for range in scanner.quietRanges where bytes[range].contains(UInt8(ascii: "\"")) {
      var prose = CCallScanner(bytes, range, lines, isProse: true)
      prose.run()
      scanner.facts.calls += prose.facts.calls
    }
    return scanner.facts
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, _ lines: LineTable, isProse: Bool) {
    self.bytes = bytes
    self.isProse = isProse
    self.lines = lines
    lexer = CLexer(bytes, range, isProse: isProse)
  }

  /// The ranges of comments, and of groups that `#if 0` or `#elif 0` excludes. A comment inside such a group is part of the group's range.
  var quietRanges: [Range<Int>] {
    var off = offRanges[...]
    let comments = lexer.comments.filter { comment in
      while let first = off.first, first.upperBound <= comment.lowerBound { off = off.dropFirst() }
      return off.first.map { !$0.overlaps(comment) } ?? true
    }
    return comments + offRanges
  }

  mutating func run() {
    while true {
      let token = lexer.next()
      switch token {
      case .end:
        finish()
        return
      case .directive:
        previous = nil
        directive()
      case .directiveEnd:
        previous = nil
        endDefinition()
      default:
        if !conditionals.isSkipping { read(token) }
      }
    }
  }

  mutating func finish() {
    for frame in frames.trim(to: 1) { giveUp(frame) }
    if let start = offStart { offRanges.append(start..<bytes.count) }
    if let comment = lexer.openComment { fault(.openComment, at: comment) }
  }

  // MARK: tokens

  mutating func read(_ token: CLexer.Token) {
    let before = previous
    previous = nil
    switch token {
    case .identifier(let range):
      previous = range
      frames.add(name: range)
    case .number(let range): frames.add(name: range)
    case .literal(let literal): self.literal(literal)
    case .mark(let mark):
      switch mark {
      case UInt8(ascii: "("): openParenthesis(before)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        frames.addOther()
        open(mark, name: nil)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(mark)
      case UInt8(ascii: ","): frames.endArgument()
      case UInt8(ascii: ";"):
        for frame in frames.endStatement() { giveUp(frame) }
        frames.addOther()
      case UInt8(ascii: "<") where skipMergeRegion(), UInt8(ascii: ">") where skipMergeRegion(): break
      default: frames.addOther()
      }
    case .directive, .directiveEnd, .end: break
    }
  }

  /// Reports and skips the lines of an unfinished merge if the first of these lines begins at the current token. Returns whether it did.
  private mutating func skipMergeRegion() -> Bool {
    guard MergeRegion.isMarker(bytes[lexer.start], at: lexer.start, in: bytes) else { return false }
    if mergeRegions == nil { mergeRegions = MergeRegion.all(in: bytes) }
    guard let region = mergeRegions?.first(where: { $0.start.offset == lexer.start }) else { return false }
    fault(.mergeRegion, at: lexer.start, lastLine: Int32(clamping: region.lastLine ?? 0))
    lexer.index = region.end
    return true
  }

  mutating func literal(_ literal: CLiteral) {
    let isText = literal.isClosed && !literal.text.contains(0) && Self.isUTF8(literal.text)
    let kind: CFault.Kind = literal.isClosed ? .unreadableLiteral : .openLiteral
    if !isText, hasRoom(for: kind) {
      let call = frames.openCalls.first { text($0) != "CFSTR" }
      fault(kind, at: lexer.start, name: call.map(text) ?? "")
    }
    frames.add(literal, start: lexer.start, isReadable: isText)
  }

  static func isUTF8(_ bytes: [UInt8]) -> Bool { (try? UTF8Span(validating: bytes.span)) != nil }

  mutating func openParenthesis(_ before: Range<Int>?) {
    let name = before.flatMap { Self.keywords.contains(text($0)) ? nil : $0 }
    if let name {
      if text(name) == "CFSTR", case .name(name) = frames.current {
        frames.replaceArgument(.empty)
      } else {
        frames.addOther()
      }
    } else if case .empty = frames.current, frames.depth == 1 {
      // The body of a macro is often enclosed in parentheses.
    } else {
      frames.addOther()
    }
    open(UInt8(ascii: "("), name: name)
  }

  mutating func open(_ bracket: UInt8, name: Range<Int>?) {
    if frames.open(bracket, name: name, start: name?.lowerBound ?? lexer.start) {
      fault(.deepNesting, at: lexer.start)
    }
  }

  mutating func close(_ bracket: UInt8) {
    let (closed, lost) = frames.close(bracket)
    for frame in lost { giveUp(frame) }
    guard let closed else { return }
    if let name = closed.name {
      if text(name) == "CFSTR" { standIn(for: closed) }
      record(closed)
    } else if closed.bracket == UInt8(ascii: "("), frames.depth == 1 {
      standIn(for: closed)
    }
  }

  /// Replaces the brackets of `CFSTR("…")` or `("…")` with their literal. Brackets with any other content count as an expression. Does nothing
  /// if the argument has other content before the brackets.
  mutating func standIn(for frame: CCallFrames.Frame) {
    guard case .empty = frames.current else { return }
    if frame.finished.count == 1, case .literal = frame.finished[0] {
      frames.replaceArgument(frame.finished[0])
    } else {
      frames.addOther()
    }
  }

  // MARK: calls

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Reports an unclosed call, and records it with the arguments that were read. Does nothing in the definition of a macro.
  mutating func giveUp(_ frame: CCallFrames.Frame) {
    guard let name = frame.name, definition == nil else { return }
    fault(.openCall, at: frame.start, name: text(name))
    record(frame, isWhole: false)
  }

  mutating func record(_ frame: CCallFrames.Frame, isWhole: Bool = true) {
    guard let range = frame.name, let first = frame.finished.first else { return }
    let name = text(range)
    switch first {
    case .literal(_, let start, true):
      facts.calls.append(
        CCall(
          name: name, arguments: frame.finished.map(argument), place: place(start), isCommentedOut: isProse))
    case .literal, .empty: break
    case .name, .expression:
      guard isWhole, LocalizingMacros.sdk[name] != nil else { return }
      if case .name(let key) = first, let definition, definition.parameters?.contains(text(key)) == true {
        fault(.wrappedKey, at: frame.start, name: definition.name)
      } else {
        fault(.computedKey, at: frame.start, name: name)
      }
    }
  }

  func argument(_ argument: CCallFrames.Argument) -> CArgument {
    switch argument {
    case .empty: return .absent
    case .literal(let bytes, _, true): return .literal(String(decoding: bytes, as: UTF8.self))
    case .literal, .expression: return .expression
    case .name(let range):
      let name = text(range)
      return ["nil", "NULL", "Nil", "nullptr", "0"].contains(name) ? .absent : .name(name)
    }
  }

  func place(_ offset: Int) -> SourcePlace {
    let place = lines.place(of: offset)
    return SourcePlace(line: Int32(clamping: place.line), column: Int32(clamping: place.column))
  }

  func hasRoom(for kind: CFault.Kind) -> Bool { faults[Int(kind.rawValue)] < Self.faultLimit }

  mutating func fault(_ kind: CFault.Kind, at offset: Int, name: String = "", lastLine: Int32 = 0) {
    guard !isProse, hasRoom(for: kind) else { return }
    faults[Int(kind.rawValue)] += 1
    facts.faults.append(CFault(kind: kind, place: place(offset), name: name, lastLine: lastLine))
  }
}
