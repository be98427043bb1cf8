/// The layout of a JSON file. Inserted values are printed in this layout.
package struct JSONStyle: Hashable, Sendable {
  /// The bytes between key and value: `" : "` in Xcode's files.
  package var keySeparator: [UInt8]
  /// The line break, LF or CR LF; empty in a file without line breaks.
  package var newline: [UInt8]
  /// The indentation of one level.
  package var indentation: [UInt8]
  /// The bytes after a comma in a file without line breaks.
  package var itemSpace: [UInt8]
  /// Whether an empty object or array is printed with an empty line between its brackets, as in Xcode, instead of as `{}` or `[]`.
  package var spreadsEmpty: Bool
  /// Whether U+2028 and U+2029 are escaped.
  package var escapesLineSeparators: Bool

  /// The style of the Xcode versions after 16.0 (xcode-formats.md A1).
  package static let xcode = JSONStyle(
    keySeparator: Array(" : ".utf8), newline: Array("\n".utf8), indentation: Array("  ".utf8), itemSpace: [],
    spreadsEmpty: true, escapesLineSeparators: true)

  /// Returns the style of a file, detected from the root object, the first empty object or array, and unescaped U+2028 or U+2029.
  /// Properties that cannot be detected get the values of `xcode`.
  package static func detected(in document: JSONDocument) -> JSONStyle {
    var style = xcode
    let bytes = document.bytes
    let root = document.root
    if let first = document.members(of: root).first(where: { _ in true }) {
      let start = document.range(of: root).lowerBound + 1
      let lead = bytes[start..<document.range(of: first.key).lowerBound]
      if let lineFeed = lead.lastIndex(of: UInt8(ascii: "\n")) {
        style.newline = lead.contains(UInt8(ascii: "\r")) ? [0x0D, 0x0A] : [0x0A]
        style.indentation = Array(lead[(lineFeed + 1)...])
      } else {
        style.newline = []
        style.indentation = []
      }
      style.keySeparator = Array(
        bytes[document.range(of: first.key).upperBound..<document.range(of: first.value).lowerBound])
      var members = document.members(of: root)
      if style.newline.isEmpty, members.next() != nil, let second = members.next() {
        let between = bytes[document.range(of: first.value).upperBound..<document.range(of: second.key).lowerBound]
        style.itemSpace = between.filter { $0 == UInt8(ascii: " ") }
      }
    }
    style.spreadsEmpty = style.keySeparator == xcode.keySeparator && !style.newline.isEmpty
    if let empty = document.firstEmpty {
      style.spreadsEmpty = document.range(of: empty).count > 2 && !style.newline.isEmpty
    }
    style.escapesLineSeparators = !document.holdsRawLineSeparators
    return style
  }

  /// Returns the style of a file that Xcode wrote. Only the handling of U+2028 and U+2029 is detected from the file: Xcode 15 and 16.0
  /// wrote them unescaped, and later versions escape them.
  package static func xcode(of document: JSONDocument) -> JSONStyle {
    var style = xcode
    style.escapesLineSeparators = !document.holdsRawLineSeparators
    return style
  }
}
