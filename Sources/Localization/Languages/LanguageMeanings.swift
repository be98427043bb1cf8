/// What a person says that incoming languages are: one that is to be added, or one of the project's that is meant.
package struct LanguageMeanings: Hashable, Sendable {
  private var taken: [LanguageSubtags: LocaleIdentifier] = [:]

  package init() {}

  /// - Parameter pairs: by the name that comes, in any spelling, the project's.
  package init(_ pairs: [LocaleIdentifier: LocaleIdentifier]) {
    for (came, language) in pairs.sorted(by: { $0.key < $1.key }) { taken[LanguageSubtags(came)] = language }
  }

  /// Adds what a person wrote: `pt-PT` is to be added as that, `pt-PT=pt` is the project's `pt`.
  /// - Returns: whether it names languages.
  package mutating func add(_ text: String) -> Bool {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { LocaleIdentifier(String($0)) }
    guard (1...2).contains(parts.count), let came = parts.first, !came.rawValue.isEmpty, let last = parts.last,
      LanguageMatch.newName(of: last) != nil
    else { return false }
    taken[LanguageSubtags(came)] = last
    return true
  }

  subscript(language: LocaleIdentifier) -> LocaleIdentifier? { taken[LanguageSubtags(language)] }
}
