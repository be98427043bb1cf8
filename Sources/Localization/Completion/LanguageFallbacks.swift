/// The fallback languages that a project has chosen: a text without a translation for es-MX is shown in es-419, otherwise in es.
package struct LanguageFallbacks: Hashable, Sendable {
  /// For a language, those that are tried, in order.
  package var chains: [LocaleIdentifier: [LocaleIdentifier]]

  package init(_ chains: [LocaleIdentifier: [LocaleIdentifier]] = [:]) { self.chains = chains }

  package var isEmpty: Bool { chains.isEmpty }

  /// Whether a text unit without a translation in a language has one in a language of its chain. The source language has every text.
  func covers(_ entry: CatalogEntry, _ language: LocaleIdentifier, in catalog: Catalog) -> Bool {
    (chains[language] ?? []).contains { other in
      other == catalog.sourceLanguage || Completion.state(of: entry.translations[other], in: other) == .translated
    }
  }
}
