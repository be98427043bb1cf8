import Localization

/// A text unit in one language.
struct UnitInLanguage: Hashable {
  var unit: UnitID
  var language: LocaleIdentifier
}

/// A source of the ledger in one language.
struct SourceInLanguage: Hashable {
  var source: SourceID
  var language: LocaleIdentifier
}
