internal import Localization

/// The terms from the option `glossary` of a vendor, for all languages and for single languages, and the terms of a glossary file: the vendor's
/// `glossary_file` or else the pipeline's glossary.
struct LLMGlossary: Sendable, CustomStringConvertible {
  /// A term with its translation.
  struct Term: Hashable, Sendable {
    var source: String
    var target: String

    /// Whether the term stays untranslated in the language.
    var stays: Bool { source == target }
  }

  /// The maximum number of terms in one request.
  static let most = 200
  private let all: [String: String]
  private let languages: [LocaleIdentifier: [String: String]]
  private let file: Glossary

  init(
    _ terms: (all: [String: String], languages: [LocaleIdentifier: [String: String]])?, file: Glossary = Glossary()
  ) {
    all = terms?.all ?? [:]
    languages = terms?.languages ?? [:]
    self.file = file
  }

  /// Returns at most ``most`` terms that occur in these texts in any letter case. If a term has several translations, the translation is taken from
  /// the first of these that has the term: the terms of the language, of its main language (`pt` for `pt-BR`), of all languages, and of the file.
  func terms(in texts: [String], from source: LocaleIdentifier, to language: LocaleIdentifier) -> [Term] {
    let main = languages[LocaleIdentifier(language.language)] ?? [:]
    let terms = fileTerms(from: source, to: language).merging(all) { $1 }.merging(main) { $1 }
      .merging(languages[language] ?? [:]) { $1 }
    guard !terms.isEmpty else { return [] }
    let lowercased = texts.map { $0.lowercased() }
    let found = terms.filter { term in lowercased.contains { $0.contains(term.key.lowercased()) } }
    return found.map { Term(source: $0.key, target: $0.value) }.sorted { $0.source < $1.source }.prefix(Self.most).map(
      \.self)
  }

  /// Returns the file's preferred translations by their terms in the source language. Deprecated terms are left out.
  private func fileTerms(from source: LocaleIdentifier, to target: LocaleIdentifier) -> [String: String] {
    func terms(_ entry: GlossaryEntry, _ language: LocaleIdentifier) -> [GlossaryTerm] {
      let own = entry.terms(in: language)
      return own.isEmpty ? entry.terms(in: LocaleIdentifier(language.language)) : own
    }
    var found: [String: String] = [:]
    for entry in file.entries {
      guard let translation = terms(entry, target).first else { continue }
      for term in terms(entry, source) where found[term.text] == nil { found[term.text] = translation.text }
    }
    return found
  }

  var description: String { VendorOptionValue.terms(all, languages).description }
}
