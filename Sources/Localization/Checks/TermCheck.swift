/// Finds terms of a glossary in source texts, and checks that translations use their translations.
package struct TermCheck: Sendable {
  /// A term of the source language with its allowed translations in another language.
  package struct Term: Hashable, Sendable {
    package var source: String
    /// Preferred ones first. Not empty.
    package var targets: [String]

    package init(source: String, targets: [String]) {
      self.source = source
      self.targets = targets
    }
  }

  /// By language. Terms of a main language also apply to its regions.
  private let terms: [LocaleIdentifier: [Term]]

  package init(_ terms: [LocaleIdentifier: [Term]] = [:]) { self.terms = terms }

  /// The terms of a language itself, sorted by source.
  package func terms(for language: LocaleIdentifier) -> [Term] {
    (terms[language] ?? []).sorted { $0.source < $1.source }
  }

  package var isEmpty: Bool { terms.values.allSatisfy(\.isEmpty) }

  /// Returns the terms of a source text in a language, longest first. A term counts if it occurs as whole words, ignoring case, and not
  /// within a longer term that was found.
  package func terms(in source: String, for language: LocaleIdentifier) -> [Term] {
    let main = LocaleIdentifier(language.language)
    var known = Dictionary((terms[main] ?? []).map { ($0.source, $0) }) { first, _ in first }
    for term in terms[language] ?? [] { known[term.source] = term }
    guard !known.isEmpty else { return [] }
    let text = Array(source.lowercased())
    var found: [(term: Term, ranges: [Range<Int>])] = []
    for term in known.values.sorted(by: { ($1.source.count, $0.source) < ($0.source.count, $1.source) }) {
      let ranges = Self.words(Array(term.source.lowercased()), in: text).filter { range in
        !found.contains { $0.ranges.contains { $0.contains(range.lowerBound) && $0.upperBound >= range.upperBound } }
      }
      if !ranges.isEmpty { found.append((term, ranges)) }
    }
    return found.map(\.term)
  }

  /// Returns what is wrong with a translation, in words; `nil` if it uses a translation of each term, ignoring case.
  package func fault(of text: String, for source: String, in language: LocaleIdentifier) -> String? {
    let translation = text.lowercased()
    for term in terms(in: source, for: language) {
      guard !term.targets.contains(where: { translation.contains($0.lowercased()) }) else { continue }
      return "“\(term.source)” is “\(term.targets[0])”"
    }
    return nil
  }

  /// Returns the ranges of a word or of several words in a text, without those within longer words.
  private static func words(_ word: [Character], in text: [Character]) -> [Range<Int>] {
    guard !word.isEmpty, word.count <= text.count else { return [] }
    var ranges: [Range<Int>] = []
    for start in 0...(text.count - word.count) {
      let end = start + word.count
      guard text[start] == word[0], text[start..<end].elementsEqual(word),
        start == 0 || !(isWordPart(text[start - 1]) && isWordPart(word[0])),
        end == text.count || !(isWordPart(text[end]) && isWordPart(word[word.count - 1]))
      else { continue }
      ranges.append(start..<end)
    }
    return ranges
  }

  private static func isWordPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
