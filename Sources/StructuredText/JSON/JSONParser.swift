/// The limits of a JSON file.
package struct JSONLimits: Hashable, Sendable {
  /// The maximum nesting depth of objects and arrays.
  package var depth: Int
  /// The maximum size in bytes, less than 4 GiB.
  package var size: Int
  /// The maximum number of values and keys. Each takes 16 bytes of memory, and Xcode's files have about one value or key per 20 bytes.
  package var values: Int

  package init(depth: Int = 256, size: Int = 1 << 29, values: Int = 1 << 25) {
    self.depth = depth
    self.size = min(size, Int(UInt32.max) - 1)
    self.values = values
  }
}

extension JSONDocument {
  /// Parses a file by the grammar of RFC 8259. A UTF-8 byte order mark is skipped.
  ///
  /// The time is linear in the size for any content, and the stack does not grow with the depth. Duplicate keys are accepted;
  /// `duplicateKeys()` finds them.
  /// - Throws: `SyntaxError`. It contains one fault if the file is too large or in UTF-16, and otherwise a fault for each position that is not UTF-8
  ///   (at most twenty). If the syntax is wrong or another limit is exceeded, it contains the conflicts of an unfinished merge, or else the first
  ///   fault.
  package static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(SyntaxError) -> JSONDocument {
    guard bytes.count <= limits.size else {
      throw SyntaxError(
        SyntaxFault(
          kind: .tooLarge, position: TextPosition(offset: 0, line: 1, column: 1),
          message: "the file has \(bytes.count) bytes; the limit is \(limits.size)"))
    }
    let survey = TextSurvey(bytes.span)
    guard survey.firstInvalid == nil else { throw SyntaxError(TextChecks.utf8Faults(in: bytes)) }
    var parser = JSONParser(limits)
    do {
      try parser.parse(bytes.span)
    } catch {
      if let fault = TextChecks.wideFault(in: bytes) { throw SyntaxError(fault) }
      let conflicts = TextChecks.conflictFaults(in: bytes)
      guard conflicts.isEmpty else { throw SyntaxError(conflicts) }
      throw SyntaxError(
        SyntaxFault(
          kind: error.kind, position: TextPosition(offset: error.offset, in: bytes), message: error.message,
          hint: error.hint))
    }
    return JSONDocument(
      bytes: bytes, nodes: parser.nodes, firstEmpty: parser.firstEmpty.map(JSONNode.init(index:)),
      holdsRawLineSeparators: survey.holdsLineSeparators)
  }
}

extension JSONDocument {
  /// Returns the object that begins at an offset in a larger file as a separate document; `nil` if there is no complete object in valid UTF-8.
  package static func object(at offset: Int, in bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONDocument? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "{") else { return nil }
    var parser = JSONParser(limits, isPrefix: true)
    do { try parser.parse(bytes.span.extracting(offset..<bytes.count)) } catch { return nil }
    guard let root = parser.nodes.first else { return nil }
    let own = Array(bytes[offset..<offset + Int(root.end)])
    let survey = TextSurvey(own.span)
    guard survey.firstInvalid == nil else { return nil }
    return JSONDocument(
      bytes: own, nodes: parser.nodes, firstEmpty: parser.firstEmpty.map(JSONNode.init(index:)),
      holdsRawLineSeparators: survey.holdsLineSeparators)
  }
}

extension JSONDocument {
  /// Returns the string that begins at an offset in a file, and the offset after it; `nil` if there is no complete string in valid UTF-8.
  package static func string(at offset: Int, in bytes: [UInt8]) -> (text: String, end: Int)? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return nil }
    var end = offset
    guard (try? JSONScan.string(bytes.span, &end)) != nil else { return nil }
    let own = Array(bytes[offset + 1..<end - 1])
    guard TextSurvey(own.span).firstInvalid == nil else { return nil }
    var decoded: [UInt8] = []
    JSONText.decode(own, 0..<own.count, into: &decoded)
    return (String(decoding: decoded, as: UTF8.self), end)
  }
}

/// A fault without its line and column.
struct JSONStop: Error {
  var kind: SyntaxFault.Kind
  var offset: Int
  var message: String
  var hint: String?
}

/// The parser: one loop over the bytes, with its own stack of open objects and arrays.
struct JSONParser {
  var nodes: [JSONDocument.Node] = []
  /// The index of the first empty object or array; `nil` if there is none so far.
  private(set) var firstEmpty: Int?
  private let limits: JSONLimits
  /// The node indices of the open objects and arrays.
  private var open: [Int] = []
  /// Whether other content may follow the value.
  private let isPrefix: Bool

  init(_ limits: JSONLimits, isPrefix: Bool = false) {
    self.limits = limits
    self.isPrefix = isPrefix
  }

  private enum Expected {
    case value, valueOrEnd, key, keyOrEnd, commaOrEnd
  }

  mutating func parse(_ bytes: Span<UInt8>) throws(JSONStop) {
    // Xcode's files need less capacity. Reserving too much memory is cheaper than copying the nodes once.
    nodes.reserveCapacity(isPrefix ? 64 : min(bytes.count / 12 + 16, limits.values))
    var index = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    var expected = Expected.value
    while true {
      JSONScan.skipSpace(bytes, &index)
      guard index < bytes.count else { throw endOfFile(bytes.count) }
      guard nodes.count < limits.values else {
        throw JSONStop(kind: .tooLarge, offset: index, message: "more than \(limits.values) keys and values")
      }
      let byte = bytes[index]
      switch expected {
      case .key, .keyOrEnd:
        if byte == UInt8(ascii: "\"") {
          try string(bytes, &index)
          JSONScan.skipSpace(bytes, &index)
          guard index < bytes.count else { throw endOfFile(bytes.count) }
          guard bytes[index] == UInt8(ascii: ":") else {
            throw JSONStop(kind: .syntax, offset: index, message: "expected ':' after a key")
          }
          index += 1
          expected = .value
        } else if byte == UInt8(ascii: "}"), expected == .keyOrEnd {
          guard close(&index) else { return try end(bytes, index) }
          expected = .commaOrEnd
        } else {
          let afterComma = expected == .key && byte == UInt8(ascii: "}")
          throw JSONStop(
            kind: .syntax, offset: index,
            message: afterComma
              ? "expected a key after ',', found '}'" : "expected a key in quotes, found \(JSONScan.name(byte))",
            hint: afterComma ? "remove the comma before it" : nil)
        }
      case .value, .valueOrEnd:
        if byte == UInt8(ascii: "]"), expected == .valueOrEnd {
          guard close(&index) else { return try end(bytes, index) }
          expected = .commaOrEnd
        } else if try value(byte, bytes, &index) {
          expected = bytes[index - 1] == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
        } else {
          guard !open.isEmpty else { return try end(bytes, index) }
          expected = .commaOrEnd
        }
      case .commaOrEnd:
        let isObject = nodes[open[open.count - 1]].kind == .object
        if byte == UInt8(ascii: ",") {
          index += 1
          expected = isObject ? .key : .value
        } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          guard close(&index) else { return try end(bytes, index) }
        } else {
          throw JSONStop(
            kind: .syntax, offset: index,
            message: "expected ',' or '\(isObject ? "}" : "]")', found \(JSONScan.name(byte))")
        }
      }
    }
  }

  /// Reads a value, or only the opening bracket of an object or an array.
  /// - Returns: whether an object or an array was opened.
  private mutating func value(_ byte: UInt8, _ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) -> Bool {
    switch byte {
    case UInt8(ascii: "\""):
      try string(bytes, &index)
      return false
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < limits.depth else {
        throw JSONStop(kind: .tooDeep, offset: index, message: "nested deeper than \(limits.depth) levels")
      }
      open.append(nodes.count)
      append(byte == UInt8(ascii: "{") ? .object : .array, index, index + 1)
      index += 1
      return true
    case UInt8(ascii: "t"): try word("true", .boolean, bytes, &index)
    case UInt8(ascii: "f"): try word("false", .boolean, bytes, &index)
    case UInt8(ascii: "n"): try word("null", .null, bytes, &index)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = index
      try JSONScan.number(bytes, &index)
      append(.number, start, index)
    default:
      throw JSONStop(kind: .syntax, offset: index, message: "expected a value, found \(JSONScan.name(byte))")
    }
    return false
  }

  private mutating func string(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) {
    let start = index
    let isEscaped = try JSONScan.string(bytes, &index)
    append(.string, start, index)
    nodes[nodes.count - 1].isEscaped = isEscaped
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONDocument.Kind, _ bytes: Span<UInt8>, _ index: inout Int
  ) throws(JSONStop) {
    let start = index
    for expected in word.description.utf8 {
      guard index < bytes.count else { throw endOfFile(index) }
      guard bytes[index] == expected else {
        throw JSONStop(kind: .syntax, offset: start, message: "expected '\(word)'")
      }
      index += 1
    }
    append(kind, start, index)
  }

  private mutating func append(_ kind: JSONDocument.Kind, _ start: Int, _ end: Int) {
    nodes.append(
      JSONDocument.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), kind: kind, isEscaped: false))
  }

  /// Closes the innermost object or array.
  /// - Returns: whether another object or array is still open.
  private mutating func close(_ index: inout Int) -> Bool {
    index += 1
    let container = open.removeLast()
    if firstEmpty == nil, container == nodes.count - 1 { firstEmpty = container }
    nodes[container].end = UInt32(truncatingIfNeeded: index)
    nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
    return !open.isEmpty
  }

  private func end(_ bytes: Span<UInt8>, _ after: Int) throws(JSONStop) {
    guard !isPrefix else { return }
    var index = after
    JSONScan.skipSpace(bytes, &index)
    guard index == bytes.count else {
      throw JSONStop(
        kind: .syntax, offset: index, message: "expected the end of the file, found \(JSONScan.name(bytes[index]))")
    }
  }

  private func endOfFile(_ offset: Int) -> JSONStop {
    nodes.isEmpty
      ? JSONStop(kind: .empty, offset: offset, message: "the file is empty")
      : JSONStop(
        kind: .truncated, offset: offset,
        message:
          "the file ends within \(open.isEmpty ? "a value" : "\(open.count) open object\(open.count == 1 ? " or array" : "s or arrays")")",
        hint: "the file is incomplete; copy it again or check it out again")
  }
}
