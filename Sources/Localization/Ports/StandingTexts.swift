/// The current texts of some units for a vendor that keeps strings: units whose source texts changed, perhaps back to a former text, and
/// units that were removed and added again. See ``TranslationVendor/settle(_:)``. The watched branches agree on the current source text of
/// each unit.
package struct StandingTexts: Sendable {
  /// The units with their current source texts, in the source language.
  package var sources: [ExchangeFile]
  /// The same units in the forms that are sent for each language of the vendor. A translation may have forms that the source text lacks.
  package var shapes: [ExchangeFile]
  /// The units that a vendor still has to translate. They are sent in shipments.
  package var outstanding: Set<UnitID>
  /// The units whose source text changed back to a former text, including units that were added again with a former text.
  package var returned: Set<UnitID>
  /// For each unit, the paths of all its forms that were ever sent.
  package var formerPaths: [UnitID: Set<VariationPath>]
  /// The finished translations of the current source texts.
  package var translations: [ExchangeFile]
  /// The translations that the vendor returned for other source texts of ``returned`` units.
  package var others: [ExchangeFile]

  package init(
    sources: [ExchangeFile], shapes: [ExchangeFile] = [], outstanding: Set<UnitID> = [], returned: Set<UnitID> = [],
    formerPaths: [UnitID: Set<VariationPath>] = [:], translations: [ExchangeFile] = [], others: [ExchangeFile] = []
  ) {
    self.sources = sources
    self.shapes = shapes
    self.outstanding = outstanding
    self.returned = returned
    self.formerPaths = formerPaths
    self.translations = translations
    self.others = others
  }
}
