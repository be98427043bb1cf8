/// The key of a text unit within its catalog.
///
/// Keys are equal only if they have the same code points (xcode-formats.md E8). Composed and decomposed `é` are different keys, although
/// they are equal as Swift strings. Keys are sorted by UTF-8 bytes. The order in a catalog file depends on the format.
package struct UnitKey: Hashable, Comparable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral value: String) { self.text = value }

  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static func == (a: Self, b: Self) -> Bool { a.text.isExactly(b.text) }

  package static func < (a: Self, b: Self) -> Bool { a.text.precedesByBytes(b.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package var description: String { text }
}

extension String {
  /// Returns whether both strings have the same code points. `==` would treat canonically equivalent strings as equal.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        // Strings that share their memory need not be compared.
        if a.baseAddress == b.baseAddress { return true }
        let (first, second) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
        var offset = 0
        while offset + 8 <= first.count {
          guard
            first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
              == second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          else { return false }
          offset += 8
        }
        while offset < first.count {
          guard first[offset] == second[offset] else { return false }
          offset += 1
        }
        return true
      }
    }
  }

  /// Returns whether this string's UTF-8 bytes are less than the other's.
  package func precedesByBytes(_ other: String) -> Bool {
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let (first, second) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
        let count = min(first.count, second.count)
        var offset = 0
        while offset + 8 <= count {
          // In big-endian order, the first byte is the most significant byte.
          let one = UInt64(bigEndian: first.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          let two = UInt64(bigEndian: second.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          guard one == two else { return one < two }
          offset += 8
        }
        while offset < count {
          guard first[offset] == second[offset] else { return first[offset] < second[offset] }
          offset += 1
        }
        return first.count < second.count
      }
    }
  }
}

extension StringProtocol {
  /// The text without surrounding white space.
  package var withoutOuterSpace: String {
    // Nearly all texts begin and end with a printable ASCII character, which is not white space.
    let isVisible = { (scalar: Unicode.Scalar) in (0x21...0x7E).contains(scalar.value) }
    if let first = unicodeScalars.first, let last = unicodeScalars.last, isVisible(first), isVisible(last) {
      return String(self)
    }
    return String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension Optional<String> {
  /// Returns whether both are `nil`, or have the same code points.
  package func isExactly(_ other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let a?, let b?): a.isExactly(b)
    default: false
    }
  }
}
