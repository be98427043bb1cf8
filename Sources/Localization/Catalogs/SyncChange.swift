/// What sync did to one text unit.
package struct SyncChange: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// New in code.
    case added
    /// No longer in code, and it had no translation.
    case removed
    /// No longer in code; its translations are kept.
    case becameStale
    /// In code again.
    case revived
    /// The source text that code gives changed; translations need review.
    case sourceChanged
    /// Source text was generated where there was none: the numbered form of a key with several arguments.
    case sourceAdded
    case commentChanged
    /// Who looks after the entry changed: one that was migrated was found in code, or code began or ceased to give a
    /// value.
    case extractionStateChanged
  }

  package var key: UnitKey
  package var kind: Kind
  /// The source text, comment or extraction state before and after, where the kind is about one.
  package var old: String?
  package var new: String?

  package init(key: UnitKey, kind: Kind, old: String? = nil, new: String? = nil) {
    self.key = key
    self.kind = kind
    self.old = old
    self.new = new
  }
}

/// A catalog in step with code, and what changed on the way.
package struct SyncResult: Sendable {
  package var catalog: Catalog
  /// Sorted by key; one key may have several.
  package var changes: [SyncChange]

  package init(catalog: Catalog, changes: [SyncChange]) {
    self.catalog = catalog
    self.changes = changes
  }
}
