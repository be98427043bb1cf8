/// Encodes and decodes numbers as unsigned LEB128: groups of seven bits, the lowest first. A negative `Int` is encoded as its bit pattern, in ten
/// bytes.
package enum Varint {
  @inlinable
  package static func append(_ value: Int, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number and advances the position past it.
  /// - Returns: the number; `nil` if the bytes end before the number does, or if the number has more than ten bytes.
  @inlinable
  package static func read<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes, at position: inout Int
  ) -> Int? where Bytes.Index == Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64, position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(truncatingIfNeeded: Int64(bitPattern: value)) }
      shift += 7
    }
    return nil
  }
}
