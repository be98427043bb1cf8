import Foundation
import Localization
import TestSupport
import Testing

@Suite("Properties of the review")
struct ImportReviewPropertyTests {
  private func file(_ catalog: Catalog, _ language: LocaleIdentifier, _ units: [ExchangeUnit]) -> ExchangeFile {
    ExchangeFile(
      original: catalog.path.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: language, units: units)
  }

  @Test("importing an unchanged export changes no translation")
  func ownExport() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<150 {
      let catalog = RandomCatalog.catalog(using: &generator)
      for language in RandomCatalog.languages {
        let units = ExportShape.units(of: catalog, for: language)
        let result = ImportReview(catalogs: [catalog.path: catalog]).review([file(catalog, language, units)])
        #expect(result.catalogs.isEmpty)
        for (unit, outcome) in zip(units, result.outcomes) {
          #expect(outcome.verdict == (unit.target == nil ? .held(.noTarget) : .unchanged), "\(unit)")
        }
      }
    }
  }

  @Test(
    "every unit has one outcome, only accepted units change the catalog, and a second import has no effect"
  )
  func anyAnswer() {
    var generator = SeededGenerator(seed: 8)
    var taken = 0
    for round in 0..<300 {
      let catalog = RandomCatalog.catalog(using: &generator)
      let language = ["de", "fr", "ja", "uk"].randomElement(using: &generator) ?? "de"
      let units = ExportShape.units(of: catalog, for: LocaleIdentifier(language)).filter { _ in
        Int.random(in: 0..<8, using: &generator) != 0
      }.map { answered($0, using: &generator) }
      let records = records(of: catalog, LocaleIdentifier(language))
      let review = { (catalog: Catalog, records: [UnitKey: ExportRecord]) in
        ImportReview(catalogs: [catalog.path: catalog], exported: { id, _ in records[id.key] }).review([
          file(catalog, LocaleIdentifier(language), units)
        ])
      }
      let result = review(catalog, round.isMultiple(of: 2) ? records : [:])
      #expect(result.outcomes.count == units.count)
      #expect(result.outcomes.map(\.path) == units.map(\.path))
      let after = result.catalogs[catalog.path] ?? catalog
      for (unit, outcome) in zip(units, result.outcomes) {
        let now = after.entries[unit.key]?.translations[LocaleIdentifier(language)]?[unit.path]
        let before = catalog.entries[unit.key]?.translations[LocaleIdentifier(language)]?[unit.path]
        switch outcome.verdict {
        case .taken:
          taken += 1
          #expect(now?.state == .translated || now?.state == .machineTranslated)
        case .unchanged: #expect(now?.words == before?.words)
        case .held: #expect(now == before || before == nil)
        }
      }
      let others = { (catalog: Catalog) in
        catalog.entries.mapValues { entry in
          var entry = entry
          entry.translations[LocaleIdentifier(language)] = nil
          return entry
        }
      }
      #expect(others(after) == others(catalog))
      let again = review(after, [:])
      for (one, other) in zip(result.outcomes, again.outcomes) where one.verdict == .taken {
        #expect(other.verdict == .unchanged)
      }
    }
    #expect(taken > 300)
  }

  /// Returns a unit as a translator may return it, in a random way.
  private func answered(_ unit: ExchangeUnit, using generator: inout some RandomNumberGenerator) -> ExchangeUnit {
    var unit = unit
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: unit.target = nil
    case 1: unit.source = .text("another source")
    case 2: unit.target = unit.source.map { ExchangeTarget($0, state: "needs-review-l10n") }
    case 3: unit.target = ExchangeTarget(.text("%s"), state: "translated")
    case 4: unit.target = unit.source.map { ExchangeTarget($0, state: "translated", stateQualifier: "leveraged-mt") }
    default:
      if case .text(let text)? = unit.source {
        unit.target = ExchangeTarget(.text("⟦" + text + "⟧"), state: "translated")
      }
    }
    return unit
  }

  private func records(of catalog: Catalog, _ language: LocaleIdentifier) -> [UnitKey: ExportRecord] {
    Dictionary(
      uniqueKeysWithValues: catalog.entries.map { key, entry in
        let pin = SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
        return (key, ExportRecord(pin: pin, translation: entry.translations[language]))
      })
  }

  static let reasons: [HoldReason] = [
    .unknownCatalog, .catalogOutsidePaths, .ambiguousCatalog, .unknownLanguage([]), .unknownLanguage(["de", "fr"]),
    .unknownKey,
    .sourceChanged("a, “b”"), .sourceMissing,
    .noTarget, .emptyTarget,
    .unfinishedState("new"), .sourceIsID, .skipped, .placeholdersDiffer("%@ is missing"),
    .placeholdersUnsafe("%@ is %lld"),
    .markupBroken("the markup ** has no counterpart"), .tooLong("the text has 9 characters, but its comment allows 8"),
    .notWritable("x"), .altered("x"), .otherLanguage("x"),
    .missingPluralCase(["plural.few", "plural.many"]), .pluralWithoutNumber,
    .unreadable("a.strings:1:2: x"), .otherVariant(["pt-BR", "pt-PT"]), .neverSent("x"), .notRouted, .mostlyUnchanged,
    .termMissing("x"), .removed(.init(commit: "0123456789", author: "Ada B. Lovelace")),
    .missingForm([""]), .formDoesNotFit, .changedInRepository("x"), .duplicate("“x” and “y”"), .doNotTranslate,
    .sourceLanguage,
  ]

  @Test("a reason is unchanged after it is encoded and decoded, and has a text", arguments: reasons)
  func coding(reason: HoldReason) throws {
    try #require(
      HoldReason(code: reason.code, detail: reason.detail) == reason,
      "HoldReason.init(code:detail:) does not restore \(reason.code)")
    let outcome = UnitOutcome(
      unit: UnitID(catalog: "A.xcstrings", key: "k"), language: "de", path: path("plural.one"), verdict: .held(reason),
      source: .text("s"), target: ExchangeTarget(.phrases(["a", "b"]), state: "translated"))
    #expect(try JSONDecoder().decode(UnitOutcome.self, from: JSONEncoder().encode(outcome)) == outcome)
    #expect(!reason.sentence.isEmpty && !reason.inXcode(at: .root).isEmpty)
  }

  @Test("an unknown reason in a store is refused")
  func unknownReason() {
    #expect(HoldReason(code: "of a newer version", detail: nil) == nil)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(HoldReason.self, from: Data(#"{"code":"x"}"#.utf8)) }
  }
}
