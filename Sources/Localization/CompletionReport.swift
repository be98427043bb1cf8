/// How far one language is: counts of text units. total = translated + needsReview + new.
package struct LanguageCompletion: Hashable, Sendable, Encodable {
  package var language: LocaleIdentifier
  package var total = 0
  package var translated = 0
  package var needsReview = 0
  package var new = 0
  /// Stale text units that have a translation in the language; no part of the total.
  package var stale = 0

  package init(language: LocaleIdentifier) { self.language = language }

  /// translated ÷ total in tenths of a percent, rounded down, so 1000 means all; of 0: 1000.
  package var tenths: Int { total == 0 ? 1000 : translated * 1000 / total }
  package var percent: Double { Double(tenths) / 10 }

  private enum CodingKeys: String, CodingKey { case language, total, translated, needsReview, new, stale, percent }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(language, forKey: .language)
    try container.encode(total, forKey: .total)
    try container.encode(translated, forKey: .translated)
    try container.encode(needsReview, forKey: .needsReview)
    try container.encode(new, forKey: .new)
    try container.encode(stale, forKey: .stale)
    try container.encode(percent, forKey: .percent)
  }
}

/// How far the languages are in one catalog.
package struct CatalogCompletion: Hashable, Sendable, Encodable {
  package var catalog: TreePath
  /// By language.
  package var languages: [LanguageCompletion]
}

/// A text unit that is not translated in a language.
package struct MissingTranslation: Hashable, Sendable, Encodable {
  package var catalog: TreePath
  package var key: UnitKey
  package var language: LocaleIdentifier
  /// `new` or `needs_review`, as it is counted.
  package var state: TranslationState
}

/// How far a project is. Encodes as cli.md's JSON of `status`.
package struct CompletionReport: Hashable, Sendable, Encodable {
  /// Of the first catalog; `en` where there is none.
  package var sourceLanguage: LocaleIdentifier
  /// By language, over all catalogs.
  package var languages: [LanguageCompletion]
  /// By path.
  package var catalogs: [CatalogCompletion]
  /// By catalog, key and language.
  package var missing: [MissingTranslation]
}
