internal import Localization
internal import StructuredText

/// The entries of a catalog that changed since the catalog was read, if no key was added or removed.
///
/// The dictionary of a catalog that was read and then changed keeps its order, and unchanged entries still share storage with the original.
/// The two dictionaries are therefore iterated in parallel, without lookups.
struct ChangedEntries {
  /// An entry of a String Catalog in which only translations were set.
  struct Retranslated: Sendable {
    var key: UnitKey
    /// The `localizations` object of the entry.
    var localizations: JSONNode
    /// The translations that were set. No value is `nil`.
    var translations: [LocaleIdentifier: Translation?]
  }

  /// The entries in which only translations were set, in file order.
  private(set) var retranslated: [Retranslated] = []
  /// All other changed entries by key.
  private(set) var others: [UnitKey: CatalogEntry] = [:]
  /// The keys of ``others`` if there are only a few; otherwise empty. Keys in the file are compared with these keys without creating strings.
  private var few: [UnitKey] = []

  private static let mostOfFew = 8

  /// Finds the changed entries. Returns `nil` if a key was added or removed, or if the orders differ. In these cases, the caller must look up every
  /// key.
  init?(_ entries: [UnitKey: CatalogEntry], since origin: StringCatalogOrigin) {
    let isComplete = Self.walk(entries, since: origin.entries) { key, old, new in
      if let found = Self.retranslated(key, old, new, origin.source) {
        retranslated.append(found)
      } else if old != new {
        others[key] = new
      }
    }
    guard isComplete else { return nil }
    retranslated.sort { $0.localizations.index < $1.localizations.index }
    if others.count <= Self.mostOfFew { few = Array(others.keys) }
  }

  /// Returns the keys of the changed entries; `nil` if a key was added or removed, or if the orders differ.
  static func keys(_ entries: [UnitKey: CatalogEntry], since asRead: [UnitKey: CatalogEntry]) -> Set<UnitKey>? {
    var keys: Set<UnitKey> = []
    return walk(entries, since: asRead) { key, old, new in if old != new { keys.insert(key) } } ? keys : nil
  }

  /// Returns the new entry for a key in the file; `nil` if it is not in ``others``.
  func other(at node: JSONNode, in document: JSONDocument) -> CatalogEntry? {
    if others.count == few.count {
      return few.first { document.string(node, isExactly: $0.text) }.flatMap { others[$0] }
    }
    return others[UnitKey(document.string(node))]
  }

  /// Calls `body` for each key with its old and new entry.
  /// - Returns: whether both dictionaries have the same keys in the same order. If they do not, iteration stops at the first difference.
  private static func walk(
    _ entries: [UnitKey: CatalogEntry], since asRead: [UnitKey: CatalogEntry],
    _ body: (_ key: UnitKey, _ old: CatalogEntry, _ new: CatalogEntry) -> Void
  ) -> Bool {
    guard entries.count == asRead.count else { return false }
    var before = asRead.makeIterator()
    for (key, entry) in entries {
      guard let old = before.next(), old.key == key else { return false }
      body(key, old.value, entry)
    }
    return true
  }

  /// Returns an entry in which only translations were set, possibly to the same text. Returns `nil` if another part changed, if a translation was
  /// removed, if no translation was set, or if the translations were not read from this file.
  private static func retranslated(
    _ key: UnitKey, _ old: CatalogEntry, _ new: CatalogEntry, _ source: LocalizationSource
  ) -> Retranslated? {
    guard let (stored, changes) = new.translations.sinceRead, !changes.isEmpty,
      let stored = stored as? StoredLocalizations, stored.source === source, new.isSame(exceptTranslations: old),
      changes.values.allSatisfy({ $0 != nil })
    else { return nil }
    return Retranslated(key: key, localizations: stored.localizations, translations: changes)
  }
}
