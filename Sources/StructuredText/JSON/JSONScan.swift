/// Functions that scan JSON tokens.
enum JSONScan {
  @inline(__always)
  static func skipSpace(_ bytes: Span<UInt8>, _ index: inout Int) {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
      while let word = WordScan.load(bytes, index), WordScan.isSpaces(word) { index += WordScan.width }
    }
  }

  /// Skips a string, including its quotes.
  /// - Returns: whether the string contains a backslash.
  @inline(__always)
  static func string(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) -> Bool {
    let start = index
    var isEscaped = false
    index += 1
    while index < bytes.count {
      while let word = WordScan.load(bytes, index), !WordScan.endsString(word) { index += WordScan.width }
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index += 1
        return isEscaped
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try escape(bytes, &index)
      } else if byte < 0x20 {
        throw JSONStop(
          kind: .syntax, offset: index,
          message: byte == 0x0A || byte == 0x0D
            ? "a string has no closing quote on its line" : "a string contains \(name(byte)) unescaped",
          hint: byte == 0x0A || byte == 0x0D ? "close it with a quote, or write the line break as \\n" : nil)
      } else {
        index += 1
      }
    }
    throw JSONStop(
      kind: .truncated, offset: bytes.count, message: "the file ends within the string that begins at byte \(start)",
      hint: "the file is incomplete; copy it again or check it out again")
  }

  private static func escape(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) {
    let start = index
    guard index + 1 < bytes.count else { throw cutOff(bytes.count) }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "u"):
      let unit = try unit(bytes, &index)
      if (0xDC00...0xDFFF).contains(unit) { throw loneSurrogate(start) }
      if (0xD800...0xDBFF).contains(unit) {
        guard index + 1 < bytes.count else { throw cutOff(bytes.count) }
        guard bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
          throw loneSurrogate(start)
        }
        guard (0xDC00...0xDFFF).contains(try self.unit(bytes, &index)) else { throw loneSurrogate(start) }
      }
    default:
      throw JSONStop(
        kind: .syntax, offset: start, message: "unknown escape: a backslash before \(name(bytes[index + 1]))")
    }
  }

  /// Returns the code unit of `\uXXXX`.
  private static func unit(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) -> UInt32 {
    guard index + 6 <= bytes.count else { throw cutOff(bytes.count) }
    var unit: UInt32 = 0
    for digit in index + 2..<index + 6 {
      guard let value = hexadecimal(bytes[digit]) else {
        throw JSONStop(kind: .syntax, offset: index, message: "'\\u' needs four hexadecimal digits")
      }
      unit = unit << 4 | value
    }
    index += 6
    return unit
  }

  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  static func number(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONStop) {
    let start = index
    func digits(_ index: inout Int) -> Int {
      let first = index
      while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
      return index - first
    }
    func at(_ index: Int, _ byte: UInt8) -> Bool { index < bytes.count && bytes[index] == byte }
    let fault = JSONStop(kind: .syntax, offset: start, message: "malformed number")
    if at(index, UInt8(ascii: "-")) { index += 1 }
    let leadingZero = at(index, UInt8(ascii: "0"))
    let whole = digits(&index)
    guard whole > 0, !leadingZero || whole == 1 else {
      throw index == bytes.count && whole == 0 ? cutOff(index) : fault
    }
    if at(index, UInt8(ascii: ".")) {
      index += 1
      guard digits(&index) > 0 else { throw index == bytes.count ? cutOff(index) : fault }
    }
    if at(index, UInt8(ascii: "e")) || at(index, UInt8(ascii: "E")) {
      index += 1
      if at(index, UInt8(ascii: "+")) || at(index, UInt8(ascii: "-")) { index += 1 }
      guard digits(&index) > 0 else { throw index == bytes.count ? cutOff(index) : fault }
    }
  }

  private static func cutOff(_ offset: Int) -> JSONStop {
    JSONStop(
      kind: .truncated, offset: offset, message: "the file ends within a value",
      hint: "the file is incomplete; copy it again or check it out again")
  }

  private static func loneSurrogate(_ offset: Int) -> JSONStop {
    JSONStop(kind: .syntax, offset: offset, message: "'\\u' is an unpaired surrogate")
  }

  /// Returns the description of a byte in messages.
  static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "'\(UnicodeScalar(byte))'" : "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
