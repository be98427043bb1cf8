/// A decoder of Base64 as in property lists and Interface Builder files: white space is allowed, and padding is optional.
package enum Base64 {
  /// Returns the decoded bytes; `nil` if a character is not in the alphabet or follows the padding, if the last group has only one character, or if
  /// the padding has the wrong length.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var group: UInt32 = 0
    var length = 0
    var padding = 0
    for byte in text {
      if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else { return nil }
      group = group << 6 | value
      length += 1
      if length == 4 {
        for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
        group = 0
        length = 0
      }
    }
    guard length != 1, padding == 0 || padding + length == 4 else { return nil }
    if length >= 2 { bytes.append(UInt8(truncatingIfNeeded: group >> (length == 3 ? 10 : 4))) }
    if length == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 2)) }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
