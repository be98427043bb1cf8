import Localization
import Testing

@Suite struct CatalogChangeTests {
  @Test("entries are changed in place, without a copy of all entries")
  func inPlace() {
    var entries: [UnitKey: CatalogEntry] = [:]
    entries.reserveCapacity(100)
    for number in 0..<50 { entries[UnitKey("Key \(number)")] = CatalogEntry() }
    var catalog = Catalog(path: "App/Localizable.xcstrings", sourceLanguage: "en", entries: entries)
    entries = [:]
    let storage = Self.storage(of: catalog.entries)
    catalog.entries["Key 1"]?.comment = "Changed"
    catalog.entries["Key 50"] = CatalogEntry()
    catalog.entries["Key 2"] = nil
    #expect(Self.storage(of: catalog.entries) == storage)
    #expect(catalog.entries.count == 50 && catalog.entries["Key 1"]?.comment == "Changed")
  }

  @Test("the list of languages is updated after entries change")
  func languages() {
    var catalog = Catalog(
      path: "App/Localizable.xcstrings", sourceLanguage: "en",
      entries: ["a": CatalogEntry(translations: ["de": Translation("A")])], languages: ["en", "de"])
    catalog.entries["a"]?.translations["fr"] = Translation("A")
    #expect(catalog.languages == ["en", "de", "fr"])
    catalog.entries["a"] = nil
    #expect(catalog.languages == ["en"])
  }

  /// Returns the address of a dictionary's elements, which changes if the elements are copied.
  private static func storage(of dictionary: [UnitKey: CatalogEntry]) -> UInt {
    unsafeBitCast(dictionary, to: UInt.self)
  }
}
