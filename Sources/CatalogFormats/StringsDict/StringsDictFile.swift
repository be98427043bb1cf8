package import Localization
package import StructuredText

/// A `.stringsdict` file in XML, binary or old-style form, with all its content (xcode-formats.md F).
///
/// No content is lost when a file is read and edited. The bytes are kept, and an edit replaces only the parts that change. If a binary list is
/// edited, the whole list is printed again, with its keys in the same order.
package struct StringsDictFile: Sendable {
  /// A key and its value as a `Translation`.
  package struct Entry: Sendable {
    package let key: UnitKey
    /// The translation. Its text is the unchanged value of the format key, with one substitution per variable. A device rule becomes `.device`. A
    /// value that is text becomes a plain text.
    package let translation: Translation
    package let comment: String?
    /// The position of the key.
    package let position: TextPosition
  }

  /// A key whose value `Translation` cannot represent, such as a width rule. Its bytes are kept when other keys are written.
  package struct Kept: Sendable {
    package let key: UnitKey
    /// The reason as a part of a sentence, such as `a width rule`.
    package let reason: String
    package let position: TextPosition
  }

  package let path: TreePath
  package let bytes: [UInt8]
  let list: TableList
  /// The entries in file order. If several entries have the same key, only the last is included, because it wins at run time.
  package let entries: [Entry]
  package let kept: [Kept]
  /// Problems that do not prevent reading: duplicate keys and kept content.
  package let warnings: [Diagnostic]

  /// Reads a file.
  /// - Throws: `InputFault` with all faults that can be found in one pass, each with line and column.
  package static func read(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> StringsDictFile {
    StringsDictFile(try TableList.read(bytes, at: path, limits: StringsFile.limits), bytes, path)
  }

  private init(_ list: TableList, _ bytes: [UInt8], _ path: TreePath) {
    self.list = list
    self.bytes = bytes
    self.path = path
    var entries: [Entry] = []
    var kept: [Kept] = []
    var warnings: [Diagnostic] = []
    var last: [UnitKey: Int] = [:]
    let members = list.members
    for (index, member) in members.enumerated() { last[UnitKey(member.key)] = index }
    for (index, member) in members.enumerated() {
      let key = UnitKey(member.key)
      func warn(_ message: String) {
        let place = member.position
        warnings.append(
          Diagnostic(path: path.text, line: place.line, column: place.column, severity: .warning, message: message))
      }
      guard last[key] == index else {
        warn("the key \"\(key)\" occurs again below; at run time the last entry counts")
        continue
      }
      switch StringsDictEntry.read(member.value) {
      case .translation(let translation):
        let comment = list.comment(of: member) ?? member.value[StringsDictEntry.commentKey]?.string
        entries.append(Entry(key: key, translation: translation, comment: comment, position: member.position))
      case .kept(let reason):
        kept.append(Kept(key: key, reason: reason, position: member.position))
        warn("the key \"\(key)\" has \(reason); it stays unchanged and is not translated")
      }
    }
    self.entries = entries
    self.kept = kept
    self.warnings = warnings
  }

  /// The translations of the entries by key.
  package var translations: [UnitKey: Translation] {
    Dictionary(entries.map { ($0.key, $0.translation) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the file with changed keys. Only texts that differ are replaced, and new content gets the layout and order of the file.
  /// - Parameter changes: the new translations by key. A missing key is added, and `nil` removes the key.
  /// - Throws: `InputFault` with every translation that the format cannot contain and every change of a key in `kept`, if a binary list contains
  ///   values that cannot be printed, or if the edited file would be read in another encoding.
  package func edited(_ changes: [UnitKey: Translation?]) throws(InputFault) -> [UInt8] {
    var faults: [Diagnostic] = []
    var list: [(key: String, change: TableChange)] = []
    let old = Dictionary(self.list.members.map { (UnitKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
    let known = translations
    for (key, translation) in changes.sorted(by: { $0.key < $1.key }) {
      guard let translation else {
        list.append((key.text, .remove))
        continue
      }
      guard known[key] != translation else { continue }
      let refusal: String
      if let kept = kept.first(where: { $0.key == key }) {
        refusal = "it has \(kept.reason)"
      } else {
        switch StringsDictEntry.written(translation) {
        case .success(let value):
          if let change = old[key].map({ StringsDictEntry.change(from: $0, to: value) }) ?? .set(value) {
            list.append((key.text, change))
          }
          continue
        case .failure(let fault): refusal = fault.reason
        }
      }
      faults.append(
        Diagnostic(path: path.text, severity: .error, message: "the key \"\(key)\" cannot be written: \(refusal)"))
    }
    guard faults.isEmpty else { throw InputFault(faults) }
    guard !list.isEmpty else { return bytes }
    let written = try self.list.written(list, at: path, limits: StringsFile.limits)
    let isSame = self.list.form != .oldStyle || TextEncoding(sniffing: written) == self.list.encoding
    guard isSame || written.isEmpty else { throw InputFault.otherEncoding(at: path) }
    return written
  }

  /// Returns a new file in the layout of Xcode and plutil: XML, indented with tabs, with keys in code point order.
  /// - Throws: `InputFault` with every translation that the format cannot contain.
  package static func new(_ translations: [UnitKey: Translation], at path: TreePath) throws(InputFault) -> [UInt8] {
    let empty = StringsDictFile(
      TableList.empty, Array(TextDictionary.dictionary([]).xml(sortingKeys: true)), path)
    _ = try empty.edited(translations.mapValues { $0 })
    let members = translations.compactMap { key, translation -> TextDictionary.Member? in
      guard case .success(let value) = StringsDictEntry.written(translation) else { return nil }
      return TextDictionary.Member(key.text, value)
    }
    return TextDictionary.dictionary(members).xml
  }
}
