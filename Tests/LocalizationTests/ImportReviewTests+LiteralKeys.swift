import Localization
import Testing

/// Tests of keys that look like the id of a form.
extension ImportReviewTests {
  @Test("a literal key that looks like a form is read as a key (apple_xcode27 literal-variation-suffix)")
  func literalKey() {
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog(["a|==|plural.one": CatalogEntry()])]
    let result = ImportReview(catalogs: catalogs).review([
      ExchangeFile(
        original: Self.file, sourceLanguage: "en", targetLanguage: "fr",
        units: [unit("a", "plural.one", source: "a|==|plural.one", "x")])
    ])
    #expect(result.outcomes.map(\.verdict) == [.taken])
    #expect(result.outcomes.map(\.unit.key) == ["a|==|plural.one"])
  }

  @Test("a key that looks like a form of another key is distinguished from the form by its source text")
  func literalKeyBesideKey() {
    let table = catalog([
      "a": CatalogEntry(translations: ["en": Translation("A")]),
      "a|==|plural.one": CatalogEntry(translations: ["en": Translation("AONE")]),
      "b": CatalogEntry(translations: ["en": plurals(["one": "%lld bird", "other": "%lld birds"])]),
      "b|==|plural.one": CatalogEntry(translations: ["en": Translation("BONE")]),
      // Both readings have this source text, but only the key is in an export.
      "c": CatalogEntry(translations: ["en": Translation("C")]),
      "c|==|plural.one": CatalogEntry(translations: ["en": Translation("C")]),
    ])
    let exported = ExportShape.units(of: table, for: "de")
    let units = exported.map { unit in
      var unit = unit
      (unit.key, unit.path) = ExchangeIdentifier.parse(ExchangeIdentifier.text(key: unit.key, path: unit.path))
      unit.target = unit.source.map { ExchangeTarget(.text("de " + $0.summary), state: "translated") }
      return unit
    }
    for policy in [ImportPolicy.asXcode, .unattended] {
      let result = ImportReview(catalogs: [table.path: table], policy: policy).review([
        ExchangeFile(original: Self.file, sourceLanguage: "en", targetLanguage: "de", units: units)
      ])
      #expect(result.outcomes.map(\.verdict) == units.map { _ in .taken })
      #expect(result.outcomes.map(\.unit.key) == exported.map(\.key))
      #expect(result.outcomes.map(\.path) == exported.map(\.path))
    }
  }
}
