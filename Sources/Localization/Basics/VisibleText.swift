extension String {
  /// Creates a text for messages from bytes that are not UTF-8. Printable ASCII is kept, and any other byte is escaped, as in `\xE9`.
  package init(escaping bytes: some Sequence<UInt8>) {
    self = bytes.map { byte in
      (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "\\x" + [byte].hexadecimal.uppercased()
    }.joined()
  }

  /// The text with control characters escaped, for messages of one line: `\n`, `\u{1B}`, `\u{202E}`.
  ///
  /// Escapes C0 and C1 controls, U+007F, line separators and bidirectional marks. A file could otherwise use these characters to change the
  /// terminal's colors or to change how a line reads. U+FFFE and U+FFFF are escaped too, because XML does not allow them.
  package var withVisibleControls: String { visible(keeping: []) }

  /// The text with control characters escaped, except for tabs, which separate columns.
  package var withVisibleControlsInColumns: String { visible(keeping: [0x09]) }

  /// The text with control characters escaped, except for line feeds and tabs.
  package var withVisibleControlsInLines: String { visible(keeping: [0x0A, 0x09]) }

  private func visible(keeping kept: Set<UInt32>) -> String {
    // Every escaped character is U+007F, is below U+0020, or begins with 0xC2, 0xD8, 0xE2 or 0xEF in UTF-8.
    let starts: Set<UInt8> = [0x7F, 0xC2, 0xD8, 0xE2, 0xEF]
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F && starts.contains($0) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case let value where kept.contains(value): text.unicodeScalars.append(scalar)
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension String {
  /// The text escaped for HTML and XML, both for the content of elements and for quoted attributes.
  ///
  /// Bytes are replaced, not characters: a quote and a combining accent are one Swift character, but the quote still ends an attribute.
  package var escapedForMarkup: String { escaped { Self.markup($0) } }

  /// The text escaped for the content of elements only: quotes are not escaped.
  package var escapedForMarkupText: String { escaped { $0 == 0x22 || $0 == 0x27 ? nil : Self.markup($0) } }

  private func escaped(_ replacement: (UInt8) -> StaticString?) -> String {
    guard utf8.contains(where: { replacement($0) != nil }) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 32)
    for byte in utf8 {
      if let text = replacement(byte) { text.withUTF8Buffer { bytes += $0 } } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func markup(_ byte: UInt8) -> StaticString? {
    switch byte {
    case 0x26: "&amp;"
    case 0x3C: "&lt;"
    case 0x3E: "&gt;"
    case 0x22: "&quot;"
    case 0x27: "&#39;"
    default: nil
    }
  }
}
