extension JSONDocument {
  /// Returns the text of a string with its escapes resolved; empty for any other value.
  package func string(_ node: JSONNode) -> String {
    let entry = nodes[node.index]
    guard entry.kind == .string else { return "" }
    let range = Int(entry.start) + 1..<Int(entry.end) - 1
    guard entry.isEscaped else { return text(range) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    JSONText.decode(bytes, range, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Returns the text of a string; `nil` for any other value.
  package func stringValue(_ node: JSONNode) -> String? { nodes[node.index].kind == .string ? string(node) : nil }

  private func text(_ range: Range<Int>) -> String {
    // `parse` has checked that the whole file is UTF-8, and a quote is never part of a multibyte character.
    unsafe String(copying: UTF8Span(unchecked: bytes.span.extracting(range)))
  }

  /// Returns whether a decoded string has the same bytes as a text. A `String` is created only if the node has escapes.
  package func string(_ node: JSONNode, isExactly text: String) -> Bool {
    let entry = nodes[node.index]
    guard entry.kind == .string else { return false }
    guard !entry.isEscaped else { return string(node).utf8.elementsEqual(text.utf8) }
    let start = Int(entry.start) + 1
    let count = Int(entry.end) - 1 - start
    guard count == text.utf8.count else { return false }
    let span = bytes.span.extracting(start..<start + count)
    var text = text
    return text.withUTF8 { buffer in
      let other = unsafe Span(_unsafeElements: buffer)
      var index = 0
      while let a = WordScan.load(span, index), let b = WordScan.load(other, index) {
        guard a == b else { return false }
        index += WordScan.width
      }
      while index < count {
        guard span[index] == other[index] else { return false }
        index += 1
      }
      return true
    }
  }

  /// Returns whether a string may begin with white space or an invisible character. The result is also `true` if the string begins with an escape, or
  /// if the node is not a string.
  package func mayBeginWithSpace(_ node: JSONNode) -> Bool {
    let entry = nodes[node.index]
    guard entry.kind == .string else { return true }
    let span = bytes.span.extracting(Int(entry.start) + 1..<Int(entry.end) - 1)
    guard !span.isEmpty else { return false }
    switch span[0] {
    // White space and control characters in ASCII, and the backslash of an escape.
    case 0...0x20, 0x7F, UInt8(ascii: "\\"): return true
    // U+0080 to U+00A0 and U+00AD; U+034F; U+061C.
    case 0xC2: return span.count > 1 && (span[1] <= 0xA0 || span[1] == 0xAD)
    case 0xCD: return span.count > 1 && span[1] == 0x8F
    case 0xD8: return span.count > 1 && span[1] == 0x9C
    // U+115F, U+1160, U+1680, U+17B4 and U+180B; U+2000 to U+206F and U+2800; U+3000 and U+3164.
    case 0xE1: return span.count > 1 && [0x85, 0x9A, 0x9E, 0xA0].contains(span[1])
    case 0xE2: return span.count > 1 && (span[1] == 0x80 || span[1] == 0x81 || span[1] == 0xA0)
    case 0xE3: return span.count > 2 && (span[1] == 0x80 && span[2] == 0x80 || span[1] == 0x85 && span[2] == 0xA4)
    // U+FE00 to U+FE0F, U+FEFF, U+FFA0, U+FFF0 to U+FFF8; then all characters above U+FFFF.
    case 0xEF: return span.count > 1 && (span[1] == 0xB8 || span[1] >= 0xBB)
    case 0xF0...0xF4: return true
    default: return false
    }
  }

  /// Returns whether a string is empty or contains `character`, which must be an ASCII character that needs no escape. The result is also `true` if
  /// the string contains a `\u` escape, which may represent the character, or if the node is not a string.
  package func string(_ node: JSONNode, isEmptyOrHas character: UInt8) -> Bool {
    let entry = nodes[node.index]
    guard entry.kind == .string else { return true }
    let span = bytes.span.extracting(Int(entry.start) + 1..<Int(entry.end) - 1)
    guard !span.isEmpty else { return true }
    var index = 0
    if !entry.isEscaped {
      while let word = WordScan.load(span, index), !WordScan.has(character, word) { index += WordScan.width }
    }
    while index < span.count {
      if span[index] == character { return true }
      if entry.isEscaped, span[index] == UInt8(ascii: "u"), index > 0, span[index - 1] == UInt8(ascii: "\\") {
        return true
      }
      index += 1
    }
    return false
  }

  /// Calls `body` with the UTF-8 bytes of two strings in the file.
  /// - Returns: the result of `body`; `nil` if one of the nodes is not a string, or is a string with escapes.
  package func withPlainUTF8<Result>(
    _ a: JSONNode, _ b: JSONNode, _ body: (Span<UInt8>, Span<UInt8>) -> Result
  ) -> Result? {
    let (first, second) = (nodes[a.index], nodes[b.index])
    guard first.kind == .string, second.kind == .string, !first.isEscaped, !second.isEscaped else { return nil }
    let span = bytes.span
    return body(
      span.extracting(Int(first.start) + 1..<Int(first.end) - 1),
      span.extracting(Int(second.start) + 1..<Int(second.end) - 1))
  }

  /// Returns whether a string without escapes equals an ASCII word; `false` for a string with escapes.
  @inline(__always)
  package func string(_ node: JSONNode, equals word: StaticString) -> Bool {
    let entry = nodes[node.index]
    let start = Int(entry.start) + 1
    let count = Int(entry.end) - 1 - start
    guard entry.kind == .string, !entry.isEscaped, count == word.utf8CodeUnitCount else { return false }
    let span = bytes.span
    return word.withUTF8Buffer { word in
      for offset in 0..<count where unsafe span[start + offset] != word[offset] { return false }
      return true
    }
  }
}

/// Functions that decode and print JSON strings.
package enum JSONText {
  /// Resolves the escapes of a string that `JSONScan` has checked.
  static func decode(_ bytes: [UInt8], _ range: Range<Int>, into decoded: inout [UInt8]) {
    var index = range.lowerBound
    func unit() -> UInt32 {
      bytes[index + 2..<index + 6].reduce(0) { $0 << 4 | (JSONScan.hexadecimal($1) ?? 0) }
    }
    let span = bytes.span
    while index < range.upperBound {
      let start = index
      while index < range.upperBound, span[index] != UInt8(ascii: "\\") { index += 1 }
      unsafe span.extracting(start..<index).withUnsafeBufferPointer { unsafe decoded.append(contentsOf: $0) }
      guard index + 1 < range.upperBound else {
        if index < range.upperBound { decoded.append(span[index]) }
        return
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "f"): decoded.append(0x0C)
      case UInt8(ascii: "n"): decoded.append(0x0A)
      case UInt8(ascii: "r"): decoded.append(0x0D)
      case UInt8(ascii: "t"): decoded.append(0x09)
      case UInt8(ascii: "u"):
        var value = unit()
        index += 4
        if (0xD800...0xDBFF).contains(value), index + 8 <= range.upperBound {
          index += 2
          value = 0x10000 + (value - 0xD800) << 10 + (unit() - 0xDC00)
          index += 4
        }
        if let scalar = Unicode.Scalar(value) {
          decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      default: decoded.append(bytes[index + 1])
      }
      index += 2
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Prints a text in quotes with the escapes of xcode-formats.md A1.4: `/`, U+007F and all characters beyond ASCII are unescaped. Control
  /// characters are written with a short escape such as `\n` if there is one, and otherwise as `\u00xx`.
  /// - Parameter escapesLineSeparators: whether U+2028 and U+2029 are escaped, as in newer versions of Xcode.
  package static func print(_ text: String, escapesLineSeparators: Bool = true, into output: inout [UInt8]) {
    var text = text
    text.withUTF8 { buffer in
      print(unsafe Span(_unsafeElements: buffer), escapesLineSeparators: escapesLineSeparators, into: &output)
    }
  }

  /// Prints a text that is given as UTF-8 bytes, with the same escapes as for a `String`.
  static func print(_ bytes: Span<UInt8>, escapesLineSeparators: Bool, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var plain = 0
    var index = 0
    func flush() {
      unsafe bytes.extracting(plain..<index).withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
    while index < bytes.count {
      while let word = WordScan.load(bytes, index), !WordScan.endsString(word),
        !escapesLineSeparators || !WordScan.holdsE2(word)
      {
        index += WordScan.width
      }
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == 0xE2 {
        guard escapesLineSeparators, index + 2 < bytes.count, bytes[index + 1] == 0x80,
          bytes[index + 2] & 0xFE == 0xA8
        else {
          index += 1
          continue
        }
        flush()
        output.append(contentsOf: bytes[index + 2] == 0xA8 ? "\\u2028".utf8 : "\\u2029".utf8)
        index += 3
      } else if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        index += 1
        continue
      } else {
        flush()
        escape(byte, into: &output)
        index += 1
      }
      plain = index
    }
    flush()
    output.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    default:
      output.append(contentsOf: "u00".utf8)
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
  }
}
