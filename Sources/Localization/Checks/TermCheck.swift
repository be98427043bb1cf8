/// Finds terms of a glossary in source texts, and checks that translations use the glossary's translations.
package struct TermCheck: Sendable {
  /// A term of the source language with its allowed translations in another language.
  package struct Term: Hashable, Sendable {
    package var source: String
    /// The allowed translations, the preferred one first. Never empty.
    package var targets: [String]

    package init(source: String, targets: [String]) {
      self.source = source
      self.targets = targets
    }
  }

  /// The terms by language. Terms of a main language also apply to its regional variants.
  private let terms: [LocaleIdentifier: [Term]]
  /// The terms of each language by source text, including the terms of the main language.
  private let known: [LocaleIdentifier: [String: Term]]
  private let index: TermIndex

  package init(_ terms: [LocaleIdentifier: [Term]] = [:]) {
    let terms = Dictionary(terms.map { ($0.key.inUsualCase, $0.value) }, uniquingKeysWith: +)
    self.terms = terms
    known = Dictionary(
      uniqueKeysWithValues: terms.map { language, own in
        let main = terms[LocaleIdentifier(language.language)] ?? []
        return (language, Dictionary((main + own).map { ($0.source, $0) }) { $1 })
      })
    index = TermIndex(Set(terms.values.joined().map(\.source)))
  }

  /// Returns the terms of a language without those of its main language, sorted by source text.
  package func terms(for language: LocaleIdentifier) -> [Term] {
    (terms[language.inUsualCase] ?? []).sorted { $0.source < $1.source }
  }

  package var isEmpty: Bool { terms.values.allSatisfy(\.isEmpty) }

  /// Returns whether the language or its main language has terms.
  package func hasTerms(for language: LocaleIdentifier) -> Bool { !vocabulary(for: language).isEmpty }

  /// Returns the terms of a language, including those of its main language, by source text. The case of the language tag is ignored.
  private func vocabulary(for language: LocaleIdentifier) -> [String: Term] {
    known[language.inUsualCase] ?? known[LocaleIdentifier(language.language)] ?? [:]
  }

  /// Returns the terms of a source text in a language, longest first. A term counts if it occurs as whole words, ignoring case, and not
  /// within a longer term that was found.
  package func terms(in source: String, for language: LocaleIdentifier) -> [Term] {
    let known = vocabulary(for: language)
    guard !known.isEmpty else { return [] }
    return index.sources(in: source) { known[$0] != nil }.compactMap { known[$0] }
  }

  /// Returns a message about the first term that is translated differently; `nil` if the translation uses an allowed translation of each
  /// term, ignoring case.
  package func fault(of text: String, for source: String, in language: LocaleIdentifier) -> String? {
    let translation = text.lowercased()
    for term in terms(in: source, for: language) {
      guard !term.targets.contains(where: { translation.contains($0.lowercased()) }) else { continue }
      return "“\(term.source)” should be “\(term.targets[0])”"
    }
    return nil
  }
}
