internal import Localization
internal import StructuredText

/// The fast path of `ChangeAudit` for the usual change: some entries of a large String Catalog are new or have different translations, and
/// all other bytes are unchanged. In the new file, only the changed entries are parsed.
///
/// The bytes before, between and after the entries must equal those of the old file, which is valid. Each new or changed entry must be a complete
/// object with a unique key. If so, the new file is valid too, and it differs only in these entries.
struct EntryAudit {
  let before: CatalogTree
  let after: [UInt8]
  let explaining: (UnitKey, LocaleIdentifier) -> Bool
  let allowed: ChangeAudit.Allowance

  /// The limits for parsing an entry. Entries are at level 2 of a catalog, which may have 64 levels.
  private static let limits = JSONLimits(depth: 62)

  /// Whether returned units explain every changed byte. If `false`, the whole files must be compared, because this comparison does not support every
  /// allowed change.
  var isExplained: Bool {
    let old = before.document
    guard before.encoding == .utf8 else { return false }
    // The position up to which both files were compared.
    var place = Place()
    var added = AddedKeys(before)
    var members = old.cursor(of: before.strings)
    guard var member = old.next(&members), skip(to: old.range(of: member.key).lowerBound, &place) else { return false }
    var isFirst = true
    while true {
      let value = old.range(of: member.value)
      skipEntries(before: value.lowerBound, &place, &added, isFirst: isFirst)
      guard skip(to: value.lowerBound, &place), old.kind(of: member.value) == .object,
        skipValue(value, of: member, &place)
      else { return false }
      isFirst = false
      guard let next = old.next(&members) else { break }
      member = next
    }
    skipEntries(before: old.bytes.count, &place, &added, isFirst: false)
    return skip(to: old.bytes.count, &place) && place.new == after.count && added.areDistinct
  }

  private struct Place {
    var old = 0
    var new = 0
  }

  /// Skips the bytes of the old file up to `end`, and the same bytes of the new file. Returns `false` if they differ.
  private func skip(to end: Int, _ place: inout Place) -> Bool {
    guard isSame(place.old..<end, at: place.new) else { return false }
    place.new += end - place.old
    place.old = end
    return true
  }

  /// Skips an entry of both files if it is unchanged or its changes are explained; otherwise returns `false`.
  private func skipValue(_ value: Range<Int>, of member: JSONMember, _ place: inout Place) -> Bool {
    if skip(to: value.upperBound, &place) { return true }
    let old = before.document
    guard let new = JSONDocument.object(at: place.new, in: after, limits: Self.limits),
      let was = JSONDocument.object(at: value.lowerBound, in: old.bytes, limits: Self.limits),
      isExplained(UnitKey(old.string(member.key)), from: was, to: new)
    else { return false }
    place.old = value.upperBound
    place.new += new.bytes.count
    return true
  }

  // MARK: New entries

  /// Skips explained entries that only the new file has, until the new file continues with the old file's bytes up to `end`.
  private func skipEntries(before end: Int, _ place: inout Place, _ added: inout AddedKeys, isFirst: Bool) {
    guard allowed.contains(.addedEntries) else { return }
    while !isSame(place.old..<end, at: place.new), let entry = newEntry(at: place.new, isFirst: isFirst),
      isExplained(entry), added.insert(entry.key)
    {
      place.new = entry.end
    }
  }

  private struct NewEntry {
    var key: UnitKey
    var value: JSONDocument
    /// The position after the entry. If the entry is inserted before the first entry, the following comma and white space are included.
    var end: Int
  }

  /// Returns the entry at an offset in the new file; `nil` if no complete entry begins there.
  /// - Parameter isFirst: whether the entry is inserted before the first entry. If so, the comma is after the new entry, not before it.
  private func newEntry(at start: Int, isFirst: Bool) -> NewEntry? {
    var index = start
    guard isFirst || take(",", &index) else { return nil }
    guard let key = JSONDocument.string(at: index, in: after) else { return nil }
    index = key.end
    guard take(":", &index), let value = JSONDocument.object(at: index, in: after, limits: Self.limits) else {
      return nil
    }
    index += value.bytes.count
    guard !isFirst || take(",", &index) else { return nil }
    return NewEntry(key: UnitKey(key.text), value: value, end: index)
  }

  /// Skips a comma or colon and the white space around it. Returns `false` if the mark is missing.
  private func take(_ mark: Unicode.Scalar, _ index: inout Int) -> Bool {
    skipSpace(&index)
    guard index < after.count, after[index] == UInt8(ascii: mark) else { return false }
    index += 1
    skipSpace(&index)
    return true
  }

  private func skipSpace(_ index: inout Int) {
    while index < after.count, [0x20, 0x0A, 0x0D, 0x09].contains(after[index]) { index += 1 }
  }

  private func isExplained(_ entry: NewEntry) -> Bool {
    guard entry.value.duplicateKeys().isEmpty else { return false }
    let source = LocaleIdentifier(before.document.string(before.sourceLanguage))
    let languages = ExplainedParts.localizations(of: entry.value.root, in: entry.value).keys.filter { $0 != source }
    return !languages.isEmpty && languages.allSatisfy { explaining(entry.key, $0) }
  }

  /// The keys of new entries, which must be unique in the file.
  private struct AddedKeys {
    private let before: CatalogTree
    private var keys: Set<UnitKey> = []

    init(_ before: CatalogTree) { self.before = before }

    mutating func insert(_ key: UnitKey) -> Bool { keys.insert(key).inserted }

    var areDistinct: Bool {
      guard !keys.isEmpty else { return true }
      var members = before.document.cursor(of: before.strings)
      while let member = before.document.next(&members) {
        if keys.contains(UnitKey(before.document.string(member.key))) { return false }
      }
      return true
    }
  }

  // MARK: Changed entries

  /// Returns whether a range of the old file has the same bytes as the new file at an offset.
  private func isSame(_ range: Range<Int>, at offset: Int) -> Bool {
    guard offset + range.count <= after.count else { return false }
    return ByteScan.isEqual(
      before.document.bytes.span.extracting(range), after.span.extracting(offset..<offset + range.count))
  }

  private func isExplained(_ key: UnitKey, from old: JSONDocument, to new: JSONDocument) -> Bool {
    guard new.duplicateKeys().isEmpty else { return false }
    let (was, now) = (
      ExplainedParts.localizations(of: old.root, in: old), ExplainedParts.localizations(of: new.root, in: new)
    )
    var isTouched = false
    for language in Set(was.keys).union(now.keys) {
      if explaining(key, language) {
        isTouched = true
      } else {
        guard let a = was[language], let b = now[language], old.bytes[old.range(of: a)] == new.bytes[new.range(of: b)]
        else { return false }
      }
    }
    return isTouched && rest(of: old, key) == rest(of: new, key)
  }

  private func rest(of entry: JSONDocument, _ key: UnitKey) -> [UInt8] {
    var edits = ByteEdits()
    ExplainedParts.cut(from: entry.root, of: entry, into: &edits) { explaining(key, $0) }
    return edits.applied(to: entry.bytes)
  }
}

/// Functions that find the translations of an entry, and remove those that returned units explain. The remaining bytes of two versions can then be
/// compared.
enum ExplainedParts {
  static func localizations(of entry: JSONNode, in document: JSONDocument) -> [LocaleIdentifier: JSONNode] {
    guard let node = document.value("localizations", of: entry) else { return [:] }
    var found: [LocaleIdentifier: JSONNode] = [:]
    for member in document.members(of: node) { found[LocaleIdentifier(document.string(member.key))] = member.value }
    return found
  }

  /// Removes the explained translations in the same way as the writer removes translations. An entry without members becomes `{}`, so that different
  /// spellings of an empty entry are equal.
  static func cut(
    from entry: JSONNode, of document: JSONDocument, into edits: inout ByteEdits,
    explaining: (LocaleIdentifier) -> Bool
  ) {
    guard let localizations = document.member("localizations", of: entry) else {
      if document.isEmpty(entry) { edits.replace(document.range(of: entry), with: Array("{}".utf8)) }
      return
    }
    var object = JSONObjectEdit(localizations.value, of: document, style: .xcode)
    for language in document.members(of: localizations.value)
    where explaining(LocaleIdentifier(document.string(language.key))) { object.remove(language) }
    guard object.emptiesObject else { return object.apply(to: &edits) { _, _ in false } }
    var whole = JSONObjectEdit(entry, of: document, style: .xcode)
    whole.remove(localizations)
    if whole.emptiesObject {
      edits.replace(document.range(of: entry), with: Array("{}".utf8))
    } else {
      whole.apply(to: &edits) { _, _ in false }
    }
  }
}
