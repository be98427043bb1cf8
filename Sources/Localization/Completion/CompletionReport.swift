/// How far one language is: counts of text units. total = translated + needsReview + new.
package struct LanguageCompletion: Hashable, Sendable, Encodable {
  package var language: LocaleIdentifier
  package var total = 0
  package var translated = 0
  package var needsReview = 0
  package var new = 0
  /// Stale text units that have a translation in the language; no part of the total.
  package var stale = 0
  /// Of those translated, how many are so in a language of the fallback chain only.
  package var fallback = 0

  package init(language: LocaleIdentifier) { self.language = language }

  /// translated ÷ total in tenths of a percent, rounded down, so 1000 means all; of 0: 1000.
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

/// What is not translated: by catalog, key and language. Found while it is asked for: it may be every key in every language, and most
/// callers count only.
package struct MissingTranslations: Sequence, Sendable, Encodable {
  private let catalogs: [Catalog]
  private let languages: [LocaleIdentifier]
  private let machineTranslatedCounts: Bool
  private let fallbacks: LanguageFallbacks

  /// - Parameters:
  ///   - catalogs: in the order in which they are named.
  ///   - languages: sorted; a catalog's own source language is left out of it.
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
          zip(languages, states.of(entry.translations)).lazy.compactMap { language, state -> MissingTranslation? in
            guard state != .translated else { return nil }
            if !fallbacks.isEmpty, fallbacks.covers(entry, language, in: catalog) { return nil }
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
  /// Whether it is a part of the count: it is to be translated, and code still has it.
  var isCounted: Bool { shouldTranslate && extractionState != .stale }
}

/// How far a project is. Encodes as cli.md's JSON of `status`.
package struct CompletionReport: Sendable, Encodable {
  /// Of the first catalog; `en` where there is none.
  package var sourceLanguage: LocaleIdentifier
  /// By language, over all catalogs.
  package var languages: [LanguageCompletion]
  /// By path.
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
