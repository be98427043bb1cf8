internal import StructuredText

/// The layout of a table in an XML or old-style property list. Inserted members are printed in this layout.
struct TableLayout {
  /// The file's text, with LF in place of single CRs (`TableList.lines`).
  private let text: [UInt8]
  private let isXML: Bool
  /// The line break: LF, CR LF, or CR if the file has no other line breaks; empty in an XML file without line breaks.
  private let newline: [UInt8]
  /// The indentation of one level; a tab if the file has no indentation.
  let level: [UInt8]
  /// The white space between a key and its value on the same line; `nil` if the value is on its own line, if the table has no members, and in an
  /// old-style list.
  private let keyGap: [UInt8]?

  init(of root: TableSplice.Value, in list: TableList) {
    let text = list.lines
    let isXML = list.form == .xml
    self.text = text
    self.isXML = isXML
    let lineFeed = text.firstIndex(of: 0x0A)
    if list.breaksWithCR {
      newline = [0x0D]
    } else {
      newline = lineFeed.map { $0 > 0 && text[$0 - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A] } ?? (isXML ? [] : [0x0A])
    }
    guard let first = root.members?.first else {
      (level, keyGap) = ([0x09], nil)
      return
    }
    let outer = Self.indentation(before: root.range.lowerBound, in: text)
    let inner = Self.indentation(before: first.range.lowerBound, in: text)
    if isXML {
      level = inner.count > outer.count ? Array(inner.dropFirst(outer.count)) : [0x09]
      let gap = text[first.keyEnd..<first.value.range.lowerBound]
      keyGap = gap.contains(0x0A) ? nil : Array(gap)
    } else {
      level = inner.isEmpty ? [0x09] : inner
      keyGap = nil
    }
  }

  /// Returns the white space at the start of the line that contains `offset`.
  func indentation(before offset: Int) -> [UInt8] { Self.indentation(before: offset, in: text) }

  private static func indentation(before offset: Int, in text: [UInt8]) -> [UInt8] {
    Array(text.indentation(ofLineAt: offset))
  }

  func lineBreak(then indentation: [UInt8]) -> [UInt8] { newline.isEmpty ? [] : newline + indentation }

  /// Returns a member as bytes, without white space before it.
  func printed(_ member: TextDictionary.Member, indentation: [UInt8]) -> [UInt8] {
    let value = printed(member.value, indentation: indentation)
    guard isXML else { return quoted(member.key) + Array(" = ".utf8) + value + Array(";".utf8) }
    return element("key", member.key) + (keyGap ?? lineBreak(then: indentation)) + value
  }

  /// Returns a value as bytes, without white space before it.
  func printed(_ value: TextDictionary, indentation: [UInt8]) -> [UInt8] {
    switch value {
    case .text(let text): return isXML ? element("string", text) : quoted(text)
    case .dictionary(let members):
      let inner = indentation + level
      var bytes = Array(isXML ? "<dict>".utf8 : "{".utf8)
      for member in members {
        bytes += lineBreak(then: inner) + printed(member, indentation: inner)
      }
      return bytes + lineBreak(then: indentation) + Array(isXML ? "</dict>".utf8 : "}".utf8)
    }
  }

  /// Returns an XML element. A line break in its text becomes the line break of a file that has only single CRs, which readers take for LF.
  private func element(_ name: String, _ text: String) -> [UInt8] {
    let bytes = TextDictionary.element(name, text)
    return newline == [0x0D] ? bytes.map { $0 == 0x0A ? 0x0D : $0 } : bytes
  }

  private func quoted(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    QuotedText.print(text, into: &output)
    return output
  }
}
