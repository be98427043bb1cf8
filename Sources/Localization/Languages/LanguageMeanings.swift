/// A person's instructions for incoming languages: add a language to the project, or map it to one of the project's languages.
package struct LanguageMeanings: Hashable, Sendable {
  private var taken: [LanguageSubtags: LocaleIdentifier] = [:]
  /// The incoming names in the person's spelling.
  private var spelled: [LanguageSubtags: LocaleIdentifier] = [:]

  package init() {}

  /// Creates instructions from pairs of languages.
  /// - Parameter pairs: incoming name in any spelling → the project's language.
  package init(_ pairs: [LocaleIdentifier: LocaleIdentifier]) {
    for (came, language) in pairs.sorted(by: { $0.key < $1.key }) { set(came, language) }
  }

  /// Adds an instruction: `pt-PT` adds that language, `pt-PT=pt` maps it to the project's `pt`.
  /// - Returns: `false` if the incoming name is empty, the project's name is not that of a language, or the text has several `=`.
  package mutating func add(_ text: String) -> Bool {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { LocaleIdentifier(String($0)) }
    guard (1...2).contains(parts.count), let came = parts.first, !came.rawValue.isEmpty, let last = parts.last,
      LanguageMatch.newName(of: last) != nil
    else { return false }
    set(came, last)
    return true
  }

  private mutating func set(_ came: LocaleIdentifier, _ language: LocaleIdentifier) {
    taken[LanguageSubtags(came)] = language
    spelled[LanguageSubtags(came)] = came
  }

  /// Returns the names in the instructions that match none of the incoming languages.
  package func unused(for came: Set<LocaleIdentifier>) -> [LocaleIdentifier] {
    let came = Set(came.map { LanguageSubtags($0) })
    return spelled.filter { !came.contains($0.key) }.values.sorted()
  }

  subscript(language: LocaleIdentifier) -> LocaleIdentifier? { taken[LanguageSubtags(language)] }
}
