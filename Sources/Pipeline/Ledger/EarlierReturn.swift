package import Localization

/// The texts of one return for a source text, regardless of the return's outcomes.
package struct EarlierReturn: Hashable, Sendable {
  package var id: ReturnedUnitID
  package var source: SourceID
  package var language: LocaleIdentifier
  package var vendor: String
  package var units: [ExchangeUnit]
  /// Whether a person made this return by editing a held unit from the vendor.
  package var isEdited: Bool

  package init(
    id: ReturnedUnitID, source: SourceID, language: LocaleIdentifier, vendor: String, units: [ExchangeUnit],
    isEdited: Bool = false
  ) {
    self.id = id
    self.source = source
    self.language = language
    self.vendor = vendor
    self.units = units
    self.isEdited = isEdited
  }
}
