extension PropertyListValue {
  /// Reads a property list in any of the three encodings: binary (`bplist00`), XML or old-style.
  /// - Throws: the errors of the reader for that encoding.
  package static func parse(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(SyntaxError)
    -> PropertyListValue
  {
    if bytes.starts(with: "bplist".utf8) { return try binary(bytes, limits: limits) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = bytes[start...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    // In an old-style list, `<` starts data: hexadecimal digits up to `>`. The XML reader reports empty files and UTF-16.
    let name = text.dropFirst().prefix { $0 != UInt8(ascii: ">") }
    let isMarkup = text.first == UInt8(ascii: "<") && !name.allSatisfy(isHexadecimal)
    guard !isMarkup, !text.isEmpty, !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
      return try xml(bytes, limits: limits)
    }
    let list = try OldStylePropertyList.parse(bytes, limits: limits)
    return list.value(of: list.root)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"), 0x20:
      true
    default: false
    }
  }
}
