import Localization
import Testing

@Suite("Tables with a file a language become a String Catalog")
struct CatalogConversionTests {
  private static func convert(
    _ tables: [Catalog], comments: [UnitKey: [String]] = [:], strings: [ExtractedString] = []
  ) -> CatalogConversion.Result {
    CatalogConversion.convert(tables, to: "App/Localizable.xcstrings", comments: comments, strings: strings)
  }

  private static func entry(_ translations: [LocaleIdentifier: Translation]) -> CatalogEntry {
    CatalogEntry(translations: translations)
  }

  private static func found(_ key: UnitKey, comment: String? = nil, value: String? = nil) -> ExtractedString {
    ExtractedString(
      catalog: "App/en.lproj/Localizable.strings", table: "Localizable", key: key, value: value, comment: comment)
  }

  @Test("a key that code holds is as any other; one that it does not is manual, and nothing is added")
  func code() {
    let tables = [
      catalog([
        "Bird": Self.entry(["en": Translation("Bird"), "de": Translation("Vogel")]),
        "bird.name": Self.entry(["en": Translation("Name"), "de": Translation("Name")]),
        "old": Self.entry(["en": Translation("old"), "de": Translation("alt")]),
        "only": Self.entry(["de": Translation("nur")]),
      ])
    ]
    let result = Self.convert(tables, strings: [Self.found("Bird"), Self.found("bird.name"), Self.found("new")]).catalog
    #expect(result.path == "App/Localizable.xcstrings")
    #expect(
      result.entries == [
        "Bird": Self.entry(["de": Translation("Vogel")]),
        "bird.name": Self.entry(["en": Translation("Name"), "de": Translation("Name")]),
        "old": CatalogEntry(
          extractionState: .manual, translations: ["en": Translation("old"), "de": Translation("alt")]),
        "only": CatalogEntry(extractionState: .manual, translations: ["de": Translation("nur")]),
      ])
  }

  @Test("no comment is lost: those that differ are joined, and the code's with them")
  func comments() {
    let tables = [catalog(["a": Self.entry(["en": Translation("A")]), "b": Self.entry(["en": Translation("B")])])]
    let result = Self.convert(
      tables, comments: ["a": ["source", "source", "translator's"], "b": ["one"]],
      strings: [Self.found("b", comment: "code's")])
    #expect(result.catalog.entries["a"]?.comment == "source\ntranslator's")
    #expect(result.catalog.entries["b"]?.comment == "code's\none")
  }

  @Test("of a key in both tables the first counts, and what the other says is told")
  func overruled() {
    let forms = plurals(["one": "1", "other": "2"])
    let result = Self.convert([
      catalog(["n": Self.entry(["en": forms])]),
      catalog(["n": Self.entry(["en": Translation("x"), "de": Translation("y")])]),
    ])
    #expect(result.catalog.entries["n"]?.translations == ["en": forms, "de": Translation("y")])
    #expect(result.overruled.map(\.text) == ["x"])
  }

  private static func variable(_ format: String, _ forms: [String: String]) -> Translation {
    substituted(format, "n", number: nil, forms)
  }

  @Test("a format that is one variable becomes plural forms; any other keeps its variables")
  func plural() {
    let forms = ["one": "%lld bird", "other": "%lld birds"]
    #expect(Self.variable("%#@n@", forms).catalogForm == plurals(forms))
    for kept in [
      Self.variable("I see %#@n@", forms), Self.variable("%#@other@", forms),
      // A second argument would have no place in a plural text of one.
      Self.variable("%#@n@", ["one": "%2$@ follower", "other": "%2$@ followers"]),
      Self.variable("%#@n@", ["one": "%#@m@", "other": "x"]), plurals(forms), Translation("x"),
    ] {
      #expect(kept.catalogForm == kept)
    }
  }

  @Test("devices whose formats are one variable have its forms; where one says more, all keep their variables")
  func device() {
    let forms = ["one": "1", "other": "2"]
    func device(_ texts: [String: String]) -> Translation {
      Translation(
        text: devices(texts).text, substitutions: Self.variable("", forms).substitutions)
    }
    #expect(
      device(["mac": "%#@n@", "other": "x"]).catalogForm
        == Translation(
          text: .device([Device(rawValue: "mac"): pluralForms(forms), .other: Translation("x").text])))
    let more = device(["mac": "so %#@n@", "other": "x"])
    #expect(more.catalogForm == more)
    let fallback = device(["mac": "x", "other": "%#@n@"])
    #expect(fallback.catalogForm == fallback)
  }
}
