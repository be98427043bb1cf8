/// A change that sync made to one text unit.
package struct SyncChange: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A key from code was added to the catalog.
    case added
    /// The key is no longer in code, and the entry had no text or state from a person or a translator.
    case removed
    /// The key is no longer in code, but the entry is kept, because it has a text or state from a person or a translator.
    case becameStale
    /// A stale key was found in code again.
    case revived
    /// The source text from code changed. Translations need review, unless only argument numbers changed.
    case sourceChanged
    /// A source text was added: the numbered form of a key with several arguments.
    case sourceAdded
    case commentChanged
    /// The extraction state changed: a migrated entry was found in code, or code began or ceased to provide a value.
    case extractionStateChanged
  }

  package var key: UnitKey
  package var kind: Kind
  /// The source text, comment or extraction state before and after, depending on the kind; `nil` if there is none, or for a kind without such values.
  package var old: String?
  package var new: String?

  package init(key: UnitKey, kind: Kind, old: String? = nil, new: String? = nil) {
    self.key = key
    self.kind = kind
    self.old = old
    self.new = new
  }
}

/// An updated catalog and its changes.
package struct SyncResult: Sendable {
  package var catalog: Catalog
  /// The changes, sorted by key. A key may have several changes.
  package var changes: [SyncChange]

  package init(catalog: Catalog, changes: [SyncChange]) {
    self.catalog = catalog
    self.changes = changes
  }
}
