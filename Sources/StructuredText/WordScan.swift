/// Functions that check eight bytes at once. On a big-endian machine, `plainXMLText` and `plainXMLValue` may return too small a number, so callers
/// check the next byte themselves.
enum WordScan {
  static let width = 8
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  static func load(_ bytes: Span<UInt8>, _ index: Int) -> UInt64? {
    guard index + width <= bytes.count else { return nil }
    // The guard has checked that the eight bytes are within the span.
    return unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  @inline(__always)
  static func isASCII(_ word: UInt64) -> Bool { word & highs == 0 }

  @inline(__always)
  static func has(_ byte: UInt8, _ word: UInt64) -> Bool {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & highs != 0
  }

  @inline(__always)
  static func isSpaces(_ word: UInt64) -> Bool { word == 0x2020_2020_2020_2020 }

  /// Returns the number of bytes before the first `<`, `&`, `]`, or control character below U+0020. All other bytes are plain text in XML.
  @inline(__always)
  static func plainXMLText(_ word: UInt64) -> Int {
    let less = word ^ 0x3C3C_3C3C_3C3C_3C3C
    let ampersand = word ^ 0x2626_2626_2626_2626
    let bracket = word ^ 0x5D5D_5D5D_5D5D_5D5D
    let found = (less &- ones) & ~less | (ampersand &- ones) & ~ampersand | (bracket &- ones) & ~bracket
    return before(found | (word &- 0x2020_2020_2020_2020) & ~word)
  }

  /// Returns the number of bytes before the first quote of either kind, `<`, `&`, or control character below U+0020.
  @inline(__always)
  static func plainXMLValue(_ word: UInt64) -> Int {
    let quote = word ^ 0x2222_2222_2222_2222
    let apostrophe = word ^ 0x2727_2727_2727_2727
    let less = word ^ 0x3C3C_3C3C_3C3C_3C3C
    let ampersand = word ^ 0x2626_2626_2626_2626
    let found = (quote &- ones) & ~quote | (apostrophe &- ones) & ~apostrophe
    let other = (less &- ones) & ~less | (ampersand &- ones) & ~ampersand
    return before(found | other | (word &- 0x2020_2020_2020_2020) & ~word)
  }

  /// Returns the number of bytes before the first byte whose highest bit is set. A borrow in the subtractions above can wrongly set this bit only in
  /// bytes that are more significant than a byte that was found. On a little-endian machine, these bytes follow that byte.
  @inline(__always)
  private static func before(_ marks: UInt64) -> Int { UInt64(littleEndian: marks & highs).trailingZeroBitCount / 8 }

  /// Returns whether one of the bytes is 0xE2, the first byte of U+2028 and U+2029 in UTF-8.
  @inline(__always)
  static func holdsE2(_ word: UInt64) -> Bool {
    let found = word ^ 0xE2E2_E2E2_E2E2_E2E2
    return (found &- ones) & ~found & highs != 0
  }

  /// Returns whether one of the bytes is a quote, a backslash, or a control character below U+0020.
  @inline(__always)
  static func endsString(_ word: UInt64) -> Bool {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let found = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- 0x2020_2020_2020_2020) & ~word
    return found & highs != 0
  }
}

/// The results of one pass over a text.
struct TextSurvey {
  /// The offset of the first byte that is not UTF-8; `nil` if the whole text is UTF-8.
  var firstInvalid: Int?
  /// Whether the text contains U+2028 or U+2029.
  var holdsLineSeparators = false

  init(_ bytes: Span<UInt8>) {
    var index = 0
    let count = bytes.count
    @inline(__always)
    func isContinuation(_ offset: Int) -> Bool { offset < count && bytes[offset] & 0xC0 == 0x80 }
    while index < count {
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        while let word = WordScan.load(bytes, index), WordScan.isASCII(word) { index += WordScan.width }
      } else if byte < 0xE0 {
        guard byte >= 0xC2, isContinuation(index + 1) else { break }
        index += 2
      } else if byte < 0xF0 {
        guard isContinuation(index + 1), isContinuation(index + 2) else { break }
        let second = bytes[index + 1]
        // Overlong forms and surrogates.
        if byte == 0xE0, second < 0xA0 { break }
        if byte == 0xED, second > 0x9F { break }
        if byte == 0xE2, second == 0x80, bytes[index + 2] & 0xFE == 0xA8 { holdsLineSeparators = true }
        index += 3
      } else {
        guard byte < 0xF5, isContinuation(index + 1), isContinuation(index + 2), isContinuation(index + 3) else {
          break
        }
        let second = bytes[index + 1]
        if byte == 0xF0, second < 0x90 { break }
        if byte == 0xF4, second > 0x8F { break }
        index += 4
      }
    }
    firstInvalid = index < count ? index : nil
  }
}
