import Localization

extension ShipmentPacker {
  /// Returns the catalog without translations that have the forms of a former source text that was sent to the vendor. The catalog alone
  /// does not show whether somebody added these forms to a translation, or whether the source text used to be a plural.
  mutating func withoutFormerForms(
    _ catalog: Catalog, _ keys: Set<UnitKey>, in language: LocaleIdentifier
  ) async throws -> Catalog {
    func shape(of key: UnitKey, _ entry: CatalogEntry) -> SourceShape {
      let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
      return SourceShape(source, from: catalog.sourceLanguage, for: language)
    }
    let varied = keys.filter { key in
      guard let entry = catalog.entries[key], let translation = entry.translations[language] else { return false }
      return shape(of: key, entry).lacksForms(of: translation)
    }
    guard !varied.isEmpty else { return catalog }
    let renames = try await knownRenames()
    var shaped = catalog
    let sent = try await context.store.sentUnits(of: context.name, vendor: vendor, language: language, keys: varied)
    for record in sent where renames.newest(of: record.unit.catalog) == renames.newest(of: catalog.path) {
      let key = record.unit.key
      guard let source = record.forms, let translation = shaped.entries[key]?.translations[language] else { continue }
      let former = CatalogEntry(translations: [catalog.sourceLanguage: source])
      if !shape(of: key, former).lacksForms(of: translation) { shaped.entries[key]?.translations[language] = nil }
    }
    return shaped
  }
}
