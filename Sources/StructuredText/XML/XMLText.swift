/// Functions that decode and print XML character data.
package enum XMLText {
  /// Resolves the entities and character references in a text that the parser has checked, and converts CR LF and CR to LF.
  static func decode(_ bytes: [UInt8], _ range: Range<Int>, into output: inout [UInt8]) {
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"), let (scalar, next) = reference(bytes, index, range.upperBound) {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index = next
      } else if bytes[index] == 0x0D {
        output.append(0x0A)
        index += index + 1 < range.upperBound && bytes[index + 1] == 0x0A ? 2 : 1
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
  }

  /// Converts CR LF and CR to LF.
  static func normalize(_ bytes: [UInt8], _ range: Range<Int>, into output: inout [UInt8]) {
    for index in range {
      if bytes[index] != 0x0D {
        output.append(bytes[index])
      } else if index + 1 >= range.upperBound || bytes[index + 1] != 0x0A {
        output.append(0x0A)
      }
    }
  }

  /// Returns the value of an attribute, with references resolved and raw white space converted to spaces.
  static func attributeValue(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"), let (scalar, next) = reference(bytes, index, range.upperBound) {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index = next
        continue
      }
      switch bytes[index] {
      case 0x0D where index + 1 < range.upperBound && bytes[index + 1] == 0x0A: break
      case 0x09, 0x0A, 0x0D: output.append(0x20)
      default: output.append(bytes[index])
      }
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the character for the reference at `start`, even if XML does not allow the character, and the offset after the reference. Returns
  /// `nil` if there is neither a character reference nor one of the five entities that XML predefines.
  static func reference(_ bytes: [UInt8], _ start: Int, _ end: Int) -> (Unicode.Scalar, Int)? {
    guard let semicolon = bytes[start..<min(end, start + 12)].firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = bytes[start + 1..<semicolon]
    if name.first == UInt8(ascii: "#") {
      let digits = name.dropFirst()
      let isHexadecimal = digits.first == UInt8(ascii: "x")
      let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
      guard text.utf8.first != UInt8(ascii: "+"), let number = UInt32(text, radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(number)
      else { return nil }
      return (scalar, semicolon + 1)
    }
    let scalar: Unicode.Scalar
    switch String(decoding: name, as: UTF8.self) {
    case "amp": scalar = "&"
    case "lt": scalar = "<"
    case "gt": scalar = ">"
    case "quot": scalar = "\""
    case "apos": scalar = "'"
    default: return nil
    }
    return (scalar, semicolon + 1)
  }

  /// Returns whether XML 1.0 allows a character in a document.
  static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : [0x09, 0x0A, 0x0D].contains(scalar.value)
  }

  /// Prints a text like Xcode: `&`, `<`, `>` and CR are escaped, a character that XML does not allow becomes U+FFFD, and all other characters are
  /// unchanged (xcode-formats.md B1).
  package static func print(_ text: String, into output: inout [UInt8]) {
    escape(text, into: &output) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case 0x0D: "&#13;"
      default: nil
      }
    }
  }

  /// Prints the value of an attribute like Xcode, without the surrounding quotes. In addition to the changes that `print` makes, `"`, TAB and LF are
  /// escaped.
  package static func printAttribute(_ text: String, into output: inout [UInt8]) {
    escape(text, into: &output) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case 0x09: "&#9;"
      case 0x0A: "&#10;"
      case 0x0D: "&#13;"
      default: nil
      }
    }
  }

  @inline(__always)
  private static func escape(_ text: String, into output: inout [UInt8], by replacement: (UInt8) -> StaticString?) {
    var text = text
    text.withUTF8 { buffer in
      var plain = 0
      var index = 0
      while index < buffer.count {
        let byte = unsafe buffer[index]
        var escaped: StaticString?
        var length = 1
        if byte < 0x40 {
          escaped = replacement(byte) ?? (isForbidden(byte) ? "\u{FFFD}" : nil)
        } else if byte == 0xEF, unsafe buffer[index + 1] == 0xBF, unsafe buffer[index + 2] >= 0xBE {
          // U+FFFE or U+FFFF. A String is valid UTF-8, so two bytes follow.
          (escaped, length) = ("\u{FFFD}", 3)
        }
        if let escaped {
          unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[plain..<index]))
          escaped.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
          plain = index + length
        }
        index += length
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[plain...]))
    }
  }

  private static func isForbidden(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D }
}
