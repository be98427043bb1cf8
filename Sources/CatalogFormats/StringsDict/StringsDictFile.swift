package import Localization
package import StructuredText

/// A `.stringsdict` file with everything that it holds: XML, binary or old-style (formats.md F).
///
/// Reading it loses nothing: the bytes stay, and edits are splices over them; a binary list is printed anew with its keys in their order.
package struct StringsDictFile: Sendable {
  /// A key that the domain can say.
  package struct Entry: Sendable {
    package let key: UnitKey
    /// The text is the format key as it stands in the file, with one substitution a variable; a device rule is `.device`.
    package let translation: Translation
    package let comment: String?
    /// Of the key.
    package let position: TextPosition
  }

  /// A key that the domain cannot say, such as a width rule: its bytes stay, whatever is written beside it.
  package struct Kept: Sendable {
    package let key: UnitKey
    /// Lower case: `a rule for the width of the text`.
    package let reason: String
    package let position: TextPosition
  }

  package let path: TreePath
  package let bytes: [UInt8]
  let list: TableList
  /// In the order of the file; of several with one key the last, which counts at run time.
  package let entries: [Entry]
  package let kept: [Kept]
  /// What does not keep the file from being read: keys that occur twice, what is kept.
  package let warnings: [Diagnostic]

  /// - Throws: all faults of the file that can be told at once, each with line and column.
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
        warn("the key \"\(key)\" occurs again below; at run time the last one counts")
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

  /// The entries by key.
  package var translations: [UnitKey: Translation] {
    Dictionary(entries.map { ($0.key, $0.translation) }, uniquingKeysWith: { _, last in last })
  }

  /// The file with changed keys: only the texts that differ are replaced, and what is new is laid out and ordered as the file is.
  /// - Parameter changes: a key that is not there is added; `nil` removes the key.
  /// - Throws: every translation that the format cannot hold, and every key that is kept.
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
    return try self.list.written(list, at: path, limits: StringsFile.limits)
  }

  /// A new file as Xcode and plutil write it: XML, tabs, keys in code point order.
  /// - Throws: every translation that the format cannot hold.
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
