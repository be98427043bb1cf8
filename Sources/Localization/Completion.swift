/// How far languages are (cli.md, "JSON of status").
///
/// Counted are keys × languages. A key is translated in a language when every form that the language needs is: those
/// that its translation has, and of plural forms those that the language's rules ask for. Stale and do-not-translate
/// keys are no part of it.
package enum Completion {
  /// - Parameters:
  ///   - languages: those to report; a catalog's own source language is left out of it.
  ///   - machineTranslatedCounts: whether `machine_translated` counts as translated, and not as needing review.
  package static func report(
    catalogs: [Catalog], languages: [LocaleIdentifier], machineTranslatedCounts: Bool = false
  ) -> CompletionReport {
    let sourceLanguage = catalogs.first?.sourceLanguage ?? "en"
    let languages = Set(languages).sorted()
    var totals: [LocaleIdentifier: LanguageCompletion] = [:]
    let catalogs = catalogs.sorted { $0.path < $1.path }
    let parts = catalogs.map { catalog in
      var counts = languages.filter { $0 != catalog.sourceLanguage }.map(LanguageCompletion.init)
      for entry in catalog.entries.values {
        for index in counts.indices { counts[index].add(entry, machineTranslatedCounts: machineTranslatedCounts) }
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
        catalogs: catalogs, languages: languages, machineTranslatedCounts: machineTranslatedCounts))
  }

  /// How far one text unit is in a language: `new`, `needs_review` or `translated`.
  package static func state(
    of translation: Translation?, in language: LocaleIdentifier, machineTranslatedCounts: Bool = false
  ) -> TranslationState {
    guard let translation else { return .new }
    // Most translations do not vary, and are in the state of their one text.
    if case .text(let unit) = translation.text, translation.substitutions.isEmpty {
      return counted(unit.state, machineTranslatedCounts: machineTranslatedCounts)
    }
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

  /// What a form's state counts as: `new`, `needs_review` or `translated`.
  private static func counted(_ state: TranslationState, machineTranslatedCounts: Bool) -> TranslationState {
    switch state {
    case .new, .translated: state
    case .machineTranslated: machineTranslatedCounts ? .translated : .needsReview
    default: .needsReview
    }
  }
}

extension VariationPath {
  fileprivate func isNeeded(_ categories: [PluralCategory]) -> Bool {
    steps.allSatisfy { step in
      if case .plural(let category) = step { categories.contains(category) } else { true }
    }
  }
}

extension LanguageCompletion {
  fileprivate mutating func add(_ entry: CatalogEntry, machineTranslatedCounts: Bool) {
    if entry.shouldTranslate, entry.extractionState == .stale, entry.translations[language] != nil { stale += 1 }
    guard entry.isCounted else { return }
    total += 1
    switch Completion.state(
      of: entry.translations[language], in: language, machineTranslatedCounts: machineTranslatedCounts)
    {
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
  }
}
