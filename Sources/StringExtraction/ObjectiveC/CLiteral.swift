/// A string literal of a C-family language, such as `@"…"` or `"…"`, also with a prefix or as a raw string.
struct CLiteral {
  /// The text in UTF-8, with escapes resolved.
  var text: [UInt8] = []
  /// Whether the literal has a closing quotation mark.
  var isClosed = true
}

extension CLexer {
  /// Reads a literal whose opening quotation mark is the current byte. An unclosed literal ends at the end of the line.
  mutating func literal() -> CLiteral {
    var literal = CLiteral()
    index += 1
    while index < end {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return literal
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        literal.isClosed = false
        return literal
      case UInt8(ascii: "\\"):
        if let next = continuation(at: index) { index = next } else { escape(into: &literal.text) }
      default:
        literal.text.append(byte)
        index += 1
      }
    }
    literal.isClosed = false
    return literal
  }

  /// Reads a raw literal `"delimiter(text)delimiter"`, whose opening quotation mark is the current byte. Without the opening parenthesis, it is read
  /// like any other literal.
  mutating func rawLiteral() -> CLiteral {
    var open = index + 1
    // The C++ standard allows sixteen characters in a delimiter.
    while open < end, open - index <= 17, !Self.endsDelimiter(bytes[open]) { open += 1 }
    guard open < end, bytes[open] == UInt8(ascii: "(") else { return literal() }
    let closing = [UInt8(ascii: ")")] + bytes[(index + 1)..<open] + [UInt8(ascii: "\"")]
    var close = open + 1
    while close + closing.count <= end {
      if bytes[close] == closing[0], bytes[close..<(close + closing.count)].elementsEqual(closing) {
        index = close + closing.count
        return CLiteral(text: Array(bytes[(open + 1)..<close]))
      }
      close += 1
    }
    index = end
    return CLiteral(isClosed: false)
  }

  private static func endsDelimiter(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
      || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"")
  }

  /// Reads an escape sequence, whose backslash is the current byte.
  private mutating func escape(into text: inout [UInt8]) {
    index += 1
    guard index < end else { return }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "e"), UInt8(ascii: "E"): text.append(0x1B)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      index -= 1
      text.append(UInt8(truncatingIfNeeded: digits(radix: 8, atMost: 3).value))
    case UInt8(ascii: "x"):
      text.append(UInt8(truncatingIfNeeded: digits(radix: 16, atMost: .max).value))
    case UInt8(ascii: "u"): scalar(digits(radix: 16, atMost: 4).value, into: &text)
    case UInt8(ascii: "U"):
      // C requires eight digits; genstrings also accepts four, as in a `.strings` file.
      let start = index
      var read = digits(radix: 16, atMost: 8)
      if read.count < 8 {
        index = start
        read = digits(radix: 16, atMost: 4)
      }
      scalar(read.value, into: &text)
    default: text.append(byte)
    }
  }

  private mutating func digits(radix: UInt32, atMost limit: Int) -> (value: UInt32, count: Int) {
    var value: UInt32 = 0
    var count = 0
    while index < end, count < limit, let digit = Self.digit(bytes[index]), digit < radix {
      value = value &* radix &+ digit
      count += 1
      index += 1
    }
    return (value, count)
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Appends a code point and joins surrogates. C forbids surrogates, but people write UTF-16 pairs such as `\uD83D\uDE00`.
  private mutating func scalar(_ value: UInt32, into text: inout [UInt8]) {
    var value = value
    if (0xD800...0xDBFF).contains(value), index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    {
      let start = index
      index += 2
      let low = digits(radix: 16, atMost: 4).value
      if (0xDC00...0xDFFF).contains(low) {
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      } else {
        index = start
      }
    }
    text.append(contentsOf: Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8))
  }
}
