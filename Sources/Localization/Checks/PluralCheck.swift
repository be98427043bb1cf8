/// Finds plural forms that a language needs but a translation lacks, and forms that the language never shows.
package enum PluralCheck {
  /// Returns the sorted paths of the missing forms; empty for a translation without plural forms.
  package static func missing(in translation: Translation, for language: LocaleIdentifier) -> [VariationPath] {
    let needed = PluralRules.neededCategories(of: language)
    return paths(in: translation) { forms in needed.filter { forms[$0] == nil } }
  }

  /// Returns the paths of forms that the language never shows, such as `one` in Japanese, or a form whose name is not a category (`=0`;
  /// xcode-formats.md A5).
  ///
  /// `zero` is shown for 0 in every language. Categories that differ between CLDR's versions count as shown. Nothing is reported for
  /// languages that CLDR does not know.
  package static func unused(in translation: Translation, for language: LocaleIdentifier) -> [VariationPath] {
    guard PluralRules.knows(language) else { return [] }
    let shown = Set(PluralRules.shownCategories(of: language)).union([.zero])
    return paths(in: translation) { forms in forms.keys.filter { !shown.contains($0) } }
  }

  /// Returns missing forms as errors, and forms that are never shown as warnings.
  package static func findings(in translation: Translation, for language: LocaleIdentifier) -> [CheckFinding] {
    let missing = missing(in: translation, for: language).map { path in
      CheckFinding(.error, at: path, "\(language) needs the plural form “\(path.category?.rawValue ?? "")”")
    }
    let unused = unused(in: translation, for: language).map { path in
      CheckFinding(.warning, at: path, "\(language) never shows the plural form “\(path.category?.rawValue ?? "")”")
    }
    return missing + unused
  }

  private static func paths(
    in translation: Translation, _ choose: ([PluralCategory: VariedText]) -> [PluralCategory]
  ) -> [VariationPath] {
    var found = paths(of: translation.text, at: .root, choose)
    for (name, substitution) in translation.substitutions {
      found += paths(of: substitution.forms, at: [.substitution(name)], choose)
    }
    return found.sorted()
  }

  private static func paths(
    of text: VariedText, at path: VariationPath, _ choose: ([PluralCategory: VariedText]) -> [PluralCategory]
  ) -> [VariationPath] {
    switch text {
    case .text, .phrases: []
    case .device(let forms): forms.flatMap { paths(of: $1, at: path.appending(.device($0)), choose) }
    case .plural(let forms):
      choose(forms).map { path.appending(.plural($0)) }
        + forms.flatMap { paths(of: $1, at: path.appending(.plural($0)), choose) }
    }
  }
}
