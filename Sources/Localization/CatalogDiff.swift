/// What changed about one text unit between two states, as far as a translator is concerned.
package struct UnitChange: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    /// New, or to be translated again after it was not.
    case added
    /// Gone, or no longer to be translated.
    case removed
    /// The source texts by path (`""` is the text itself) before and after.
    case sourceChanged(old: [String: String], new: [String: String])
    case commentChanged(old: String?, new: String?)
    case becameStale
    case revived
    /// What the unit says in a language other than the source language; `nil`: no translation.
    case translationChanged(language: LocaleIdentifier, old: Translation?, new: Translation?)
  }

  /// Where the unit is now; for one that was removed, where it was.
  package var unit: UnitID
  package var kind: Kind

  package init(unit: UnitID, kind: Kind) {
    self.unit = unit
    self.kind = kind
  }
}

/// Compares two states of catalogs.
package enum CatalogDiff {
  /// What changed in one catalog, sorted by key; `nil`: there is none.
  package static func changes(from old: Catalog?, to new: Catalog?) -> [UnitChange] { [] }

  /// What changed in a tree, sorted by catalog and key.
  /// - Parameter renames: new path → old path: such a catalog is compared with what it was, so its units are carried over.
  package static func changes(
    from old: [TreePath: Catalog], to new: [TreePath: Catalog], renames: [TreePath: TreePath] = [:]
  ) -> [UnitChange] { [] }
}
