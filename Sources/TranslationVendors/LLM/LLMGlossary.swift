internal import Localization

/// The terms that a pipeline file gives, for all languages and for single ones.
struct LLMGlossary: Sendable, CustomStringConvertible {
  /// A term with its translation.
  struct Term: Hashable, Sendable {
    var source: String
    var target: String

    /// Whether the term stays as it is in the language.
    var stays: Bool { source == target }
  }

  /// The most terms that one request names.
  static let most = 200
  private let all: [String: String]
  private let languages: [LocaleIdentifier: [String: String]]

  init(_ terms: (all: [String: String], languages: [LocaleIdentifier: [String: String]])?) {
    all = terms?.all ?? [:]
    languages = terms?.languages ?? [:]
  }

  /// The terms in these texts. Those of the language itself win over those of its main language (`pt` for `pt-BR`), and these over the
  /// terms of all languages.
  func terms(in texts: [String], language: LocaleIdentifier) -> [Term] {
    let main = languages[LocaleIdentifier(language.language)] ?? [:]
    let terms = all.merging(main) { $1 }.merging(languages[language] ?? [:]) { $1 }
    guard !terms.isEmpty else { return [] }
    let lowercased = texts.map { $0.lowercased() }
    let found = terms.filter { term in lowercased.contains { $0.contains(term.key.lowercased()) } }
    return found.map { Term(source: $0.key, target: $0.value) }.sorted { $0.source < $1.source }.prefix(Self.most).map(
      \.self)
  }

  var description: String { VendorOptionValue.terms(all, languages).description }
}
