import Localization
import SwiftFacts

/// The compact binary format of the facts of a C-family file. Facts are cached in this format, by blob id and ``CFileFacts/version``.
///
/// The format consists of a table of the strings, in the order of their first use, and the facts, whose fields are identified by their position.
/// Numbers are encoded as LEB128 (`Varint`).
enum CFactsEncoding {
  static func encode(_ facts: CFileFacts) -> [UInt8] {
    var writer = Writer()
    writer.number(facts.calls.count)
    for call in facts.calls {
      writer.string(call.name)
      writer.place(call.place)
      writer.number(call.arguments.count << 1 | (call.isCommentedOut ? 1 : 0))
      for argument in call.arguments { writer.argument(argument) }
    }
    writer.number(facts.constants.count)
    for constant in facts.constants {
      writer.string(constant.name)
      writer.string(constant.value)
    }
    writer.number(facts.faults.count)
    for fault in facts.faults {
      writer.number(Int(fault.kind.rawValue))
      writer.place(fault.place)
      writer.string(fault.name)
      writer.number(Int(fault.lastLine))
    }
    return writer.finish()
  }

  /// - Returns: `nil` if the bytes are not in this format.
  static func decode(_ bytes: [UInt8]) -> CFileFacts? {
    var reader = Reader(bytes)
    guard let facts = reader.facts(), reader.isAtEnd else { return nil }
    return facts
  }

  private struct Writer {
    var body: [UInt8] = []
    var indices: [[UInt8]: Int] = [:]
    var strings: [[UInt8]] = []

    mutating func number(_ value: Int) { Varint.append(value, to: &body) }

    mutating func string(_ value: String) {
      let value = Array(value.utf8)
      let index = indices[value] ?? strings.count
      if index == strings.count {
        indices[value] = index
        strings.append(value)
      }
      number(index)
    }

    mutating func place(_ place: SourcePlace) {
      number(Int(place.line))
      number(Int(place.column))
    }

    mutating func argument(_ argument: CArgument) {
      switch argument {
      case .absent: body.append(0)
      case .expression: body.append(1)
      case .literal(let text):
        body.append(2)
        string(text)
      case .name(let name):
        body.append(3)
        string(name)
      }
    }

    func finish() -> [UInt8] {
      var bytes: [UInt8] = []
      Varint.append(strings.count, to: &bytes)
      for string in strings {
        Varint.append(string.count, to: &bytes)
        bytes += string
      }
      return bytes + body
    }
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var strings: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func facts() -> CFileFacts? {
      guard readStrings() else { return nil }
      var facts = CFileFacts()
      guard let calls = list({ $0.call() }) else { return nil }
      facts.calls = calls
      guard
        let constants = list({ reader -> CConstant? in
          guard let name = reader.string(), let value = reader.string() else { return nil }
          return CConstant(name: name, value: value)
        }),
        let faults = list({ $0.fault() })
      else { return nil }
      facts.constants = constants
      facts.faults = faults
      return facts
    }

    private mutating func readStrings() -> Bool {
      let read = list { reader -> String? in
        guard let count = reader.number(), count <= reader.bytes.count - reader.index else { return nil }
        let text = reader.bytes[reader.index..<(reader.index + count)]
        reader.index += count
        return String(validating: text, as: UTF8.self)
      }
      guard let read else { return false }
      strings = read
      return true
    }

    private mutating func call() -> CCall? {
      guard let name = string(), let place = place(), let head = number() else { return nil }
      var arguments: [CArgument] = []
      for _ in 0..<(head >> 1) {
        guard let argument = argument() else { return nil }
        arguments.append(argument)
      }
      return CCall(name: name, arguments: arguments, place: place, isCommentedOut: head & 1 == 1)
    }

    private mutating func argument() -> CArgument? {
      guard index < bytes.count else { return nil }
      index += 1
      switch bytes[index - 1] {
      case 0: return .absent
      case 1: return .expression
      case 2: return string().map { .literal($0) }
      case 3: return string().map { .name($0) }
      default: return nil
      }
    }

    private mutating func fault() -> CFault? {
      guard let number = number(), let raw = UInt8(exactly: number), let kind = CFault.Kind(rawValue: raw),
        let place = place(), let name = string(), let lastLine = coordinate()
      else { return nil }
      return CFault(kind: kind, place: place, name: name, lastLine: lastLine)
    }

    /// Reads a list. Each element takes at least one byte, so a count greater than the number of remaining bytes is rejected.
    private mutating func list<Element>(_ element: (inout Reader) -> Element?) -> [Element]? {
      guard let count = number(), count <= bytes.count - index else { return nil }
      var read: [Element] = []
      read.reserveCapacity(count)
      for _ in 0..<count {
        guard let next = element(&self) else { return nil }
        read.append(next)
      }
      return read
    }

    private mutating func place() -> SourcePlace? {
      guard let line = coordinate(), let column = coordinate() else { return nil }
      return SourcePlace(line: line, column: column)
    }

    /// Reads a line or a column.
    private mutating func coordinate() -> Int32? { number().flatMap { Int32(exactly: $0) } }

    private mutating func string() -> String? {
      guard let index = number(), index < strings.count else { return nil }
      return strings[index]
    }

    /// - Returns: a non-negative number; `nil` for anything else.
    private mutating func number() -> Int? {
      guard let value = Varint.read(bytes, at: &index), value >= 0 else { return nil }
      return value
    }
  }
}
