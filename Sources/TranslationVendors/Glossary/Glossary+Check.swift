package import Localization

extension Glossary {
  /// Returns the terms of a source language with their translations into all other languages. Deprecated terms are left out, and so are languages
  /// that differ from the source language only in script or region. If an entry has no term in the source language (`pt-BR`), the entry's terms in
  /// the main language (`pt`) are used.
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

  /// Returns why no term can be used in a project; `nil` if a term can be used, or if the project has no translations.
  /// - Parameters:
  ///   - sources: the source languages of the project.
  ///   - targets: the languages into which the project is translated.
  package func obstacle(from sources: Set<LocaleIdentifier>, to targets: Set<LocaleIdentifier>) -> String? {
    guard !targets.subtracting(sources).isEmpty else { return nil }
    let isUsable = sources.contains { source in
      let check = check(from: source)
      return targets.contains { $0.language != source.language && check.hasTerms(for: $0) }
    }
    guard !isUsable else { return nil }
    func list(_ languages: Set<LocaleIdentifier>) -> String {
      languages.sorted().map(\.rawValue).joined(separator: ", ")
    }
    let own = Set(entries.flatMap(\.terms).map(\.language))
    let found = own.isEmpty ? "it has no terms" : "it has terms in \(list(own))"
    return "no term of the glossary can be used: \(found); the project is translated from \(list(sources)) into "
      + list(targets.subtracting(sources))
  }
}
