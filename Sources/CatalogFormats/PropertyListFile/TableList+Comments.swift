internal import Localization
internal import StructuredText

/// A comment in a `.strings` or `.stringsdict` file.
struct TableComment: Sendable {
  /// The text without delimiters and surrounding white space. Its lines end in LF.
  var text: String
  /// The offset of the comment's first byte.
  var offset: Int

  /// Creates a comment. Returns `nil` if the text is empty.
  init?(_ words: String, at offset: Int) {
    let text = words.withoutOuterSpace
    guard !text.isEmpty else { return nil }
    self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    self.offset = offset
  }
}

/// The comments of a `.strings` or `.stringsdict` file, by key.
struct TableComments: Sendable {
  /// The comments before a key, by the offset of the key.
  var before: [Int: [TableComment]] = [:]
  /// The comments between a key and its value, inside the value, and after the value on its line, by the offset of the key.
  var within: [Int: [TableComment]] = [:]
  /// The comments before the table's dictionary; empty for an old-style list, in which such comments belong to the first key.
  var head: [TableComment] = []
  /// The comments after the last entry, except those on its line. If there are no entries, all comments except those in `head`.
  var tail: [TableComment] = []

  /// The texts of all comments.
  var texts: Set<UnitKey> {
    let all = [head, tail] + before.values + within.values
    return Set(all.joined().map { UnitKey($0.text) })
  }

  /// Returns the comments of an XML list.
  static func xml(_ text: [UInt8], limits: PropertyListLimits) throws(SyntaxError) -> TableComments {
    let mark = Array("<!--".utf8)
    let span = text.span
    guard span.indices.contains(where: { span[$0] == mark[0] && text[$0...].starts(with: mark) }) else {
      return TableComments()
    }
    let document = try PropertyListValue.document(text, limits: limits)
    var scan = XMLTableComments(document, TableSplice.top(of: document))
    for node in document.topLevel { scan.readAround(node) }
    return scan.comments
  }

  /// Returns the comments of an old-style list.
  static func oldStyle(_ list: OldStylePropertyList) -> TableComments {
    var comments = TableComments()
    var position = 0
    var last: Int?
    for member in list.members(of: list.root) {
      let key = list.range(of: member.key).lowerBound
      comments.take(list, position..<key, behind: last, before: key)
      comments.within[key, default: []] += inside(member, of: list)
      position = list.end(of: member)
      last = key
    }
    comments.take(list, position..<list.bytes.count, behind: last, before: nil)
    return comments
  }

  private mutating func take(_ list: OldStylePropertyList, _ range: Range<Int>, behind last: Int?, before next: Int?) {
    for block in Self.blocks(in: range, of: list, behind: last) {
      let words = block.comments.map { Self.words($0, of: list) }.joined(separator: "\n")
      guard let start = block.comments.first?.lowerBound, let comment = TableComment(words, at: start) else { continue }
      if block.isOnLine, let last {
        within[last, default: []].append(comment)
      } else if let next {
        before[next, default: []].append(comment)
      } else {
        tail.append(comment)
      }
    }
  }

  private struct Block {
    var comments: [Range<Int>]
    /// Whether the block starts on the line of the previous entry.
    var isOnLine: Bool
  }

  /// Returns the comments in a range, grouped into blocks. Line comments (`//`) on consecutive lines form one block, unless they begin on the line of
  /// the previous entry.
  private static func blocks(in range: Range<Int>, of list: OldStylePropertyList, behind last: Int?) -> [Block] {
    func isLine(_ comment: Range<Int>) -> Bool { list.bytes[comment.lowerBound + 1] == UInt8(ascii: "/") }
    var blocks: [Block] = []
    var position = range.lowerBound
    var isOnLine = last != nil
    for comment in list.comments(in: range) {
      let breaks = list.bytes[position..<comment.lowerBound].lineBreakCount
      position = comment.upperBound
      if breaks > 0 { isOnLine = false }
      if let above = blocks.last, !above.isOnLine, breaks <= 1, isLine(comment), above.comments.last.map(isLine) == true
      {
        blocks[blocks.count - 1].comments.append(comment)
      } else {
        blocks.append(Block(comments: [comment], isOnLine: isOnLine))
      }
    }
    return blocks
  }

  /// Returns the comments from a member's key to its semicolon.
  static func inside(_ member: OldStyleMember, of list: OldStylePropertyList) -> [TableComment] {
    let value = list.range(of: member.value)
    var gaps: [Range<Int>] = []
    if member.key != member.value { gaps.append(list.range(of: member.key).upperBound..<value.lowerBound) }
    var found: [TableComment] = []
    if list.kind(of: member.value) == .dictionary {
      var position = value.lowerBound + 1
      for inner in list.members(of: member.value) {
        gaps.append(position..<max(position, list.range(of: inner.key).lowerBound))
        found += inside(inner, of: list)
        position = list.end(of: inner)
      }
      gaps.append(position..<max(position, value.upperBound - 1))
    }
    gaps.append(value.upperBound..<max(value.upperBound, list.end(of: member) - 1))
    return (found + gaps.flatMap { list.comments(in: $0) }.compactMap { comment($0, of: list) })
      .sorted { $0.offset < $1.offset }
  }

  private static func comment(_ range: Range<Int>, of list: OldStylePropertyList) -> TableComment? {
    TableComment(words(range, of: list), at: range.lowerBound)
  }

  private static func words(_ range: Range<Int>, of list: OldStylePropertyList) -> String {
    String(decoding: list.content(ofComment: range), as: UTF8.self)
  }
}

/// Collects the comments of an XML list.
private struct XMLTableComments {
  let document: XMLDocument
  let dictionary: XMLNode
  var comments = TableComments()
  private var hasRead = false

  init(_ document: XMLDocument, _ dictionary: XMLNode) {
    self.document = document
    self.dictionary = dictionary
  }

  /// Reads the comments of a node: of the table's dictionary, of a node outside the dictionary, or of a node that contains the dictionary.
  mutating func readAround(_ node: XMLNode) {
    if node == dictionary {
      readDictionary()
    } else if let comment = comment(node) {
      if hasRead { comments.tail.append(comment) } else { comments.head.append(comment) }
    } else if document.kind(of: node) == .element {
      for child in document.children(of: node) { readAround(child) }
    }
  }

  private mutating func readDictionary() {
    var pending: [TableComment] = []
    var key: Int?
    /// The offset of the previous key, and the end of its value; `nil` before the first key.
    var last: (key: Int, end: Int)?
    for node in document.children(of: dictionary) {
      if let comment = comment(node) {
        if let key {
          comments.within[key, default: []].append(comment)
        } else if let last, document.bytes[last.end..<comment.offset].lineBreakCount == 0 {
          comments.within[last.key, default: []].append(comment)
        } else {
          pending.append(comment)
        }
      } else if document.kind(of: node) == .element {
        if let name = key {
          comments.within[name, default: []] += inside(node)
          last = (name, document.range(of: node).upperBound)
          key = nil
        } else {
          let offset = document.range(of: node).lowerBound
          comments.before[offset] = pending.isEmpty ? nil : pending
          comments.within[offset, default: []] += inside(node)
          pending = []
          key = offset
        }
      }
    }
    comments.tail += pending
    hasRead = true
  }

  /// Returns every comment below a node. The recursion is bounded by the document's depth limit.
  private func inside(_ node: XMLNode) -> [TableComment] {
    document.children(of: node).flatMap { child in
      comment(child).map { [$0] } ?? (document.kind(of: child) == .element ? inside(child) : [])
    }
  }

  private func comment(_ node: XMLNode) -> TableComment? {
    guard document.kind(of: node) == .comment else { return nil }
    return TableComment(document.comment(node), at: document.range(of: node).lowerBound)
  }
}
