import Localization

/// A text unit in one language.
struct UnitInLanguage: Hashable {
  var unit: UnitID
  var language: LocaleIdentifier
}

/// A text unit with one source text (`SourceRecord`), in one language.
struct SourceInLanguage: Hashable {
  var source: SourceID
  var language: LocaleIdentifier
}
