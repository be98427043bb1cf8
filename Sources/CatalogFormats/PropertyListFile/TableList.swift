internal import Localization
internal import StructuredText

/// A string table that is a property list: a `.stringsdict`, or a `.strings` file in XML or binary form.
///
/// This type finds the values and their positions. `TableSplice` finds the byte ranges that a change needs.
struct TableList: Sendable {
  enum Form: Sendable {
    case xml, binary, oldStyle
  }

  let form: Form
  let encoding: TextEncoding
  /// The text in UTF-8, without a byte order mark; for a binary list, the bytes of the file.
  let text: [UInt8]
  /// Whether the text's only line breaks are single CRs; `false` for a binary list.
  let breaksWithCR: Bool
  /// The text with LF in place of each CR if `breaksWithCR`. Its offsets are those of `text`.
  let lines: [UInt8]
  let root: PropertyListValue
  /// The comments; empty for a binary list.
  let comments: TableComments

  /// Returns whether a table is an XML or binary property list instead of an old-style list.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    // UTF-16 text contains NUL bytes and can start with a byte order mark.
    let start = bytes.prefix(3).firstIndex { $0 < 0x80 } ?? 0
    let first = bytes[start...].first { $0 != 0 && $0 != 0x20 && !(0x09...0x0D).contains($0) }
    return first == UInt8(ascii: "<")
  }

  init(_ bytes: [UInt8], limits: PropertyListLimits) throws(SyntaxError) {
    var comments = TableComments()
    if bytes.starts(with: "bplist".utf8) {
      (form, encoding, text) = (.binary, .utf8, bytes)
      root = try PropertyListValue.binary(bytes, limits: limits)
    } else {
      guard bytes.count <= limits.size else { throw Self.tooLarge(bytes.count, limits.size) }
      encoding = TextEncoding(sniffing: bytes)
      text = try encoding.text(of: bytes)
      if Self.recognizes(text) || !text.contains(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) {
        form = .xml
        root = try PropertyListValue.xml(text, limits: limits)
        comments = try .xml(text, limits: limits)
      } else {
        form = .oldStyle
        let list = try OldStylePropertyList.parse(text, as: .entries, limits: limits)
        root = list.value(of: list.root)
        comments = .oldStyle(list)
      }
    }
    guard root.dictionary != nil else {
      throw SyntaxError(
        SyntaxFault(kind: .syntax, position: root.position, message: "a string table must be a dictionary"))
    }
    self.comments = comments
    breaksWithCR = form == .binary ? false : text.breaksWithCR
    lines = breaksWithCR ? text.withLineFeeds : text
  }

  /// An empty table in XML form.
  static let empty = TableList()

  private init() {
    (form, encoding, comments) = (.xml, .utf8, TableComments())
    text = TextDictionary.dictionary([]).xml
    (breaksWithCR, lines) = (false, text)
    root = PropertyListValue(.dictionary([]), at: TextPosition(offset: 0, line: 1, column: 1))
  }

  /// Reads a file.
  /// - Throws: `InputFault` with all faults that can be found in one pass, each with line and column.
  static func read(_ bytes: [UInt8], at path: TreePath, limits: PropertyListLimits) throws(InputFault) -> TableList {
    do {
      return try TableList(bytes, limits: limits)
    } catch {
      throw InputFault(error, path: path.text)
    }
  }

  /// Returns the table in XML or binary form, printed from its values in the layout of Apple's tools. The order of the keys and the final
  /// newline are kept.
  func reprinted(at path: TreePath) throws(InputFault) -> [UInt8] {
    guard let tree = TextDictionary(root) else {
      throw InputFault(
        Diagnostic(
          path: path.text, severity: .error,
          message: "the table has values that are neither text nor dictionaries"))
    }
    var printed = form == .binary ? tree.binary(sortingKeys: false) : tree.xml(sortingKeys: false)
    if form != .binary, lines.last != 0x0A { printed.removeLast() }
    return encoding.bytes(of: printed)
  }

  /// The members of the table in the order of the file.
  var members: [PropertyListMember] { root.dictionary ?? [] }

  /// Returns the text of all comments between the previous member and a member's key; `nil` if there are none. A comment on the line on which the
  /// previous member ends belongs to that member.
  func comment(of member: PropertyListMember) -> String? {
    comments.before[member.position.offset]?.map(\.text).joined(separator: "\n")
  }

  static func tooLarge(_ count: Int, _ most: Int) -> SyntaxError {
    SyntaxError(
      SyntaxFault(
        kind: .tooLarge, position: TextPosition(offset: 0, line: 1, column: 1),
        message: "the file has \(count) bytes; the limit is \(most)"))
  }
}
