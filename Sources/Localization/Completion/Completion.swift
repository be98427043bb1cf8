/// Computes the completion of translations (cli.md, "JSON of status").
///
/// Each figure counts keys in one language. A key is translated if all plural forms that the language's rules require exist and all forms that
/// the language shows are translated. A key also counts as new if an app would show nothing or a raw placeholder instead of its text.
/// A key without a translation counts as translated if the language's fallbacks cover it (`LanguageFallbacks`). Do-not-translate keys do not count,
/// and a stale key counts only as stale, and only if it has a translation.
package enum Completion {
  /// Returns a report of the catalogs.
  /// - Parameters:
  ///   - languages: the languages to report. A catalog's own source language is not reported for that catalog.
  ///   - machineTranslatedCounts: whether `machine_translated` counts as translated instead of as needing review.
  ///   - fallbacks: the languages whose translations count for a language without a translation.
  package static func report(
    catalogs: [Catalog], languages: [LocaleIdentifier], machineTranslatedCounts: Bool = false,
    fallbacks: LanguageFallbacks = LanguageFallbacks()
  ) -> CompletionReport {
    let sourceLanguage = catalogs.first?.sourceLanguage ?? "en"
    let languages = Set(languages).sorted()
    var totals: [LocaleIdentifier: LanguageCompletion] = [:]
    let catalogs = catalogs.sorted { $0.path < $1.path }
    let parts = catalogs.map { catalog in
      var counts = languages.filter { $0 != catalog.sourceLanguage }.map(LanguageCompletion.init)
      let states = CompletionStates(of: counts.map(\.language), machineTranslatedCounts: machineTranslatedCounts)
      for (key, entry) in catalog.entries where entry.shouldTranslate {
        for (index, state) in states.of(key, entry, of: catalog).enumerated() {
          if entry.isCounted {
            if state == nil, fallbacks.covers(key, entry, counts[index].language, in: catalog) {
              counts[index].fallback += 1
              counts[index].count(.translated)
            } else {
              counts[index].count(state ?? .new)
            }
          } else if state != nil {
            counts[index].stale += 1
          }
        }
      }
      for count in counts { totals[count.language, default: LanguageCompletion(language: count.language)].add(count) }
      return CatalogCompletion(catalog: catalog.path, languages: counts)
    }
    return CompletionReport(
      sourceLanguage: sourceLanguage,
      languages: languages.filter { $0 != sourceLanguage || totals[$0] != nil }
        .map { totals[$0] ?? LanguageCompletion(language: $0) },
      catalogs: parts,
      missing: MissingTranslations(
        catalogs: catalogs, languages: languages, machineTranslatedCounts: machineTranslatedCounts,
        fallbacks: fallbacks))
  }

  /// Returns the state of one text unit in a language: `new`, `needs_review` or `translated`.
  /// - Parameter source: if given, a translation that lacks some text of the source counts as new, regardless of its state.
  package static func state(
    of translation: Translation?, in language: LocaleIdentifier, source: SourceForms? = nil,
    machineTranslatedCounts: Bool = false
  ) -> TranslationState {
    guard let translation else { return .new }
    if let source, translation.lacksText(of: source, in: language) { return .new }
    // Most translations do not vary, so the state of their only text is the result.
    if let state = translation.plainState { return counted(state, machineTranslatedCounts: machineTranslatedCounts) }
    guard PluralCheck.missing(in: translation, for: language).isEmpty else { return .new }
    let needed = PluralRules.neededCategories(of: language)
    var needsReview = false
    for (path, leaf) in translation.leaves where path.isNeeded(needed) {
      switch counted(leaf.state, machineTranslatedCounts: machineTranslatedCounts) {
      case .new: return .new
      case .translated: break
      default: needsReview = true
      }
    }
    return needsReview ? .needsReview : .translated
  }

  /// Maps a state to the state under which reports count it: `new`, `needs_review` or `translated`.
  fileprivate static func counted(_ state: TranslationState, machineTranslatedCounts: Bool) -> TranslationState {
    switch state {
    case .new, .translated: state
    case .machineTranslated: machineTranslatedCounts ? .translated : .needsReview
    default: .needsReview
    }
  }
}

/// Computes the states of entries in some languages. Most entries of a catalog have the same languages in the same order, so the language after the
/// previous language is tried first.
package struct CompletionStates {
  private let machineTranslatedCounts: Bool
  private let languages: [LocaleIdentifier]
  private let places: [LocaleIdentifier: Int]

  package init(of languages: [LocaleIdentifier], machineTranslatedCounts: Bool) {
    self.machineTranslatedCounts = machineTranslatedCounts
    self.languages = languages
    places = Dictionary(languages.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the state for each language as reports count it, without a comparison with the source text; `nil` for a language without a translation.
  package func of(_ translations: Translations) -> [TranslationState?] {
    states(of: translations, isEvery: true) { nil }
  }

  /// Returns the state for each language as reports count it: a translation that lacks some text of the source is new. `nil` for a language
  /// without a translation.
  package func of(_ key: UnitKey, _ entry: CatalogEntry, of catalog: Catalog) -> [TranslationState?] {
    states(of: entry.translations, isEvery: false) {
      SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    }
  }

  /// Returns the state for each language; `nil` for a language without a translation.
  /// - Parameters:
  ///   - isEvery: whether the state of a plain text is used even if the text may show nothing or may reference a substitution.
  ///   - source: returns the source text. The closure is called only if a translation is more than a plain text whose state can be used.
  private func states(
    of translations: Translations, isEvery: Bool, source: () -> SourceForms?
  ) -> [TranslationState?] {
    var states = [TranslationState?](repeating: nil, count: languages.count)
    var next = 0
    var forms: SourceForms?
    translations.forEachState(isEvery: isEvery) { language, state in
      let isNext = next < languages.count && languages[next] == language
      guard let place = isNext ? next : places[language] else { return }
      next = place + 1
      if let state {
        states[place] = Completion.counted(state, machineTranslatedCounts: machineTranslatedCounts)
      } else {
        forms = forms ?? source()
        states[place] = Completion.state(
          of: translations[language], in: language, source: forms, machineTranslatedCounts: machineTranslatedCounts)
      }
    }
    return states
  }
}

extension LanguageCompletion {
  fileprivate mutating func count(_ state: TranslationState) {
    total += 1
    switch state {
    case .new: new += 1
    case .translated: translated += 1
    default: needsReview += 1
    }
  }

  fileprivate mutating func add(_ other: LanguageCompletion) {
    total += other.total
    translated += other.translated
    needsReview += other.needsReview
    new += other.new
    stale += other.stale
    fallback += other.fallback
  }
}
