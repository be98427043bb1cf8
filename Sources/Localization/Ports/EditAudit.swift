/// The id of a translation within a catalog: one text unit in one language.
package struct TranslationID: Hashable, Sendable {
  package var key: UnitKey
  package var language: LocaleIdentifier

  package init(key: UnitKey, language: LocaleIdentifier) {
    self.key = key
    self.language = language
  }
}

/// Proves that an edit of a catalog's files changes only bytes that belong to returned units (architecture.md, decision 3).
package protocol EditAudit: Sendable {
  /// Returns all changes that the returned translations do not explain; empty if there are none.
  /// - Parameters:
  ///   - new: the files after the edit, including new files of languages.
  ///   - translations: the returned translations. New entries whose translations were all returned, and a higher `version` of a String Catalog, are
  ///     allowed too.
  func unexplainedChanges(
    of old: CatalogFiles, to new: CatalogFiles, translations: Set<TranslationID>
  ) -> [Diagnostic]
}
