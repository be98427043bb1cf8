internal import Localization
internal import StructuredText

/// A `.strings` file in text form: an old-style property list, with or without braces, together with its comments (xcode-formats.md F).
struct StringsText: Sendable {
  /// A comment before, between or after the entries.
  struct Comment: Sendable {
    /// The range, including the comment delimiters.
    var range: Range<Int>
    /// Whether an empty line follows the comment, before the next comment or the key.
    var precedesEmptyLine: Bool
    /// Whether the comment is on the line on which the previous entry ends. Such a comment belongs to that entry.
    var trailsEntry: Bool
  }

  struct Entry: Sendable {
    var member: OldStyleMember
    /// The offset after the semicolon.
    var end: Int
    /// The comments before the entry's key, as indices into the file's `comments`.
    var comments: Range<Int>
  }

  let encoding: TextEncoding
  /// The list parsed from the file's text, in UTF-8 and without the byte order mark.
  let list: OldStylePropertyList
  let comments: [Comment]
  /// The entries in file order. If a key occurs twice, the last entry wins at run time.
  let entries: [Entry]
  /// The comments after the last entry.
  let lastComments: Range<Int>

  /// Whether the file's only line breaks are single CRs.
  let breaksWithCR: Bool
  /// The text with LF in place of each CR if `breaksWithCR`. Its offsets are those of `text`.
  let lines: [UInt8]

  var text: [UInt8] { list.bytes }

  init(_ bytes: [UInt8], limits: PropertyListLimits) throws(SyntaxError) {
    encoding = TextEncoding(sniffing: bytes)
    list = try OldStylePropertyList.parse(try encoding.text(of: bytes), as: .entries, limits: limits)
    breaksWithCR = list.bytes.breaksWithCR
    lines = list.bytes.withLineFeeds
    var scan = StringsCommentScan(list: list)
    var entries: [Entry] = []
    for member in list.members(of: list.root) {
      let first = scan.comments.count
      scan.read(upTo: list.range(of: member.key).lowerBound)
      let end = list.end(of: member)
      entries.append(Entry(member: member, end: end, comments: first..<scan.comments.count))
      scan.position = end
    }
    let first = scan.comments.count
    scan.read(upTo: list.bytes.count)
    self.entries = entries
    comments = scan.comments
    lastComments = first..<scan.comments.count
  }

  /// Whether the entries are enclosed in braces.
  var isBraced: Bool { list.isBraced }

  func key(of entry: Entry) -> UnitKey { UnitKey(list.text(entry.member.key)) }

  /// Returns the text of an entry's value; `nil` if the value is not text.
  func value(of entry: Entry) -> String? { list.textValue(entry.member.value) }

  /// Returns the comments of an entry: the last comment before its key with the comments directly above that comment, or else the comments after the
  /// entry on its line.
  ///
  /// Comments that an empty line separates from that last comment belong to the file or to one of its sections. Xcode shows translators only the last
  /// comment before a key. In the bundles of xcode-formats.md C, a file's header is omitted if the entry has its own comment.
  func ownComments(at index: Int) -> Range<Int> {
    let range = entries[index].comments
    var first = range.upperBound
    while first > range.lowerBound, !comments[first - 1].trailsEntry,
      first == range.upperBound || !comments[first - 1].precedesEmptyLine
    {
      first -= 1
    }
    if first < range.upperBound { return first..<range.upperBound }
    let next = index + 1 < entries.count ? entries[index + 1].comments : lastComments
    return next.lowerBound..<(next.first { !comments[$0].trailsEntry } ?? next.upperBound)
  }

  /// Returns the text of an entry's comments, one per line, without delimiters and surrounding white space; `nil` if there is no comment.
  func comment(at index: Int) -> String? {
    let texts = ownComments(at: index).map { words(of: comments[$0]) }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private func words(of comment: Comment) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let words = content(of: comment).drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    var text = String(decoding: words, as: UTF8.self)
    // Comments of a `Catalog` always use LF.
    if text.utf8.contains(0x0D) { text = text.replacing(breaksWithCR ? "\r" : "\r\n", with: "\n") }
    return text
  }

  /// Returns the bytes between the delimiters of a comment.
  func content(of comment: Comment) -> ArraySlice<UInt8> { list.content(ofComment: comment.range) }
}

/// Collects the comments of a file from start to end.
private struct StringsCommentScan {
  let list: OldStylePropertyList
  var comments: [StringsText.Comment] = []
  /// The offset after the previous entry.
  var position = 0
  /// The offset after the closing brace; without braces, the length of the file. A comment after this offset belongs to no entry.
  private let brace: Int

  init(list: OldStylePropertyList) {
    self.list = list
    brace = list.isBraced ? list.range(of: list.root).upperBound : list.bytes.count
  }

  mutating func read(upTo end: Int) {
    let ranges = list.comments(in: position..<end)
    // At the start of the file, there is no previous entry.
    var isOnEntryLine = position > 0
    var previous = position
    for (index, range) in ranges.enumerated() {
      if range.lowerBound >= brace || lineBreaks(in: previous..<range.lowerBound) > 0 { isOnEntryLine = false }
      let next = index + 1 < ranges.count ? ranges[index + 1].lowerBound : end
      comments.append(
        StringsText.Comment(
          range: range, precedesEmptyLine: lineBreaks(in: range.upperBound..<next) > 1, trailsEntry: isOnEntryLine))
      previous = range.upperBound
    }
  }

  private func lineBreaks(in range: Range<Int>) -> Int {
    list.bytes[range].lineBreakCount
  }
}

extension OldStylePropertyList {
  /// Whether the entries of the root are enclosed in braces.
  fileprivate var isBraced: Bool { bytes[range(of: root)].first == UInt8(ascii: "{") }
}
