import Localization

/// An encoder of values to bytes, with a table of strings. Numbers are encoded as LEB128 (`Varint`), and each string is stored only once.
package struct FactsStream {
  package private(set) var bytes: [UInt8] = []
  private var places: [String: Int] = [:]
  private var strings: [String] = []

  package init() {}

  package mutating func tag(_ value: UInt8) { bytes.append(value) }

  package mutating func digest(_ digest: FactsDigest) { digest.append(to: &bytes) }

  /// Appends bytes that another stream has finished, preceded by their number.
  package mutating func inner(_ values: ArraySlice<UInt8>) {
    number(values.count)
    bytes += values
  }

  /// Appends a string that occurs only once, without the table.
  package mutating func single(_ value: String) {
    number(value.utf8.count)
    bytes += value.utf8
  }

  package mutating func number(_ value: Int) { Varint.append(value, to: &bytes) }

  package mutating func string(_ value: String) {
    // `==` treats canonically equivalent texts as equal, so the bytes are compared, too.
    if let place = places[value], strings[place].utf8.elementsEqual(value.utf8) {
      number(place)
      return
    }
    places[value] = strings.count
    number(strings.count)
    strings.append(value)
  }

  package mutating func list<Element>(_ values: [Element], _ write: (inout FactsStream, Element) -> Void) {
    number(values.count)
    for value in values { write(&self, value) }
  }

  package mutating func place(_ place: SourcePlace) {
    number(Int(place.line))
    number(Int(place.column))
  }

  /// Returns the table of strings, followed by the bytes.
  package func finished() -> [UInt8] {
    var whole: [UInt8] = []
    whole.reserveCapacity(bytes.count + strings.reduce(8) { $0 + $1.utf8.count + 2 })
    Varint.append(strings.count, to: &whole)
    for string in strings {
      Varint.append(string.utf8.count, to: &whole)
      whole.append(contentsOf: string.utf8)
    }
    whole += bytes
    return whole
  }
}

/// A position in the bytes of a `FactsStream`. The bytes must outlive the cursor.
package struct FactsCursor {
  /// The error for bytes that no stream can have written.
  package struct Malformed: Error {
    package init() {}
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var strings: [String] = []

  /// Reads the table of strings, and moves to the position after it.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Malformed) {
    self.bytes = bytes
    let count = try number()
    guard count >= 0, count <= left else { throw Malformed() }
    strings.reserveCapacity(count)
    for _ in 0..<count {
      let length = try number()
      guard length >= 0, length <= left else { throw Malformed() }
      strings.append(
        String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<(position + length)]), as: UTF8.self))
      position += length
    }
  }

  /// The number of remaining bytes, which is also an upper bound for the number of remaining elements.
  package var left: Int { bytes.count - position }

  package mutating func tag() throws(Malformed) -> UInt8 {
    guard position < bytes.count else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func number() throws(Malformed) -> Int {
    guard let value = Varint.read(bytes, at: &position) else { throw Malformed() }
    return value
  }

  package mutating func string() throws(Malformed) -> String {
    let place = try number()
    guard strings.indices.contains(place) else { throw Malformed() }
    return strings[place]
  }

  package mutating func digest() throws(Malformed) -> FactsDigest {
    guard FactsDigest.byteCount <= left else { throw Malformed() }
    defer { position += FactsDigest.byteCount }
    return FactsDigest(UnsafeBufferPointer(rebasing: bytes[position...]))
  }

  /// Returns the positions of the bytes that `FactsStream.inner` wrote.
  package mutating func inner() throws(Malformed) -> Range<Int> {
    let count = try count()
    defer { position += count }
    return position..<(position + count)
  }

  /// Returns a string that `FactsStream.single` wrote.
  package mutating func single() throws(Malformed) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[try inner()]), as: UTF8.self)
  }

  package mutating func place() throws(Malformed) -> SourcePlace {
    let line = Int32(truncatingIfNeeded: try number())
    return SourcePlace(line: line, column: Int32(truncatingIfNeeded: try number()))
  }

  /// Reads the number of elements that follow.
  package mutating func count() throws(Malformed) -> Int {
    let count = try number()
    guard count >= 0, count <= left else { throw Malformed() }
    return count
  }
}
