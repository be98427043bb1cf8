/// Functions that scan the tokens of old-style property lists.
enum OldStyleScan {
  /// Returns whether a string without quotes can contain a byte: a letter, a digit or one of `_$/:.-`.
  @inline(__always)
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: ":"),
      UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Skips white space and comments.
  static func skipSpace(_ bytes: Span<UInt8>, _ index: inout Int) throws(OldStyleParser.Stop) {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        index += 1
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
        try skipComment(bytes, &index)
      } else if byte == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] & 0xFE == 0xA8 {
        // U+2028 and U+2029 count as white space.
        index += 3
      } else {
        return
      }
    }
  }

  private static func skipComment(_ bytes: Span<UInt8>, _ index: inout Int) throws(OldStyleParser.Stop) {
    let start = index
    index += 2
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        return
      }
      index += 1
    }
    throw OldStyleParser.Stop(
      kind: .truncated, offset: start, message: "this comment is not closed", hint: "close it with */")
  }

  /// Skips a string with its quotes. The string can contain line breaks.
  /// - Returns: whether the string contains a backslash.
  static func string(_ bytes: Span<UInt8>, _ index: inout Int) throws(OldStyleParser.Stop) -> Bool {
    let start = index
    let quote = bytes[index]
    var isEscaped = false
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == quote { return isEscaped }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        index += 1
      }
    }
    throw OldStyleParser.Stop(
      kind: .truncated, offset: start, message: "this string is not closed",
      hint: "close it with a quote; write a quote inside it as \\\(UnicodeScalar(quote))")
  }

  /// Skips data, `<…>`: pairs of hexadecimal digits, with white space anywhere between digits.
  static func data(_ bytes: Span<UInt8>, _ index: inout Int) throws(OldStyleParser.Stop) {
    let start = index
    var digits = 0
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ">") {
        guard digits.isMultiple(of: 2) else {
          throw OldStyleParser.Stop(kind: .syntax, offset: start, message: "this data has an odd number of digits")
        }
        index += 1
        return
      }
      if JSONScan.hexadecimal(byte) != nil {
        digits += 1
      } else if byte != 0x20, !(0x09...0x0D).contains(byte) {
        throw OldStyleParser.Stop(
          kind: .syntax, offset: index, message: "expected a hexadecimal digit or '>', found \(JSONScan.name(byte))")
      }
      index += 1
    }
    throw OldStyleParser.Stop(kind: .truncated, offset: start, message: "this data is not closed")
  }
}
