package import Localization

extension Glossary {
  /// Returns the terms of a source language with their translations into all other languages. If an entry has no term in the source language
  /// (`pt-BR`), the entry's terms in the main language (`pt`) are used.
  package func check(from source: LocaleIdentifier) -> TermCheck {
    var found: [LocaleIdentifier: [String: [String]]] = [:]
    for entry in entries {
      let own = entry.terms(in: source)
      let sources = own.isEmpty ? entry.terms(in: LocaleIdentifier(source.language)) : own
      guard !sources.isEmpty else { continue }
      for language in Set(entry.terms.map(\.language)) where language.language != source.language {
        let targets = entry.terms(in: language).map(\.text)
        for term in sources where !targets.isEmpty {
          let known = found[language]?[term.text] ?? []
          found[language, default: [:]][term.text] = known + targets.filter { !known.contains($0) }
        }
      }
    }
    return TermCheck(
      found.mapValues { terms in
        terms.sorted { $0.key < $1.key }.map { TermCheck.Term(source: $0.key, targets: $0.value) }
      })
  }
}
