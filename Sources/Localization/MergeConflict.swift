/// Two sides changed the same thing differently.
package struct MergeConflict: Hashable, Sendable, Codable {
  package enum Subject: Hashable, Sendable, Codable {
    /// One side removed the entry, the other changed it. The changed one is kept.
    case entry
    case comment, extractionState, shouldTranslate
    /// The catalog's own.
    case sourceLanguage
    /// A form of a translation.
    case form(LocaleIdentifier, VariationPath)
    /// A translation as a whole: one side removed it, or its sides vary differently.
    case translation(LocaleIdentifier)
  }

  /// `nil`: the catalog itself.
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

/// A merged catalog.
package struct MergeResult: Sendable {
  /// Where there is a conflict it says what ours says; of an entry or a translation that one side removed and the other
  /// changed, it keeps the changed one.
  package var catalog: Catalog
  /// By key, then subject.
  package var conflicts: [MergeConflict]

  package init(catalog: Catalog, conflicts: [MergeConflict]) {
    self.catalog = catalog
    self.conflicts = conflicts
  }
}
