/// One text unit in one language, within a catalog.
package struct TranslationID: Hashable, Sendable {
  package var key: UnitKey
  package var language: LocaleIdentifier

  package init(key: UnitKey, language: LocaleIdentifier) {
    self.key = key
    self.language = language
  }
}

/// Proves that an edit of a catalog's files changes no byte that a returned unit does not account for (architecture.md, decision 3).
package protocol EditAudit: Sendable {
  /// - Parameters:
  ///   - new: the same files with what was written, new files of languages among them.
  ///   - translations: what came; new entries that hold nothing else are accounted for too.
  /// - Returns: what changed beyond it; empty where all is well.
  func unexplainedChanges(
    of old: CatalogFiles, to new: CatalogFiles, translations: Set<TranslationID>
  ) -> [Diagnostic]
}
