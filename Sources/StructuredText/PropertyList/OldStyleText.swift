extension OldStylePropertyList {
  /// Returns the text of a string with its escapes resolved; empty for any other value.
  package func text(_ node: OldStyleNode) -> String {
    let entry = nodes[node.index]
    let range = contentRange(entry)
    guard entry.isEscaped else { return plainText(range) }
    return String(decoding: OldStyleText.decode(bytes, range), as: UTF8.self)
  }

  /// Returns the text of a string; `nil` for any other value.
  package func textValue(_ node: OldStyleNode) -> String? { isText(node) ? text(node) : nil }

  /// Returns whether a string without escapes is this ASCII word; `false` for a string with escapes.
  @inline(__always)
  package func text(_ node: OldStyleNode, equals word: StaticString) -> Bool {
    let entry = nodes[node.index]
    let range = contentRange(entry)
    guard !entry.isEscaped, range.count == word.utf8CodeUnitCount else { return false }
    let span = bytes.span
    return word.withUTF8Buffer { word in
      for offset in 0..<range.count where unsafe span[range.lowerBound + offset] != word[offset] { return false }
      return true
    }
  }

  /// Returns whether a string without quotes can contain a byte: a letter, a digit or one of `_$/:.-`.
  package static func isWord(_ byte: UInt8) -> Bool { OldStyleScan.isWord(byte) }

  /// Returns the byte range of a word, or of a string without its quotes; an empty range for any other value.
  package func content(of node: OldStyleNode) -> Range<Int> { contentRange(nodes[node.index]) }

  /// Converts a value and its content to the type that all encodings of property lists have in common.
  package func value(of node: OldStyleNode) -> PropertyListValue {
    // The recursion is bounded by the depth limit of `parse`.
    let content: PropertyListValue.Content
    switch nodes[node.index].kind {
    case .string, .word: content = .string(text(node))
    case .data: content = .data(OldStyleText.data(bytes, range(of: node)))
    case .array: content = .array(elements(of: node).map { value(of: $0) })
    case .dictionary:
      content = .dictionary(
        members(of: node).map {
          PropertyListMember(key: text($0.key), at: position(of: $0.key), value: value(of: $0.value))
        })
    }
    return PropertyListValue(content, at: position(of: node))
  }

  private func contentRange(_ entry: Node) -> Range<Int> {
    switch entry.kind {
    case .string: Int(entry.start) + 1..<Int(entry.end) - 1
    case .word: Int(entry.start)..<Int(entry.end)
    case .dictionary, .array, .data: Int(entry.start)..<Int(entry.start)
    }
  }

  private func plainText(_ range: Range<Int>) -> String {
    // `parse` has checked that the whole file is UTF-8. Neither a quote nor the end of a word is ever part of a multibyte character.
    unsafe String(copying: UTF8Span(unchecked: bytes.span.extracting(range)))
  }
}

/// Functions that decode the strings and data in old-style property lists.
enum OldStyleText {
  /// Resolves escapes like Core Foundation (xcode-formats.md F): `\U` with up to four hexadecimal digits of a UTF-16 unit, `\` with up to
  /// three octal digits of a NeXTSTEP character, and the usual letters. Before any other character, including a line break, the backslash is
  /// dropped.
  static func decode(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    var index = range.lowerBound
    var pending: UInt16?
    func append(_ scalar: Unicode.Scalar) {
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    /// Appends a UTF-16 unit. The halves of a surrogate pair come from two separate escapes.
    func appendUnit(_ unit: UInt16) {
      if let high = pending {
        pending = nil
        if UTF16.isTrailSurrogate(unit) {
          append(UTF16.decode(UTF16.EncodedScalar([high, unit])))
          return
        }
        append("\u{FFFD}")
      }
      if UTF16.isLeadSurrogate(unit) { pending = unit } else { append(Unicode.Scalar(unit) ?? "\u{FFFD}") }
    }
    func flush() {
      if pending != nil { append("\u{FFFD}") }
      pending = nil
    }
    while index < range.upperBound {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
        flush()
        decoded.append(byte)
        index += 1
        continue
      }
      let escaped = bytes[index + 1]
      index += 2
      if escaped == UInt8(ascii: "U") {
        var unit: UInt16 = 0
        var digits = 0
        while digits < 4, index < range.upperBound, let digit = JSONScan.hexadecimal(bytes[index]) {
          unit = unit << 4 | UInt16(digit)
          digits += 1
          index += 1
        }
        appendUnit(unit)
        continue
      }
      flush()
      switch escaped {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var code = Int(escaped - UInt8(ascii: "0"))
        var digits = 1
        while digits < 3, index < range.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[index]) {
          code = code << 3 | Int(bytes[index] - UInt8(ascii: "0"))
          digits += 1
          index += 1
        }
        append(nextStep(UInt8(truncatingIfNeeded: code)))
      case UInt8(ascii: "n"): decoded.append(0x0A)
      case UInt8(ascii: "r"): decoded.append(0x0D)
      case UInt8(ascii: "t"): decoded.append(0x09)
      case UInt8(ascii: "a"): decoded.append(0x07)
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "f"): decoded.append(0x0C)
      case UInt8(ascii: "v"): decoded.append(0x0B)
      default: decoded.append(escaped)
      }
    }
    flush()
    return decoded
  }

  /// Returns the bytes of `<…>`, which the parser has checked.
  static func data(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var data: [UInt8] = []
    var high: UInt32?
    for byte in bytes[range] {
      guard let digit = JSONScan.hexadecimal(byte) else { continue }
      if let first = high {
        data.append(UInt8(first << 4 | digit))
        high = nil
      } else {
        high = digit
      }
    }
    return data
  }

  private static func nextStep(_ code: UInt8) -> Unicode.Scalar {
    code < 0x80 ? Unicode.Scalar(code) : Unicode.Scalar(nextStepScalars[Int(code) - 0x80]) ?? "\u{FFFD}"
  }

  /// The upper half of the NeXTSTEP encoding, which octal escapes use.
  private static let nextStepScalars: [UInt16] = [
    0xA0, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xD0, 0xD1, 0xD2,
    0xD3, 0xD4, 0xD5, 0xD6, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xB5, 0xD7, 0xF7, 0xA9, 0xA1, 0xA2, 0xA3, 0x2044, 0xA5,
    0x0192, 0xA7, 0xA4, 0x2019, 0x201C, 0xAB, 0x2039, 0x203A, 0xFB01, 0xFB02, 0xAE, 0x2013, 0x2020, 0x2021, 0xB7, 0xA6,
    0xB6, 0x2022, 0x201A, 0x201E, 0x201D, 0xBB, 0x2026, 0x2030, 0xAC, 0xBF, 0xB9, 0x02CB, 0xB4, 0x02C6, 0x02DC, 0xAF,
    0x02D8, 0x02D9, 0xA8, 0xB2, 0x02DA, 0xB8, 0xB3, 0x02DD, 0x02DB, 0x02C7, 0x2014, 0xB1, 0xBC, 0xBD, 0xBE, 0xE0, 0xE1,
    0xE2, 0xE3, 0xE4, 0xE5, 0xE7, 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xC6, 0xED, 0xAA, 0xEE, 0xEF, 0xF0, 0xF1, 0x0141, 0xD8,
    0x0152, 0xBA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xE6, 0xF9, 0xFA, 0xFB, 0x0131, 0xFC, 0xFD, 0x0142, 0xF8, 0x0153, 0xDF,
    0xFE, 0xFF, 0xFFFD, 0xFFFD,
  ]
}
