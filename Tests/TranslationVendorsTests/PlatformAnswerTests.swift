import Localization
import Testing
import TranslationVendors

@Suite("Answers of platforms")
struct PlatformAnswerTests {
  private static let catalog = "App/Localizable.xcstrings"

  private static func form(_ device: String, _ source: String) -> ExchangeUnit {
    ExchangeUnit(key: "Tap", path: [.device(Device(rawValue: device))], source: .text(source))
  }

  private static func translated(_ name: String, _ text: String, _ state: PlatformState = .translated)
    -> (PlatformID, PlatformTranslation)
  {
    let id = PlatformID(catalog: TreePath(trusted: catalog), name: name)
    return (id, PlatformTranslation(id: id, source: nil, text: .plain(text), state: state))
  }

  private static func answer(
    _ units: [ExchangeUnit], _ found: [(PlatformID, PlatformTranslation)], in language: LocaleIdentifier = "de"
  ) -> [String] {
    whole(units, found, in: language).file?.units
      .compactMap { if case .text(let text)? = $0.target?.text { text } else { nil } } ?? []
  }

  private static func whole(
    _ units: [ExchangeUnit], _ found: [(PlatformID, PlatformTranslation)], in language: LocaleIdentifier = "de"
  ) -> PlatformPacking.Answer {
    let file = ExchangeFile(original: catalog, sourceLanguage: "en", targetLanguage: language, units: units)
    return PlatformPacking.answer(
      to: file, with: Dictionary(uniqueKeysWithValues: found), keepsPlurals: true,
      state: { $0 >= .translated ? ("translated", nil) : nil })
  }

  private static func birds(_ categories: [PluralCategory], source: String = "%lld birds") -> [ExchangeUnit] {
    categories.map { ExchangeUnit(key: "%lld birds", path: [.plural($0)], source: .text(source)) }
  }

  private static func found(
    _ text: PlatformText, _ state: PlatformState = .translated
  ) -> [(PlatformID, PlatformTranslation)] {
    let id = PlatformID(catalog: TreePath(trusted: catalog), name: "%lld birds")
    return [(id, PlatformTranslation(id: id, source: nil, text: text, state: state))]
  }

  @Test("a unit whose forms are separate strings counts as returned once all of the strings are translated")
  func wholeUnits() {
    let units = [
      Self.form("iphone", "Tap here"), Self.form("other", "Click here"),
      ExchangeUnit(key: "Bird", source: .text("Bird")),
    ]
    let bird = Self.translated("Bird", "Vogel")
    let (phone, other) = (
      Self.translated("Tap|==|device.iphone", "Hier tippen"), Self.translated("Tap|==|device.other", "Hier klicken")
    )
    #expect(Self.answer(units, [bird, other]) == ["Vogel"])
    #expect(Self.answer(units, [bird, phone, other]) == ["Hier tippen", "Hier klicken", "Vogel"])
    let suggestion = Self.translated("Tap|==|device.iphone", "Hier tippen", .suggested)
    #expect(Self.answer(units, [bird, suggestion, other]) == ["Vogel"])
    #expect(Self.answer(units, [bird, Self.translated("Tap|==|device.iphone", ""), other]) == ["Vogel"])
  }

  @Test("a form with an empty source text does not have to be translated")
  func emptySource() {
    let tap = [Self.form("iphone", ""), Self.form("other", "Click here")]
    #expect(Self.answer(tap, [Self.translated("Tap|==|device.other", "Hier klicken")]) == ["Hier klicken"])
    let birds = Self.birds([.one], source: "") + Self.birds([.other])
    #expect(Self.answer(birds, Self.found(.plural([.other: "%lld Vögel"]))) == ["%lld Vögel"])
  }

  @Test(
    "a plural counts as answered if all forms that the language needs are translated",
    arguments: [
      ("de", [PluralCategory.one: "a"], 0), ("de", [.one: "a", .other: ""], 0), ("de", [.one: "a", .other: "b"], 2),
      ("de", [.few: "a", .other: "b"], 0), ("de", [.other: "b"], 0), ("de", [:], 0),
      ("uk", [.few: "a"], 0), ("uk", [.one: "a", .few: "b", .many: "c"], 0),
      ("uk", [.one: "a", .few: "b", .many: "c", .other: "d"], 4), ("ja", [.other: "a"], 1), ("ja", [.one: "a"], 1),
      // `many` is for millions, and many platforms lack this category.
      ("es", [.one: "a", .other: "b"], 2), ("es", [.one: "a"], 0),
    ])
  func partly(_ language: String, _ forms: [PluralCategory: String], _ count: Int) {
    let language = LocaleIdentifier(language)
    // The form `zero` of the source text is not required.
    let units = Self.birds([.zero] + PluralRules.categories(of: language))
    let answer = Self.whole(units, Self.found(.plural(forms)), in: language)
    #expect(answer.file?.units.count ?? 0 == count)
    let isPartly = count == 0 && forms.values.contains { !$0.isEmpty }
    #expect(answer.partlyTranslated == (isPartly ? ["%lld birds"] : []) && answer.withoutForms.isEmpty)
    // A reviewed string counts as finished, so the review of returns reports missing forms.
    let reviewed = Self.whole(units, Self.found(.plural(forms), .reviewed), in: language)
    let known = PluralRules.categories(of: language)
    let filled = forms.count { !$0.value.isEmpty && (known.contains($0.key) || known.count == 1) }
    #expect(reviewed.file?.units.count ?? 0 == filled)
    #expect(reviewed.partlyTranslated.isEmpty)
  }

  @Test(
    "a text without plural forms is not accepted for a plural unless the language has only one form",
    arguments: [false, true])
  func plain(_ isReviewed: Bool) {
    let found = Self.found(.plain("%lld Vögel"), isReviewed ? .reviewed : .translated)
    let german = Self.whole(Self.birds([.one, .other]), found)
    #expect(german.file == nil && german.withoutForms == [found[0].0])
    let japanese = Self.whole(Self.birds([.zero, .other]), found, in: "ja")
    #expect(japanese.file?.units.map(\.path) == [[.plural(.other)]] && japanese.withoutForms.isEmpty)
  }

  @Test("several forms are not accepted for a text without plural forms unless they are equal")
  func needlessForms() {
    let bird = [ExchangeUnit(key: "%lld birds", path: .root, source: .text("%lld birds"))]
    let different = Self.whole(bird, Self.found(.plural([.one: "%lld Vogel", .other: "%lld Vögel"])))
    #expect(different.file == nil && different.withForms.map(\.name) == ["%lld birds"])
    #expect(Self.answer(bird, Self.found(.plural([.one: "%lld km", .other: "%lld km", .few: ""]))) == ["%lld km"])
  }

  @Test("all forms of a translation are for the same source text")
  func formerSource() {
    var found = Self.found(.plural([.one: "a", .few: "b", .many: "c", .other: "d"]))
    found[0].1.source = .plural([.one: "a bird", .other: "old birds"])
    let answer = Self.whole(Self.birds([.one, .few, .many, .other]), found, in: "uk")
    #expect(answer.file?.units.map(\.source) == ["a bird", "old birds", "old birds", "old birds"].map { .text($0) })
  }

  @Test("translations of tables, which have no states, are returned only if all strings are finished")
  func tables() {
    var file = ExchangeFile(
      original: "en.lproj/L.strings", sourceLanguage: "en", targetLanguage: "de",
      units: [ExchangeUnit(key: "save", path: .root, source: .text("Save"))])
    file.units[0].target = ExchangeTarget(.text("Sichern"))
    #expect(PlatformPacking.translations(of: file, keepsPlurals: true).isEmpty)
    #expect(
      PlatformPacking.translations(of: file, keepsPlurals: true, areFinished: true).map(\.text) == [.plain("Sichern")])
  }

  @Test("a unit with a plural that lacks forms is omitted with all its strings")
  func device() {
    let phone: [ExchangeUnit] = [.one, .other].map {
      ExchangeUnit(
        key: "Tap", path: [.device(Device(rawValue: "iphone")), .plural($0)], source: .text("Tap %lld times"))
    }
    let units = phone + [Self.form("other", "Click here")]
    let id = PlatformID(catalog: TreePath(trusted: Self.catalog), name: "Tap|==|device.iphone")
    func answer(_ forms: [PluralCategory: String]) -> [String] {
      let text = PlatformTranslation(id: id, source: nil, text: .plural(forms), state: .translated)
      return Self.answer(units, [(id, text), Self.translated("Tap|==|device.other", "Hier klicken")])
    }
    #expect(answer([.one: "%lld Mal tippen"]).isEmpty)
    #expect(answer([.one: "a", .other: "b"]) == ["a", "b", "Hier klicken"])
  }
}
