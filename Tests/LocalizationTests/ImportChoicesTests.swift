import Localization
import Testing

@Suite("A person's decisions about an import")
struct ImportChoicesTests {
  private static let file: TreePath = "App/Localizable.xcstrings"

  private func review(
    _ units: [ExchangeUnit], policy: ImportPolicy = .asXcode, _ choices: ImportChoices = ImportChoices()
  ) -> ReviewedImport {
    var birds = CatalogEntry()
    birds.translations["en"] = plurals(["one": "%lld bird", "other": "%lld birds"])
    let entries: [UnitKey: CatalogEntry] = ["Hello\nyou": CatalogEntry(), "%lld left": CatalogEntry(), "birds": birds]
    return ImportReview(catalogs: [Self.file: catalog(entries)], policy: policy, choices: choices).review([
      ExchangeFile(original: Self.file.text, sourceLanguage: "en", targetLanguage: "de", units: units)
    ])
  }

  private func unit(
    _ key: UnitKey, _ place: String = "", source: String, _ target: String, state: String = "translated"
  ) -> ExchangeUnit {
    ExchangeUnit(
      key: key, path: path(place), source: .text(source), target: ExchangeTarget(.text(target), state: state))
  }

  @Test(
    "a source text counts as unchanged if only line endings or outer white space differ",
    arguments: ["Hello\r\nyou", " Hello\ryou\n"])
  func spaces(source: String) {
    #expect(review([unit("Hello\nyou", source: source, "Hallo\ndu")]).outcomes.map(\.verdict) == [.taken])
    #expect(
      review([unit("Hello\nyou", source: "Hello you", "Hallo")]).outcomes.map(\.verdict)
        == [.held(.sourceChanged("Hello\nyou"))])
  }

  @Test(
    "a target that consists of white space counts as empty",
    arguments: [" ", "\n\t", "\u{A0}", "\u{200B}", "\u{200E}\u{AD}"])
  func blank(target: String) {
    let result = review([unit("Hello\nyou", source: "Hello\nyou", target, state: "translated")], policy: .unattended)
    #expect(result.outcomes.map(\.verdict) == [.held(.emptyTarget)])
  }

  @Test("if a person reviews, only the form with a different source is held; in a round, all forms are")
  func siblings() {
    let units = [
      unit("birds", "plural.one", source: "%lld bird", "%lld Vogel"),
      unit("birds", "plural.other", source: "%lld fowls", "%lld Vögel"),
    ]
    let changed = Verdict.held(.sourceChanged("%lld birds"))
    #expect(review(units).outcomes.map(\.verdict) == [.taken, changed])
    #expect(review(units, policy: .unattended).outcomes.allSatisfy { $0.verdict != .taken })
  }

  @Test("a plural form that the language does not use is accepted with a warning; zero is always used")
  func needless() {
    let units = ["one", "few", "zero", "other"].map { category in
      unit("birds", "plural.\(category)", source: category == "one" ? "%lld bird" : "%lld birds", "%lld Vögel")
    }
    let result = review(units)
    #expect(result.outcomes.map(\.verdict) == [.taken, .taken, .taken, .taken])
    #expect(result.diagnostics.map(\.message) == ["de: \"birds|==|plural.few\": the language has no plural form “few”"])
  }

  @Test("if texts by device overlap, the message says that Xcode's behaviour is unknown")
  func claims() {
    #expect(HoldReason.missingForm([""]).inXcode(at: path("device.mac")) == "Xcode's behaviour is unknown")
    #expect(HoldReason.missingForm([""]).inXcode(at: path("plural.one")).hasPrefix("Xcode would add"))
  }

  @Test("--skip accepts any spelling of a language", arguments: ["de", "DE", "de-DE", "de-Latn"])
  func spelling(language: LocaleIdentifier) {
    let units = [unit("Hello\nyou", source: "Hello\nyou", "Hallo")]
    func verdicts(_ language: LocaleIdentifier) -> [Verdict] {
      review(units, ImportChoices(skip: [.language(language)])).outcomes.map(\.verdict)
    }
    #expect(verdicts(language) == [.held(.skipped)])
    #expect(verdicts("de-AT") == [.taken] && verdicts("fr") == [.taken])
  }

  @Test("--take accepts held units by reason, key and language, and --skip takes precedence")
  func choices() {
    let units = [
      unit("Hello\nyou", source: "Hello me", "Hallo"), unit("%lld left", source: "%lld left", "Noch übrig"),
      unit("gone", source: "gone", "weg"),
    ]
    func verdicts(_ choices: ImportChoices) -> [Verdict] { review(units, choices).outcomes.map(\.verdict) }
    let (changed, broken) = (verdicts(ImportChoices())[0], verdicts(ImportChoices())[1])
    #expect(changed == .held(.sourceChanged("Hello\nyou")))
    guard case .held(.placeholdersDiffer) = broken else {
      Issue.record("\(broken)")
      return
    }
    let unknown = Verdict.held(.unknownKey)
    #expect(verdicts(ImportChoices(take: [.reason("sourceChanged")])) == [.taken, broken, unknown])
    #expect(verdicts(ImportChoices(take: [.key("%lld left")])) == [changed, .taken, unknown])
    // A text whose key is not in the catalog cannot be accepted.
    #expect(verdicts(ImportChoices(take: [.language("de"), .key("gone")])) == [.taken, .taken, unknown])
    #expect(
      verdicts(ImportChoices(take: [.language("de")], skip: [.key("%lld left"), .reason("sourceChanged")]))
        == [changed, .held(.skipped), unknown])
    #expect(verdicts(ImportChoices(skip: [.language("de")])).allSatisfy { $0 == .held(.skipped) })
  }
}
