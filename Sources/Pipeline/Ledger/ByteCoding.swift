import Localization

/// Bytes that this version cannot read: a cache entry of another version, or a damaged row.
package struct CodingFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let detail: String
  package init(_ detail: String) { self.detail = detail }
  package var description: String { "a stored value is damaged: \(detail)" }
}

/// Writes values in a compact binary format: numbers as LEB128 (`Varint`), and texts prefixed with their length. The cache contains the strings of
/// trees in this format, and some digests are computed from it. Migration 0003 of the ledger reads older values in this format.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: Int) { Varint.append(value, to: &bytes) }

  package mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  package mutating func write(_ value: String) {
    write(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  package mutating func write<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  package mutating func write(_ value: String?) { write(value) { $0.write($1) } }

  package mutating func write<Values: Collection>(
    _ values: Values, _ body: (inout ByteWriter, Values.Element) -> Void
  ) {
    write(values.count)
    for value in values { body(&self, value) }
  }
}

/// Reads the format of `ByteWriter`. Lengths are checked against the available bytes, so damaged bytes cause an error and never a trap.
package struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func int() throws(CodingFault) -> Int {
    guard let value = Varint.read(bytes, at: &position) else { throw CodingFault("a number is cut off") }
    return value
  }

  package mutating func bool() throws(CodingFault) -> Bool {
    guard position < bytes.count else { throw CodingFault("a value is cut off") }
    position += 1
    return bytes[position - 1] != 0
  }

  package mutating func string() throws(CodingFault) -> String {
    let count = try self.count()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  package mutating func optional<Value>(
    _ body: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> Value? {
    try bool() ? try body(&self) : nil
  }

  package mutating func optionalString() throws(CodingFault) -> String? {
    try bool() ? try string() : nil
  }

  package mutating func array<Value>(
    _ body: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> [Value] {
    let count = try self.count()
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  /// Reads a value that can contain values of its own kind. Throws if there are more than 32 levels.
  package mutating func nested<Value>(
    _ body: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 32 else { throw CodingFault("values are nested too deeply") }
    return try body(&self)
  }

  /// Reads the number of bytes or elements that follow. Each element takes at least one byte.
  private mutating func count() throws(CodingFault) -> Int {
    let count = try int()
    guard count >= 0, count <= bytes.count - position else { throw CodingFault("a length is wrong") }
    return count
  }
}
