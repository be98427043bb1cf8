/// The number of text units in each state for one language: total = translated + needsReview + new.
package struct LanguageCompletion: Hashable, Sendable, Encodable {
  package var language: LocaleIdentifier
  package var total = 0
  package var translated = 0
  package var needsReview = 0
  package var new = 0
  /// The number of stale, translatable text units with a translation in the language. The total does not include them.
  package var stale = 0
  /// The number of units in `translated` that count only because of the language's fallback chain. They have no translation in the language itself.
  package var fallback = 0

  package init(language: LocaleIdentifier) { self.language = language }

  /// translated ÷ total in tenths of a percent, rounded down; 1000 means complete. If the total is 0, the value is 1000.
  package var tenths: Int { total == 0 ? 1000 : translated * 1000 / total }
  package var percent: Double { Double(tenths) / 10 }

  private enum CodingKeys: String, CodingKey {
    case language, total, translated, needsReview, new, stale, fallback, percent
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(language, forKey: .language)
    try container.encode(total, forKey: .total)
    try container.encode(translated, forKey: .translated)
    try container.encode(needsReview, forKey: .needsReview)
    try container.encode(new, forKey: .new)
    try container.encode(stale, forKey: .stale)
    if fallback > 0 { try container.encode(fallback, forKey: .fallback) }
    // Without strings to translate, there is no percentage.
    if total > 0 { try container.encode(percent, forKey: .percent) }
  }
}

/// The completion of one catalog.
package struct CatalogCompletion: Hashable, Sendable, Encodable {
  package var catalog: TreePath
  /// The counts for each language, sorted by language.
  package var languages: [LanguageCompletion]
}

/// A text unit that is not translated in a language.
package struct MissingTranslation: Hashable, Sendable, Encodable {
  package var catalog: TreePath
  package var key: UnitKey
  package var language: LocaleIdentifier
  /// The state: `new` or `needs_review`.
  package var state: TranslationState
}

/// The missing translations, sorted by catalog, key and language. They are computed during iteration, because every key may lack every language, and
/// most callers of `Completion.report` need only the figures.
package struct MissingTranslations: Sequence, Sendable, Encodable {
  private let catalogs: [Catalog]
  private let languages: [LocaleIdentifier]
  private let machineTranslatedCounts: Bool
  private let fallbacks: LanguageFallbacks

  /// Creates the sequence without computing any element.
  /// - Parameters:
  ///   - catalogs: the catalogs, in the order of the result.
  ///   - languages: the sorted languages. A catalog's own source language is left out for that catalog.
  package init(
    catalogs: [Catalog], languages: [LocaleIdentifier], machineTranslatedCounts: Bool,
    fallbacks: LanguageFallbacks = LanguageFallbacks()
  ) {
    self.fallbacks = fallbacks
    self.catalogs = catalogs
    self.languages = languages
    self.machineTranslatedCounts = machineTranslatedCounts
  }

  package func makeIterator() -> AnyIterator<MissingTranslation> {
    AnyIterator(
      catalogs.lazy.flatMap { catalog in
        let languages = languages.filter { $0 != catalog.sourceLanguage }
        let states = CompletionStates(of: languages, machineTranslatedCounts: machineTranslatedCounts)
        return catalog.entries.filter(\.value.isCounted).sorted { $0.key < $1.key }.lazy.flatMap { key, entry in
          zip(languages, states.of(key, entry, of: catalog)).lazy.compactMap { language, state -> MissingTranslation? in
            guard state != .translated else { return nil }
            if state == nil, fallbacks.covers(key, entry, language, in: catalog) { return nil }
            return MissingTranslation(catalog: catalog.path, key: key, language: language, state: state ?? .new)
          }
        }
      }.makeIterator())
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for missing in self { try container.encode(missing) }
  }
}

extension CatalogEntry {
  /// Whether reports of completion count the entry: it is translatable and not stale.
  package var isCounted: Bool { shouldTranslate && extractionState != .stale }
}

/// The completion of a project. Encodes as the JSON of `status` in cli.md.
package struct CompletionReport: Sendable, Encodable {
  /// The source language of the first catalog that was passed to `Completion.report`; `en` without catalogs.
  package var sourceLanguage: LocaleIdentifier
  /// The figures for all catalogs together, sorted by language.
  package var languages: [LanguageCompletion]
  /// The figures for each catalog, sorted by path.
  package var catalogs: [CatalogCompletion]
  package var missing: MissingTranslations

  package init(
    sourceLanguage: LocaleIdentifier, languages: [LanguageCompletion], catalogs: [CatalogCompletion],
    missing: MissingTranslations = MissingTranslations(catalogs: [], languages: [], machineTranslatedCounts: false)
  ) {
    self.sourceLanguage = sourceLanguage
    self.languages = languages
    self.catalogs = catalogs
    self.missing = missing
  }
}
