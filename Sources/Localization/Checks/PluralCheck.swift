/// Finds plural forms that a language needs and a translation does not have.
package enum PluralCheck {
  /// The paths of the missing forms, in order. A text that does not vary misses none.
  package static func missing(in translation: Translation, for language: LocaleIdentifier) -> [VariationPath] {
    let needed = PluralRules.neededCategories(of: language)
    var missing = missingForms(of: translation.text, at: .root, needed: needed)
    for (name, substitution) in translation.substitutions {
      missing += missingForms(of: substitution.forms, at: [.substitution(name)], needed: needed)
    }
    return missing.sorted()
  }

  private static func missingForms(
    of text: VariedText, at path: VariationPath, needed: [PluralCategory]
  ) -> [VariationPath] {
    switch text {
    case .text, .phrases: []
    case .device(let forms):
      forms.flatMap { missingForms(of: $1, at: path.appending(.device($0)), needed: needed) }
    case .plural(let forms):
      needed.filter { forms[$0] == nil }.map { path.appending(.plural($0)) }
        + forms.flatMap { missingForms(of: $1, at: path.appending(.plural($0)), needed: needed) }
    }
  }
}
