extension OldStylePropertyList {
  /// The kind of content at the top level of a file.
  package enum Grammar: Sendable {
    /// One value, as in a project file.
    case value
    /// The entries of a dictionary without its braces, as in a `.strings` table. Braces are allowed too.
    case entries
  }

  /// Parses a file in UTF-8. A byte order mark is skipped.
  ///
  /// The time is linear in the size for any content, and the stack does not grow with the depth. The grammar is that of Core Foundation
  /// (xcode-formats.md F): it allows `/* */` and `//` comments, strings in `"` or `'`, words of letters, digits and `_$/:.-`, a comma after
  /// the last element of an array, and `key;` for `key = key;`.
  /// - Throws: `SyntaxError` with one fault if the file is too large; otherwise with a fault for each position that is not UTF-8 (at most twenty,
  ///   or one fault for UTF-16). If the syntax is wrong or the nesting is too deep, the error contains the conflicts of an unfinished merge, or else
  ///   the first fault.
  package static func parse(
    _ bytes: [UInt8], as grammar: Grammar = .value, limits: PropertyListLimits = PropertyListLimits()
  ) throws(SyntaxError) -> OldStylePropertyList {
    guard bytes.count <= limits.size else {
      throw SyntaxError(
        SyntaxFault(
          kind: .tooLarge, position: TextPosition(offset: 0, line: 1, column: 1),
          message: "the file has \(bytes.count) bytes; the limit is \(limits.size)"))
    }
    guard TextSurvey(bytes.span).firstInvalid == nil else { throw SyntaxError(TextChecks.utf8Faults(in: bytes)) }
    var parser = OldStyleParser(depth: limits.depth)
    parser.nodes.reserveCapacity(bytes.count / 20)
    do {
      try parser.parse(bytes.span, as: grammar)
    } catch {
      let conflicts = TextChecks.conflictFaults(in: bytes)
      guard conflicts.isEmpty else { throw SyntaxError(conflicts) }
      throw SyntaxError(
        SyntaxFault(
          kind: error.kind, position: TextPosition(offset: error.offset, in: bytes), message: error.message,
          hint: error.hint))
    }
    return OldStylePropertyList(bytes: bytes, nodes: parser.nodes)
  }
}

/// The parser: one loop over the bytes, with its own stack of open dictionaries and arrays.
struct OldStyleParser {
  var nodes: [OldStylePropertyList.Node] = []
  private let depth: Int
  /// The node indices of the open dictionaries and arrays.
  private var open: [Int] = []

  init(depth: Int) { self.depth = depth }

  /// A fault without its line and column.
  struct Stop: Error {
    var kind: SyntaxFault.Kind
    var offset: Int
    var message: String
    var hint: String?
  }

  private enum Expected {
    case value, element, elementEnd, key, equals, semicolon
  }

  mutating func parse(_ bytes: Span<UInt8>, as grammar: OldStylePropertyList.Grammar) throws(Stop) {
    var index = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    try OldStyleScan.skipSpace(bytes, &index)
    var expected = Expected.value
    /// Whether the root has no braces.
    var isBare = false
    if grammar == .entries, index == bytes.count || bytes[index] != UInt8(ascii: "{") {
      isBare = true
      open.append(0)
      append(.dictionary, 0, bytes.count)
      expected = .key
    }
    while true {
      try OldStyleScan.skipSpace(bytes, &index)
      guard index < bytes.count else {
        guard isBare, open.count == 1, expected == .key else { throw endOfFile(bytes.count, isBare) }
        close(0, at: bytes.count)
        return
      }
      let byte = bytes[index]
      switch expected {
      case .key:
        if byte == UInt8(ascii: "}"), !(isBare && open.count == 1) {
          if closeInnermost(&index) { return try end(bytes, index) }
          expected = isDictionaryOpen ? .semicolon : .elementEnd
        } else {
          try text(byte, bytes, &index, "a key")
          expected = .equals
        }
      case .equals:
        if byte == UInt8(ascii: "=") {
          index += 1
          expected = .value
        } else if byte == UInt8(ascii: ";") {
          nodes[nodes.count - 1].isShorthand = true
          index += 1
          expected = .key
        } else {
          throw Stop(
            kind: .syntax, offset: index, message: "expected '=' after a key, found \(JSONScan.name(byte))")
        }
      case .element where byte == UInt8(ascii: ")"):
        if closeInnermost(&index) { return try end(bytes, index) }
        expected = isDictionaryOpen ? .semicolon : .elementEnd
      case .value, .element:
        if try value(byte, bytes, &index) {
          expected = byte == UInt8(ascii: "{") ? .key : .element
        } else {
          guard !open.isEmpty else { return try end(bytes, index) }
          expected = isDictionaryOpen ? .semicolon : .elementEnd
        }
      case .semicolon:
        guard byte == UInt8(ascii: ";") else {
          throw Stop(
            kind: .syntax, offset: index, message: "expected ';' after a value, found \(JSONScan.name(byte))")
        }
        index += 1
        expected = .key
      case .elementEnd:
        if byte == UInt8(ascii: ",") {
          index += 1
          expected = .element
        } else if byte == UInt8(ascii: ")") {
          if closeInnermost(&index) { return try end(bytes, index) }
          expected = isDictionaryOpen ? .semicolon : .elementEnd
        } else {
          throw Stop(
            kind: .syntax, offset: index, message: "expected ',' or ')', found \(JSONScan.name(byte))")
        }
      }
    }
  }

  private var isDictionaryOpen: Bool { open.last.map { nodes[$0].kind == .dictionary } ?? false }

  /// Reads a value, or only the opening bracket of a dictionary or an array.
  /// - Returns: whether a dictionary or an array was opened.
  private mutating func value(_ byte: UInt8, _ bytes: Span<UInt8>, _ index: inout Int) throws(Stop) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      guard open.count < depth else {
        throw Stop(kind: .tooDeep, offset: index, message: "nested deeper than \(depth) levels")
      }
      open.append(nodes.count)
      append(byte == UInt8(ascii: "{") ? .dictionary : .array, index, index + 1)
      index += 1
      return true
    case UInt8(ascii: "<"):
      let start = index
      try OldStyleScan.data(bytes, &index)
      append(.data, start, index)
    default:
      try text(byte, bytes, &index, "a value")
    }
    return false
  }

  /// Reads a string or a word.
  private mutating func text(
    _ byte: UInt8, _ bytes: Span<UInt8>, _ index: inout Int, _ what: StaticString
  ) throws(Stop) {
    let start = index
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      let isEscaped = try OldStyleScan.string(bytes, &index)
      append(.string, start, index)
      nodes[nodes.count - 1].isEscaped = isEscaped
    } else {
      while index < bytes.count, OldStyleScan.isWord(bytes[index]) { index += 1 }
      guard index > start else {
        throw Stop(kind: .syntax, offset: start, message: "expected \(what), found \(JSONScan.name(byte))")
      }
      append(.word, start, index)
    }
  }

  private mutating func append(_ kind: OldStylePropertyList.Kind, _ start: Int, _ end: Int) {
    nodes.append(
      OldStylePropertyList.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), kind: kind))
  }

  /// Closes the innermost dictionary or array.
  /// - Returns: whether the closed dictionary or array was the root.
  private mutating func closeInnermost(_ index: inout Int) -> Bool {
    index += 1
    close(open.removeLast(), at: index)
    return open.isEmpty
  }

  private mutating func close(_ container: Int, at end: Int) {
    nodes[container].end = UInt32(truncatingIfNeeded: end)
    nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
  }

  private func end(_ bytes: Span<UInt8>, _ after: Int) throws(Stop) {
    var index = after
    try OldStyleScan.skipSpace(bytes, &index)
    guard index == bytes.count else {
      throw Stop(
        kind: .syntax, offset: index, message: "expected the end of the file, found \(JSONScan.name(bytes[index]))")
    }
  }

  private func endOfFile(_ offset: Int, _ isBare: Bool) -> Stop {
    if nodes.isEmpty { return Stop(kind: .empty, offset: offset, message: "the file is empty") }
    let levels = open.count - (isBare ? 1 : 0)
    return Stop(
      kind: .truncated, offset: offset,
      message: levels == 0
        ? "the file ends within an entry"
        : "the file ends within \(levels) open dictionar\(levels == 1 ? "y or array" : "ies or arrays")",
      hint: "the file is incomplete; copy it again or check it out again")
  }
}
