import Localization
import Testing
import TranslationVendors

@Suite("Plural forms that are separate strings")
struct SeparateFormsTests {
  private static let name = "%lld birds"
  private static let zeroName = "%lld birds|==|plural.zero"

  private static func file(
    _ forms: [(PluralCategory, source: String, target: String?)], from source: LocaleIdentifier = "en",
    to target: LocaleIdentifier
  ) -> ExchangeFile {
    let units = forms.map { category, source, target in
      var unit = ExchangeUnit(key: UnitKey(name), path: [.plural(category)], source: .text(source))
      unit.target = target.map { ExchangeTarget(.text($0), state: "translated") }
      return unit
    }
    return ExchangeFile(
      original: "App/Localizable.xcstrings", sourceLanguage: source, targetLanguage: target, units: units)
  }

  private static func sources(_ file: ExchangeFile, keepsPlurals: Bool = true) -> [String: PlatformText] {
    Dictionary(
      uniqueKeysWithValues: PlatformPacking.strings(of: file, keepsPlurals: keepsPlurals).map { ($0.name, $0.source) })
  }

  @Test("separate forms are the forms that the source language's rules lack")
  func separate() {
    let german = Self.file([(.zero, "No birds", nil), (.one, "a bird", nil), (.other, "birds", nil)], to: "de")
    #expect(
      Self.sources(german)
        == [Self.zeroName: .plain("No birds"), Self.name: .plural([.one: "a bird", .other: "birds"])])
    #expect(Self.sources(german, keepsPlurals: false).count == 3)
    let latvian = Self.file([(.zero, "a", nil), (.one, "b", nil), (.other, "c", nil)], from: "lv", to: "de")
    #expect(Self.sources(latvian) == [Self.name: .plural([.zero: "a", .one: "b", .other: "c"])])
  }

  @Test("separate forms are omitted if they are empty or equal to the `other` form", arguments: ["birds", ""])
  func needless(_ text: String) {
    let file = Self.file([(.zero, text, nil), (.one, "a bird", nil), (.other, "birds", nil)], to: "de")
    #expect(Self.sources(file) == [Self.name: .plural([.zero: text, .one: "a bird", .other: "birds"])])
  }

  @Test("separate forms are listed under the device that has them")
  func devices() {
    let path: VariationPath = [.device(Device(rawValue: "iphone"))]
    var file = Self.file([(.zero, "No birds", nil), (.other, "birds", nil)], to: "ja")
    for index in file.units.indices { file.units[index].path.steps.insert(contentsOf: path.steps, at: 0) }
    #expect(
      Self.sources(file)
        == [
          "%lld birds|==|device.iphone.plural.zero": .plain("No birds"),
          "%lld birds|==|device.iphone": .plural([.other: "birds"]),
        ])
  }

  @Test("separate forms get existing translations, even from plurals of languages that have these forms")
  func translations() {
    let forms: [(PluralCategory, source: String, target: String?)] = [
      (.zero, "No birds", "z"), (.one, "a bird", "o"), (.other, "birds", "b"),
    ]
    func texts(_ language: LocaleIdentifier) -> [String: PlatformText] {
      let found = PlatformPacking.translations(of: Self.file(forms, to: language), keepsPlurals: true)
      return Dictionary(uniqueKeysWithValues: found.map { ($0.id.name, $0.text) })
    }
    #expect(texts("de") == [Self.zeroName: .plain("z"), Self.name: .plural([.one: "o", .other: "b"])])
    #expect(texts("ar") == [Self.zeroName: .plain("z"), Self.name: .plural([.zero: "z", .one: "o", .other: "b"])])
  }
}
