package import Localization
package import StructuredText

/// A `.strings` file with everything that it holds, whichever of its encodings it has: text in UTF-8 or UTF-16, an XML or a binary
/// property list (formats.md F).
///
/// Reading it loses nothing: the bytes stay, and edits are splices over them.
package struct StringsFile: Sendable {
  /// A key with its value, as a program finds it at run time.
  package struct Entry: Sendable {
    package let key: UnitKey
    /// `"key";` alone means that the value is the key.
    package let value: String
    /// What stands in the comments that belong to the entry, without their marks, one a line.
    package let comment: String?
    /// Of the key, in lines and UTF-8 columns of the text; in a binary list line 1 and the byte.
    package let position: TextPosition
  }

  enum Content: Sendable {
    case text(StringsText)
    case propertyList(TableList)
  }

  package let path: TreePath
  package let bytes: [UInt8]
  let content: Content
  /// In the order of the file, every one, also those whose key occurs again; values that are no texts are left out.
  package private(set) var entries: [Entry]
  /// The keys whose value at run time is no text (a number, an array, a dictionary): it stays, whatever is written beside it.
  package let keptKeys: Set<UnitKey>
  private let holdsDuplicates: Bool
  /// What does not keep the file from being read: keys that occur twice, values that are no texts.
  package private(set) var warnings: [Diagnostic]

  /// What a table may ask for; real ones have a few megabytes.
  package static let limits = PropertyListLimits(depth: 64, size: 32 << 20)
  /// The most entries that are read.
  static let mostEntries = 1_000_000

  /// - Throws: all faults of the file that can be told at once, each with line and column.
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
    // The bound is told before anything is made of the bytes.
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

  /// The file printed from its values (`Reprint`).
  func reprinted() throws(InputFault) -> [UInt8] {
    switch content {
    case .text(let text): StringsPrinter.reprint(text)
    case .propertyList(let list): try list.reprinted(at: path)
    }
  }

  /// What editing takes: the syntax, without the values that were made of it.
  var forEditing: StringsFile {
    var file = self
    file.entries = []
    file.warnings = []
    return file
  }

  /// The entries that count at run time, each key once: of several with one key the last.
  var effectiveEntries: [Entry] { holdsDuplicates || !keptKeys.isEmpty ? Array(values.values) : entries }

  /// The entries by key; of several with one key the last, which counts at run time. A key whose last value is no text is none.
  package var values: [UnitKey: Entry] {
    var values = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    for key in keptKeys { values[key] = nil }
    return values
  }
}

/// Collects entries and what is worth telling of them.
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
      warn(position, "the value of the key \"\(key)\" is not a text; it stays unchanged")
      return
    }
    if let line = lines.updateValue(position.line, forKey: key) {
      holdsDuplicates = true
      warn(position, "the key \"\(key)\" is also on line \(line); at run time the last one counts")
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
