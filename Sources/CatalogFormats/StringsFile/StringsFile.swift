package import Localization
package import StructuredText

/// A `.strings` file with all its content, in any of its encodings: text in UTF-8 or UTF-16, or an XML or binary property list
/// (xcode-formats.md F).
///
/// No content is lost when a file is read and edited. The bytes are kept, and an edit replaces only the parts that change. If a binary list is
/// edited, the whole list is printed again.
package struct StringsFile: Sendable {
  /// An entry of the file: a key with a text as its value.
  package struct Entry: Sendable {
    package let key: UnitKey
    /// The value. If an entry is only `"key";`, the value is the key.
    package let value: String
    /// The text of the comments that belong to the entry, one per line and without comment delimiters; `nil` if there are none.
    package let comment: String?
    /// The position of the key: line and UTF-8 column in text, or line 1 and the byte offset in a binary list.
    package let position: TextPosition
  }

  enum Content: Sendable {
    case text(StringsText)
    case propertyList(TableList)
  }

  package let path: TreePath
  package let bytes: [UInt8]
  let content: Content
  /// All entries in file order, including duplicates. Entries whose values are not text are omitted.
  package private(set) var entries: [Entry]
  /// The keys whose value at run time is not text, such as a number, an array or a dictionary. Such values are kept when other keys are written.
  package let keptKeys: Set<UnitKey>
  private let holdsDuplicates: Bool
  /// Problems that do not prevent reading: duplicate keys and values that are not text.
  package private(set) var warnings: [Diagnostic]

  /// The limits of a table. Real tables have at most a few megabytes.
  package static let limits = PropertyListLimits(depth: 64, size: 32 << 20)
  /// The maximum number of entries.
  static let mostEntries = 1_000_000

  /// Reads a file.
  /// - Throws: `InputFault` with all faults that can be found in one pass, each with line and column.
  package static func read(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> StringsFile {
    do {
      return try StringsFile(bytes, at: path)
    } catch {
      throw InputFault(error, path: path.text)
    }
  }

  private init(_ bytes: [UInt8], at path: TreePath) throws(SyntaxError) {
    self.path = path
    self.bytes = bytes
    // The size is checked before the bytes are processed.
    guard bytes.count <= Self.limits.size else { throw TableList.tooLarge(bytes.count, Self.limits.size) }
    var scan = StringsEntryScan(path: path)
    if TableList.recognizes(bytes) {
      let list = try TableList(bytes, limits: Self.limits)
      for member in list.members {
        scan.add(UnitKey(member.key), member.value.string, member.position) { list.comment(of: member) }
      }
      content = .propertyList(list)
    } else {
      let text = try StringsText(bytes, limits: Self.limits)
      guard text.entries.count <= Self.mostEntries else {
        throw SyntaxError(
          SyntaxFault(
            kind: .tooLarge, position: text.list.position(of: text.entries[Self.mostEntries].member.key),
            message: "the table has \(text.entries.count) entries; the limit is \(Self.mostEntries)"))
      }
      scan.reserve(text.entries.count)
      for (index, entry) in text.entries.enumerated() {
        scan.add(text.key(of: entry), text.value(of: entry), text.list.position(of: entry.member.key)) {
          text.comment(at: index)
        }
      }
      content = .text(text)
    }
    entries = scan.entries
    keptKeys = scan.keptKeys
    holdsDuplicates = scan.holdsDuplicates
    warnings = scan.warnings
  }

  /// Returns the file printed from its values (`Reprint`).
  func reprinted() throws(InputFault) -> [UInt8] {
    switch content {
    case .text(let text): StringsPrinter.reprint(text)
    case .propertyList(let list): try list.reprinted(at: path)
    }
  }

  /// A copy for editing, which needs only the syntax tree. The copy has no entries and no warnings.
  var forEditing: StringsFile {
    var file = self
    file.entries = []
    file.warnings = []
    return file
  }

  /// The entries that take effect at run time: the last entry of each key.
  var effectiveEntries: [Entry] { holdsDuplicates || !keptKeys.isEmpty ? Array(values.values) : entries }

  /// The last entry of each key, which wins at run time. A key is omitted if the value of its last entry is not text.
  package var values: [UnitKey: Entry] {
    var values = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    for key in keptKeys { values[key] = nil }
    return values
  }
}

/// Collects the entries and the warnings about them.
private struct StringsEntryScan {
  let path: TreePath
  var entries: [StringsFile.Entry] = []
  var keptKeys: Set<UnitKey> = []
  var warnings: [Diagnostic] = []
  private(set) var holdsDuplicates = false
  private var lines: [UnitKey: Int] = [:]

  init(path: TreePath) { self.path = path }

  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
    lines.reserveCapacity(count)
  }

  mutating func add(_ key: UnitKey, _ value: String?, _ position: TextPosition, comment: () -> String?) {
    guard let value else {
      keptKeys.insert(key)
      warn(position, "the value of the key \"\(key)\" is not text; it stays unchanged")
      return
    }
    if let line = lines.updateValue(position.line, forKey: key) {
      holdsDuplicates = true
      warn(position, "the key \"\(key)\" is also on line \(line); at run time the last entry counts")
    }
    keptKeys.remove(key)
    entries.append(StringsFile.Entry(key: key, value: value, comment: comment(), position: position))
  }

  private mutating func warn(_ position: TextPosition, _ message: String) {
    warnings.append(
      Diagnostic(
        path: path.text, line: position.line, column: position.column, severity: .warning, message: message))
  }
}
