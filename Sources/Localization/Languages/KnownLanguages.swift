/// Recognizes names of languages, to find misspelled names.
package enum KnownLanguages {
  /// Returns whether the identifier's language code exists or may exist.
  ///
  /// CLDR's data has all two-letter codes. It lacks many three-letter codes, such as Klingon (`tlh`), so any three-letter code is accepted.
  /// Names of any other length are not languages.
  package static func contains(_ language: LocaleIdentifier) -> Bool {
    let code = language.language.lowercased()
    switch code.utf8.count {
    case 2: return LanguageAliases.likely[code] != nil || LanguageAliases.languages[code] != nil
    case 3: return true
    default: return false
    }
  }

  /// Returns the language that a person means by the code of a country (`jp`), a vendor's own code of a language (`pb`) or a former English name of
  /// language folders (`german`); `nil` for any other text.
  package static func suggestion(for language: LocaleIdentifier) -> LocaleIdentifier? {
    let text = language.rawValue.lowercased()
    if let name = LanguageAliases.vendorNames[text] { return LocaleIdentifier(name) }
    if let name = LanguageAliases.folderNames.first(where: { $0.key.lowercased() == text }) {
      return LocaleIdentifier(name.value)
    }
    let region = LanguageAliases.regions[text.uppercased()] ?? text.uppercased()
    guard let meant = LanguageAliases.ofRegions[region].map({ LanguageSubtags(LocaleIdentifier($0)) }) else {
      return nil
    }
    return LocaleIdentifier(LanguageAliases.xcodeNames["\(meant.language)-\(region)"] ?? meant.language)
  }
}
