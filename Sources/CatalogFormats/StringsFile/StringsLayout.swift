internal import StructuredText

/// The layout of a `.strings` file in text form. It has the properties in which files from different parts of Xcode differ (xcode-formats.md F,
/// "Xcode-written layout").
struct StringsLayout: Equatable, Sendable {
  /// Whether the file starts with an empty line, like ibtool's files.
  var beginsWithEmptyLine = false
  /// Whether an empty line separates entries, as in files from an import, genstrings or ibtool. The tables that an export creates from an
  /// Info.plist have no empty lines.
  var separatesEntries = true
  /// Whether keys are unquoted where possible, as in Xcode's template of InfoPlist.strings.
  var hasPlainKeys = false
  /// The number of line breaks at the end: 2 in files from an import, 1 in ibtool's files.
  var finalBreaks = 2
  /// The line break: CR LF if the file's first line ends with it, CR if the file has no other line breaks, otherwise LF, which Xcode writes.
  var lineBreak: [UInt8] = [0x0A]

  /// The layout of the files that Xcode's import creates.
  static let xcode = StringsLayout()

  private init() {}

  /// Detects the layout of a file. Properties that the file does not show get the values of Xcode's import.
  init(of file: StringsText) {
    let text = file.lines
    if file.breaksWithCR { lineBreak = [0x0D] }
    if let first = text.firstIndex(of: 0x0A), first > 0, text[first - 1] == 0x0D { lineBreak = [0x0D, 0x0A] }
    let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let lead = text.prefix(while: isBreak)
    finalBreaks = text.reversed().prefix(while: isBreak).count { $0 == 0x0A }
    guard let first = file.entries.first else { return }
    beginsWithEmptyLine = lead.count { $0 == 0x0A } == 1
    hasPlainKeys = file.list.kind(of: first.member.key) == .word
    guard file.entries.count > 1 else {
      // A single entry has no gap to another entry. An empty line at the end indicates a file from Xcode's import. No empty line at either
      // end indicates the table of an Info.plist.
      separatesEntries = finalBreaks != 1 || beginsWithEmptyLine
      return
    }
    var separated = 0
    for (entry, next) in zip(file.entries, file.entries.dropFirst()) {
      let comment = next.comments.first { !file.comments[$0].trailsEntry }
      let start = comment.map { file.comments[$0].range.lowerBound } ?? file.list.range(of: next.member.key).lowerBound
      if text[entry.end..<start].count(where: { $0 == 0x0A }) > 1 { separated += 1 }
    }
    separatesEntries = 2 * separated >= file.entries.count - 1
  }
}
