package import Localization

/// The texts of a returned unit that is delivered or settled on a branch.
package struct TakenReturn: Hashable, Sendable {
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var units: [ExchangeUnit]

  package init(unit: UnitID, language: LocaleIdentifier, units: [ExchangeUnit]) {
    self.unit = unit
    self.language = language
    self.units = units
  }
}
