package import Localization
internal import StructuredText

/// Checks that every byte that differs between two versions of a String Catalog belongs to an allowed change.
package enum ChangeAudit {
  /// Further changes that are allowed. Changes of existing localizations are always allowed if a returned unit explains them.
  package struct Allowance: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// New entries that have at least one localization in a target language, if returned units explain all of these localizations.
    package static let addedEntries = Allowance(rawValue: 1)
    /// An increase of the catalog's `version` (xcode-formats.md A5).
    package static let raisedVersion = Allowance(rawValue: 2)

    /// The changes that a commit of translations may make.
    package static let translations: Allowance = [.addedEntries, .raisedVersion]
  }

  /// Returns the unexplained changes between two versions of a catalog.
  /// - Parameters:
  ///   - explaining: returns whether a returned unit explains a change of this key in this language.
  ///   - allowed: the further changes that are allowed.
  /// - Returns: if the encoding changed, only an error about this. Otherwise an error for each key, or language of a key, with an unexplained change,
  ///   with a position in the new file; if there are none, an error for the first of the other differing bytes. Empty if every changed byte is
  ///   explained.
  /// - Throws: `InputFault` if one of the files cannot be read.
  package static func unexplainedChanges(
    from old: [UInt8], to new: [UInt8], at path: TreePath, explaining: @escaping (UnitKey, LocaleIdentifier) -> Bool,
    allowing allowed: Allowance = .translations
  ) throws(InputFault) -> [Diagnostic] {
    try unexplainedChanges(
      from: CatalogFiles(old, at: path), to: CatalogFiles(new, at: path), explaining: explaining, allowing: allowed)
  }

  /// Returns the unexplained changes between two versions of a catalog's files. If `old.origin` contains the parsed old file, the file is not parsed
  /// again.
  package static func unexplainedChanges(
    from old: CatalogFiles, to new: CatalogFiles, explaining: @escaping (UnitKey, LocaleIdentifier) -> Bool,
    allowing allowed: Allowance = .translations
  ) throws(InputFault) -> [Diagnostic] {
    let (path, bytes) = (new.path, try new.readSource())
    guard try old.readSource() != bytes else { return [] }
    let before = try CatalogTree(old)
    if EntryAudit(before: before, after: bytes, explaining: explaining, allowed: allowed).isExplained { return [] }
    let after = try CatalogTree(bytes, at: path)
    guard before.encoding == after.encoding else {
      return [Diagnostic(path: path.text, severity: .error, message: "the file's encoding changed")]
    }
    let comparison = AuditComparison(before: before, after: after, explaining: explaining, allowed: allowed)
    let found = comparison.changes()
    guard found.isEmpty else { return found }

    // Without the explained changes, both files must have the same bytes, in the same order.
    let rest = (comparison.remainder(of: before, isNew: false), comparison.remainder(of: after, isNew: true))
    guard let offset = Reprint.firstDifference(rest.0, rest.1) else { return [] }
    let place = TextPosition(offset: offset, in: rest.1)
    return [
      Diagnostic(
        path: path.text, severity: .error,
        message:
          "bytes outside the changed translations differ, first at \(place.line):\(place.column) of the file without these translations"
      )
    ]
  }
}

private struct AuditComparison {
  let before: CatalogTree
  let after: CatalogTree
  let explaining: (UnitKey, LocaleIdentifier) -> Bool
  let allowed: ChangeAudit.Allowance
  private let oldEntries: [UnitKey: JSONNode]
  /// The keys of entries that both versions have, that differ, and that have at least one language in which changes are explained. `remainder`
  /// removes localizations only from these entries.
  private var touched: Set<UnitKey> = []
  private var addsEntries = false

  init(
    before: CatalogTree, after: CatalogTree, explaining: @escaping (UnitKey, LocaleIdentifier) -> Bool,
    allowed: ChangeAudit.Allowance
  ) {
    self.before = before
    self.after = after
    self.explaining = explaining
    self.allowed = allowed
    var entries: [UnitKey: JSONNode] = [:]
    for member in before.document.members(of: before.strings) {
      entries[UnitKey(before.document.string(member.key))] = member.value
    }
    oldEntries = entries
    for member in after.document.members(of: after.strings) {
      let key = UnitKey(after.document.string(member.key))
      guard let old = entries[key] else {
        addsEntries = true
        continue
      }
      guard !same(old, member.value) else { continue }
      let languages = Set(localizations(of: old, in: before).keys).union(
        localizations(of: member.value, in: after).keys)
      if languages.contains(where: { explaining(key, $0) }) { touched.insert(key) }
    }
  }

  /// Returns an error for each key that was removed or was added without an explanation, and for each language in which a key has an unexplained
  /// change.
  func changes() -> [Diagnostic] {
    var found: [Diagnostic] = []
    let faults = CatalogFaults(document: after.document, path: after.path)
    var met: Set<UnitKey> = []
    for member in after.document.members(of: after.strings) {
      let key = UnitKey(after.document.string(member.key))
      met.insert(key)
      guard let old = oldEntries[key] else {
        if !isExplained(newEntry: member.value, key) {
          found.append(faults.diagnostic(member.key, "the key \"\(key)\" was added, although no returned unit adds it"))
        }
        continue
      }
      guard !same(old, member.value) else { continue }
      let (was, now) = (localizations(of: old, in: before), localizations(of: member.value, in: after))
      for language in Set(was.keys).union(now.keys).sorted() {
        if let a = was[language], let b = now[language], same(a, b) { continue }
        if !explaining(key, language) {
          found.append(
            faults.diagnostic(
              member.key, "the key \"\(key)\" changed in '\(language)', although no returned unit changes it"))
        }
      }
    }
    for key in oldEntries.keys.filter({ !met.contains($0) }).sorted() {
      found.append(
        faults.diagnostic(after.strings, "the key \"\(key)\" was removed, although no returned unit removes it"))
    }
    return found
  }

  private func same(_ old: JSONNode, _ new: JSONNode) -> Bool {
    before.document.bytes[before.document.range(of: old)] == after.document.bytes[after.document.range(of: new)]
  }

  private func localizations(of entry: JSONNode, in tree: CatalogTree) -> [LocaleIdentifier: JSONNode] {
    ExplainedParts.localizations(of: entry, in: tree.document)
  }

  private func isExplained(newEntry entry: JSONNode, _ key: UnitKey) -> Bool {
    guard allowed.contains(.addedEntries) else { return false }
    let source = LocaleIdentifier(after.document.string(after.sourceLanguage))
    let languages = localizations(of: entry, in: after).keys.filter { $0 != source }
    return !languages.isEmpty && languages.allSatisfy { explaining(key, $0) }
  }

  /// Returns the file without explained localizations and new entries, and without the value of `version` if it increased and may increase.
  /// Localizations and entries are removed in the same way as the writer removes them.
  func remainder(of tree: CatalogTree, isNew: Bool) -> [UInt8] {
    let document = tree.document
    var edits = ByteEdits()
    var strings = JSONObjectEdit(tree.strings, of: document, style: .xcode)
    for member in document.members(of: tree.strings) {
      let key = UnitKey(document.string(member.key))
      if isNew, oldEntries[key] == nil {
        strings.remove(member)
        continue
      }
      guard touched.contains(key) else { continue }
      ExplainedParts.cut(from: member.value, of: document, into: &edits) { explaining(key, $0) }
    }
    if addsEntries, strings.emptiesObject {
      edits = ByteEdits()
      edits.replace(document.range(of: tree.strings), with: Array("{}".utf8))
    } else {
      strings.apply(to: &edits) { _, _ in false }
    }
    if allowed.contains(.raisedVersion), let version = document.value("version", of: document.root), isRaised {
      edits.replace(document.range(of: version), with: [])
    }
    return edits.applied(to: document.bytes)
  }

  private var isRaised: Bool {
    guard let old = before.document.value("version", of: before.document.root),
      let new = after.document.value("version", of: after.document.root)
    else { return false }
    return CatalogVersion.isLower(before.document.string(old), after.document.string(new))
  }
}
