/// A person's instructions for incoming languages: add a language to the project, or map it to one of the project's languages.
package struct LanguageMeanings: Hashable, Sendable {
  /// The reason why an instruction is refused.
  package enum Refusal: Error, Hashable, Sendable {
    /// The text is neither a language nor a pair of languages.
    case malformed
    /// The two names of the pair mean different languages, so the import would overwrite one language with another.
    case differentLanguages(came: LocaleIdentifier, LocaleIdentifier)
    /// An earlier instruction maps the same incoming language to another language.
    case contradiction(came: LocaleIdentifier, LocaleIdentifier, LocaleIdentifier)
  }

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
  /// - Throws: a `Refusal`. It is `malformed` if the incoming name is empty, the project's name is not that of a language, or the text has
  ///   several `=`.
  package mutating func add(_ text: String) throws(Refusal) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { LocaleIdentifier(String($0)) }
    guard (1...2).contains(parts.count), let came = parts.first, !came.rawValue.isEmpty, let last = parts.last,
      LanguageMatch.newName(of: last) != nil
    else { throw .malformed }
    guard !Self.areDifferent(came, last) else { throw .differentLanguages(came: came, last) }
    if let earlier = self[came], LanguageSubtags(earlier) != LanguageSubtags(last) {
      throw .contradiction(came: came, earlier, last)
    }
    set(came, last)
  }

  /// Returns whether two names mean different languages, whatever their scripts and regions are. `no` and `nb` are one language. An incoming name
  /// that is not a language, such as `jp`, may mean any language.
  private static func areDifferent(_ came: LocaleIdentifier, _ other: LocaleIdentifier) -> Bool {
    let (one, two) = (LanguageSubtags(came).replaced.language, LanguageSubtags(other).replaced.language)
    return one != two && LanguageAliases.likely[one] != nil
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

  /// Returns the languages that the instructions add, or to which they map incoming languages, and that are not among the known languages.
  package func unknown(among known: Set<LocaleIdentifier>) -> [LocaleIdentifier] {
    let known = Set(known.map { LanguageSubtags($0) })
    return taken.values.filter { !known.contains(LanguageSubtags($0)) }.sorted()
  }

  subscript(language: LocaleIdentifier) -> LocaleIdentifier? { taken[LanguageSubtags(language)] }
}
