internal import Localization
internal import StructuredText

/// Prints entries of a `.strings` file in Xcode's layout (xcode-formats.md F).
struct StringsPrinter {
  let layout: StringsLayout

  /// Prints the whole file from its parsed values. Comments, keys and values keep their order. The layout is detected from the file.
  static func reprint(_ file: StringsText) -> [UInt8] {
    let printer = StringsPrinter(layout: StringsLayout(of: file))
    var output: [UInt8] = []
    if printer.layout.beginsWithEmptyLine { output.append(0x0A) }
    for (index, entry) in file.entries.enumerated() {
      if index > 0, printer.layout.separatesEntries { output.append(0x0A) }
      printer.printComments(entry.comments, of: file, into: &output)
      printer.print(entry, of: file, into: &output)
      output.append(0x0A)
    }
    if !file.lastComments.isEmpty {
      if !file.entries.isEmpty, printer.layout.separatesEntries { output.append(0x0A) }
      printer.printComments(file.lastComments, of: file, into: &output)
    }
    while output.last == 0x0A { output.removeLast() }
    output.append(contentsOf: repeatElement(0x0A, count: printer.layout.finalBreaks))
    return file.encoding.bytes(of: output)
  }

  private func printComments(_ comments: Range<Int>, of file: StringsText, into output: inout [UInt8]) {
    for comment in file.comments[comments] {
      Self.print(content: file.content(of: comment), into: &output)
      output.append(0x0A)
      if comment.precedesEmptyLine { output.append(0x0A) }
    }
  }

  private func print(_ entry: StringsText.Entry, of file: StringsText, into output: inout [UInt8]) {
    let list = file.list
    print(key: list.text(entry.member.key), into: &output)
    guard entry.member.key != entry.member.value else {
      // Xcode does not write a key without a value, but its exports copy such an entry unchanged.
      output.append(UInt8(ascii: ";"))
      return
    }
    output.append(contentsOf: " = ".utf8)
    if let value = list.textValue(entry.member.value) {
      QuotedText.print(value, into: &output)
    } else {
      // Xcode writes only texts as values. Any other value is kept unchanged.
      output.append(contentsOf: file.text[list.range(of: entry.member.value)])
    }
    output.append(UInt8(ascii: ";"))
  }

  /// Prints `"key" = "value";`.
  func print(entry key: String, _ value: String, into output: inout [UInt8]) {
    print(key: key, into: &output)
    output.append(contentsOf: " = ".utf8)
    QuotedText.print(value, into: &output)
    output.append(UInt8(ascii: ";"))
  }

  /// Prints a comment with its delimiters. In the text, `*/` is written as `* /`, because it would end the comment early.
  static func print(comment words: String, into output: inout [UInt8]) {
    output.append(contentsOf: "/* ".utf8)
    append(commentWords: words.utf8, to: &output)
    output.append(contentsOf: " */".utf8)
  }

  /// Prints the content of a comment between `/*` and `*/`, the delimiters that Xcode writes.
  private static func print(content: ArraySlice<UInt8>, into output: inout [UInt8]) {
    output.append(contentsOf: "/*".utf8)
    // The content of a line comment, `// …`, can contain `*/`.
    append(commentWords: content, to: &output)
    output.append(contentsOf: "*/".utf8)
  }

  private static func append(commentWords words: some Sequence<UInt8>, to output: inout [UInt8]) {
    var last: UInt8 = 0
    for byte in words {
      if last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { output.append(UInt8(ascii: " ")) }
      output.append(byte)
      last = byte
    }
  }

  func print(key: String, into output: inout [UInt8]) {
    if layout.hasPlainKeys, !key.isEmpty, key.utf8.allSatisfy(OldStylePropertyList.isWord), !key.hasPrefix("//"),
      !key.hasPrefix("/*")
    {
      output.append(contentsOf: key.utf8)
    } else {
      QuotedText.print(key, into: &output)
    }
  }

}
