import Localization

/// Returns a translation with plural forms.
func plurals(_ forms: [String: String], state: TranslationState = .translated) -> Translation {
  Translation(text: pluralForms(forms, state: state))
}

func pluralForms(_ forms: [String: String], state: TranslationState = .translated) -> VariedText {
  .plural(
    Dictionary(
      uniqueKeysWithValues: forms.map { (PluralCategory(rawValue: $0), .text(StringUnit(state: state, value: $1))) }))
}

func devices(_ forms: [String: String]) -> Translation {
  Translation(
    text: .device(
      Dictionary(
        uniqueKeysWithValues: forms.map { (Device(rawValue: $0), .text(StringUnit(state: .translated, value: $1))) })))
}

/// Returns a translation with one substitution, which has plural forms.
func substituted(
  _ text: String, _ name: String, number: Int? = 1, _ forms: [String: String], specifier: String? = "lld"
) -> Translation {
  Translation(
    text: .text(StringUnit(state: .translated, value: text)),
    substitutions: [name: Substitution(argumentNumber: number, formatSpecifier: specifier, forms: pluralForms(forms))])
}

func path(_ text: String) -> VariationPath {
  VariationPath(text: text) ?? [.substitution("no path: " + text)]
}

func catalog(_ entries: [UnitKey: CatalogEntry], path: TreePath = "App/Localizable.xcstrings") -> Catalog {
  Catalog(path: path, sourceLanguage: "en", entries: entries)
}
