import Localization
import Testing

@Suite struct ClassicExportTests {
  private static func strings(_ entries: [(UnitKey, CatalogEntry)]) -> Catalog {
    Catalog(
      path: "App/en.lproj/Localizable.strings", sourceLanguage: "en",
      entries: Dictionary(entries, uniquingKeysWith: { $1 }))
  }

  private static func code(
    _ key: UnitKey, value: String? = nil, comment: String? = nil, isInterpolated: Bool = false,
    origin: StringOrigin = .swift
  ) -> ExtractedString {
    ExtractedString(
      catalog: "App/en.lproj/Localizable.strings", table: "Localizable", key: key, value: value, comment: comment,
      origin: origin, hasInterpolation: isInterpolated)
  }

  @Test(
    "a table's unit has the file's text and comment, and a target without a state; keys only in a translation have no unit"
  )
  func units() {
    let catalog = Self.strings([
      ("a", CatalogEntry(comment: "c", translations: ["en": Translation("A"), "de": Translation("Ä")])),
      ("b", CatalogEntry(translations: ["en": Translation("B")])),
      ("gone", CatalogEntry(translations: ["de": Translation("Weg")])),
    ])
    #expect(
      ClassicExport.units(of: catalog, for: "de") == [
        ExchangeUnit(key: "a", source: .text("A"), target: ExchangeTarget(.text("Ä")), note: "c"),
        ExchangeUnit(key: "b", source: .text("B")),
      ])
    #expect(
      ClassicExport.units(of: catalog, for: "en").map(\.target) == [
        ExchangeTarget(.text("A")), ExchangeTarget(.text("B")),
      ])
  }

  @Test("from Xcode 15 on, the note of a key that is also in the .stringsdict says so after the comment")
  func twins() {
    var catalog = Self.strings([
      ("n", CatalogEntry(comment: "c", translations: ["en": Translation("N")])),
      ("m", CatalogEntry(translations: ["en": Translation("M")])),
    ])
    for key in catalog.entries.keys { catalog.entries[key]?.shouldTranslate = false }
    let units = ClassicExport.units(of: catalog, for: "de", dialect: ExportDialect(version: "15.0"))
    #expect(units.map(\.isTranslatable) == [false, false])
    #expect(units.map(\.note) == [" (Key in .stringsdict)", "c (Key in .stringsdict)"])
    let old = ClassicExport.units(of: catalog, for: "de", dialect: ExportDialect(version: "13.1"))
    #expect(old.map(\.isTranslatable) == [true, true])
    #expect(old.map(\.note) == [nil, "c"])
  }

  @Test(
    "plural rules are completed for the language and keep an explicit zero; their texts are unchanged (xcode-formats.md B3)"
  )
  func rules() {
    func forms(_ texts: [PluralCategory: String]) -> Translation {
      Translation(
        text: .text(StringUnit(state: .translated, value: "%#@n@ %arg")),
        substitutions: [
          "n": Substitution(
            argumentNumber: nil, formatSpecifier: "d",
            forms: .plural(texts.mapValues { .text(StringUnit(state: .translated, value: $0)) }))
        ])
    }
    let catalog = Catalog(
      path: "App/en.lproj/L.stringsdict", sourceLanguage: "en",
      entries: [
        "K": CatalogEntry(translations: [
          "en": forms([.zero: "none", .one: "%d bird", .other: "%d birds"]), "ja": forms([.other: "%d羽"]),
        ])
      ])
    func rows(_ language: LocaleIdentifier) -> [String] {
      ClassicExport.units(of: catalog, for: language).map { unit in
        func text(_ words: ExchangeText?) -> String { if case .text(let text)? = words { text } else { "-" } }
        return "\(unit.path.text)|\(text(unit.source))|\(text(unit.target?.text))"
      }
    }
    #expect(
      rows("ja") == [
        "|%#@n@ %arg|%#@n@ %arg", "substitutions.n.plural.zero|none|-",
        "substitutions.n.plural.other|%d birds|%d羽",
      ])
    #expect(
      rows("ru") == [
        "|%#@n@ %arg|-", "substitutions.n.plural.zero|none|-", "substitutions.n.plural.one|%d bird|-",
        "substitutions.n.plural.few|%d birds|-", "substitutions.n.plural.many|%d birds|-",
        "substitutions.n.plural.other|%d birds|-",
      ])
    #expect(rows("en").allSatisfy { !$0.hasSuffix("|-") })
  }

  @Test(
    "keys of code are added to the table, whose texts and comments are kept; C formats with several arguments are numbered"
  )
  func adding() {
    let file = Self.strings([
      ("a", CatalogEntry(comment: "file", translations: ["en": Translation("A")])),
      ("b", CatalogEntry(translations: ["en": Translation("B")])),
    ])
    let found = [
      Self.code("a", value: "other", comment: "code"), Self.code("b", comment: "code"), Self.code("b2"),
      Self.code("%@ of %@"), Self.code("%@ in %@", isInterpolated: true), Self.code("v", value: "V", comment: "1\n2"),
      Self.code("CFBundleName", value: "App", origin: .infoPlist), Self.code(""), Self.code("t", comment: " c \n"),
    ]
    let entries = ClassicExport.adding(found, to: file).entries
    func text(_ key: UnitKey) -> ExchangeText? { entries[key]?.translations["en"]?[.root]?.words }
    #expect(text("a") == .text("A"))
    #expect(text("b2") == .text("b2"))
    #expect(text("%@ of %@") == .text("%1$@ of %2$@"))
    #expect(text("%@ in %@") == .text("%@ in %@"))
    #expect(text("v") == .text("V"))
    #expect(entries[""] == nil)
    #expect(entries["t"]?.comment == "c")
    #expect(
      ["a", "b", "b2", "v", "CFBundleName"].map { entries[$0]?.comment } == [
        "file", "code", "No comment provided by engineer.", "1\n2", nil,
      ])
    let made = ClassicExport.newCatalog(
      at: "App/Localizable.xcstrings", in: "en", of: [Self.code("%@ of %@"), Self.code("x")])
    #expect(made.entries["%@ of %@"]?.translations["en"]?[.root]?.words == .text("%1$@ of %2$@"))
    #expect(made.entries["x"] == CatalogEntry())
  }

  @Test(
    "the id of a form in a .stringsdict is its path in the property list and can be read back",
    arguments: [
      ("%d Items", [], "/%d Items:dict/NSStringLocalizedFormatKey:dict/:string"),
      ("K", [.substitution("n"), .plural(.few)], "/K:dict/n:dict/few:dict/:string"),
      ("a:dict/b", [.substitution("n"), .plural(.one)], "/a:dict/b:dict/n:dict/one:dict/:string"),
      ("", [], "/:dict/NSStringLocalizedFormatKey:dict/:string"),
      ("K", [.device(Device(rawValue: "mac"))], "/K:dict/NSStringDeviceSpecificRuleType:dict/mac:dict/:string"),
    ] as [(UnitKey, [VariationStep], String)])
  func identifiers(key: UnitKey, steps: [VariationStep], id: String) throws {
    #expect(ExchangeIdentifier.rulesText(key: key, path: VariationPath(steps)) == id)
    let read = try #require(ExchangeIdentifier.parseRules(id))
    #expect(read.key == key)
    #expect(read.path.steps == steps)
  }

  @Test(
    "an id in any other form is read as a key",
    arguments: ["K", "/K", "/K:dict/:string", "K:dict/n:dict/one:dict/:string", ""])
  func otherIdentifiers(id: String) {
    #expect(ExchangeIdentifier.parse(id, in: "en.lproj/L.stringsdict") == (UnitKey(id), .root))
  }
}
