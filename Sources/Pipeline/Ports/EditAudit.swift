package import Localization

/// One text unit in one language, within a catalog.
package struct TranslationID: Hashable, Sendable {
  package var key: UnitKey
  package var language: LocaleIdentifier

  package init(key: UnitKey, language: LocaleIdentifier) {
    self.key = key
    self.language = language
  }
}

/// Proves that an edit of a catalog file changes no byte that a returned unit does not account for (architecture.md, decision 3).
package protocol EditAudit: Sendable {
  /// - Parameter translations: what came; new entries that hold nothing else are accounted for too.
  /// - Returns: what changed beyond it; empty where all is well.
  func unexplainedChanges(
    from old: [UInt8], to new: [UInt8], at path: TreePath, translations: Set<TranslationID>
  ) -> [Diagnostic]
}
