internal import Localization
internal import StructuredText

/// The entries of a catalog that differ from the entries as read, if no key was added or removed.
///
/// A catalog that was read and then changed keeps the order of the entries as read, and unchanged entries share their memory. So both are
/// walked in parallel, without lookups.
struct ChangedEntries {
  private let keys: Set<UnitKey>
  /// The same keys if there are few of them. The keys of a file are then compared in place, without creating strings.
  private let few: [UnitKey]

  private static let mostOfFew = 8

  /// - Returns: `nil` if a key was added or removed, or if the orders differ. Every key must then be looked up.
  init?(_ entries: [UnitKey: CatalogEntry], since asRead: [UnitKey: CatalogEntry]) {
    guard let keys = Self.keys(entries, since: asRead) else { return nil }
    self.keys = keys
    few = keys.count <= Self.mostOfFew ? Array(keys) : []
  }

  /// The keys of the entries that differ; `nil` if a key was added or removed, or if the orders differ.
  static func keys(_ entries: [UnitKey: CatalogEntry], since asRead: [UnitKey: CatalogEntry]) -> Set<UnitKey>? {
    guard entries.count == asRead.count else { return nil }
    var keys: Set<UnitKey> = []
    var before = asRead.makeIterator()
    for (key, entry) in entries {
      guard let old = before.next(), old.key == key else { return nil }
      if old.value != entry { keys.insert(key) }
    }
    return keys
  }

  /// The key that a string of a file holds, if its entry differs.
  func key(of node: JSONNode, in document: JSONDocument) -> UnitKey? {
    if keys.count == few.count { return few.first { document.string(node, isExactly: $0.text) } }
    let key = UnitKey(document.string(node))
    return keys.contains(key) ? key : nil
  }
}
