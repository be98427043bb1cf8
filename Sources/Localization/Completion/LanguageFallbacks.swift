/// The fallback languages of a project. For example, a text without a translation for es-MX is shown in es-419, or else in es.
package struct LanguageFallbacks: Hashable, Sendable {
  /// The fallback languages of each language, in the order in which they are tried.
  package var chains: [LocaleIdentifier: [LocaleIdentifier]]

  package init(_ chains: [LocaleIdentifier: [LocaleIdentifier]] = [:]) { self.chains = chains }

  /// All languages in chains, and the languages that have a chain.
  package var languages: Set<LocaleIdentifier> { Set(chains.keys).union(chains.values.joined()) }

  /// Returns whether a fallback covers a text unit that has no translation in a language. An app shows the text of the first language in the chain
  /// that has a translation, so this translation must be finished. A machine translation never counts as finished here. The source language has every
  /// text.
  func covers(_ key: UnitKey, _ entry: CatalogEntry, _ language: LocaleIdentifier, in catalog: Catalog) -> Bool {
    for other in chains[language] ?? [] {
      if other == catalog.sourceLanguage { return true }
      guard let translation = entry.translations[other] else { continue }
      let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
      return Completion.state(of: translation, in: other, source: source) == .translated
    }
    return false
  }
}
