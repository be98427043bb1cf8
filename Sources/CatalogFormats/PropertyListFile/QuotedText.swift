/// Prints texts in quotation marks for old-style property lists.
enum QuotedText {
  /// Prints a text in quotes. As in Xcode, the quote, the backslash, LF, CR and TAB are escaped, and every other character is unchanged.
  static func print(_ text: String, quote: UInt8 = UInt8(ascii: "\""), into output: inout [UInt8]) {
    output.append(quote)
    for byte in text.utf8 {
      switch byte {
      case quote, UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x0A: output.append(contentsOf: #"\n"#.utf8)
      case 0x0D: output.append(contentsOf: #"\r"#.utf8)
      case 0x09: output.append(contentsOf: #"\t"#.utf8)
      default: output.append(byte)
      }
    }
    output.append(quote)
  }
}
