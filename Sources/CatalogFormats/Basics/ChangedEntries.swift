internal import Localization
internal import StructuredText

/// The entries of a catalog that differ from what was read, where no key came or went.
///
/// A catalog that was read and then changed has its entries in the order of what was read, and those that stayed share its memory; so both
/// are walked side by side, and nothing is looked up.
struct ChangedEntries {
  private let keys: Set<UnitKey>
  /// The same where they are few: then the keys of a file are compared as they stand, and none is made into a text.
  private let few: [UnitKey]

  private static let mostOfFew = 8

  /// - Returns: `nil` where a key came or went, or where the two are in different orders: then every key must be looked up.
  init?(_ entries: [UnitKey: CatalogEntry], since asRead: [UnitKey: CatalogEntry]) {
    guard let keys = Self.keys(entries, since: asRead) else { return nil }
    self.keys = keys
    few = keys.count <= Self.mostOfFew ? Array(keys) : []
  }

  /// The keys of the entries that differ; `nil` where a key came or went, or where the two are in different orders.
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

  /// The key that a string of a file is, where its entry differs.
  func key(of node: JSONNode, in document: JSONDocument) -> UnitKey? {
    if keys.count == few.count { return few.first { document.string(node, isExactly: $0.text) } }
    let key = UnitKey(document.string(node))
    return keys.contains(key) ? key : nil
  }
}
