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
    _ units: [ExchangeUnit], _ found: [(PlatformID, PlatformTranslation)]
  ) -> [String] {
    let file = ExchangeFile(original: catalog, sourceLanguage: "en", targetLanguage: "de", units: units)
    let answered = PlatformPacking.answer(
      to: file, with: Dictionary(uniqueKeysWithValues: found), keepsPlurals: true,
      state: { $0 >= .translated ? ("translated", nil) : nil })
    return answered?.units.compactMap { if case .text(let text)? = $0.target?.text { text } else { nil } } ?? []
  }

  @Test("a unit whose forms are several strings is answered when all of them are translated")
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

  @Test("a form with an empty source text is not waited for, and neither is a missing plural form")
  func missingForms() {
    let tap = [Self.form("iphone", ""), Self.form("other", "Click here")]
    #expect(Self.answer(tap, [Self.translated("Tap|==|device.other", "Hier klicken")]) == ["Hier klicken"])
    let birds = [PluralCategory.one, .other].map {
      ExchangeUnit(key: "%lld birds", path: [.plural($0)], source: .text("%lld birds"))
    }
    let id = PlatformID(catalog: TreePath(trusted: Self.catalog), name: "%lld birds")
    func plural(_ forms: [PluralCategory: String]) -> [(PlatformID, PlatformTranslation)] {
      [(id, PlatformTranslation(id: id, source: nil, text: .plural(forms), state: .translated))]
    }
    #expect(Self.answer(birds, plural([.few: "a", .other: "%lld Vögel"])) == ["%lld Vögel"])
    #expect(Self.answer(birds, plural([:])).isEmpty)
  }
}
