import Foundation
import Testing

@testable import Localization

@Suite("Completion")
struct CompletionTests {
  private func entry(_ translation: Translation?, state: ExtractionState? = nil, shouldTranslate: Bool = true)
    -> CatalogEntry
  {
    var entry = CatalogEntry(extractionState: state, shouldTranslate: shouldTranslate)
    entry.translations["uk"] = translation
    return entry
  }

  static let states: [(Translation?, TranslationState)] = [
    (nil, .new), (Translation("x"), .translated), (Translation("x", state: .new), .new),
    (Translation("x", state: .needsReview), .needsReview), (Translation("x", state: .machineTranslated), .needsReview),
    (Translation("x", state: TranslationState(rawValue: "of a newer Xcode")), .needsReview),
    (plurals(["one": "1", "few": "2", "many": "5", "other": "x"]), .translated),
    (plurals(["one": "1", "many": "5", "other": "x"]), .new),
    (plurals(["one": "1", "few": "2", "many": "5", "other": "x"], state: .needsReview), .needsReview),
    (substituted("%#@n@", "n", ["one": "1", "few": "2", "many": "5", "other": "x"]), .translated),
    (substituted("%#@n@", "n", ["one": "1", "other": "x"]), .new),
    (devices(["mac": "x"]), .translated),
  ]

  @Test("a text unit is translated if every form that the language needs is translated", arguments: states)
  func state(translation: Translation?, expected: TranslationState) {
    #expect(Completion.state(of: translation, in: "uk") == expected)
  }

  @Test(
    "a form that the language never uses does not count, but the form for 0 does",
    arguments: [
      ("two", TranslationState.new, TranslationState.translated), ("zero", .new, .new),
      ("zero", .needsReview, .needsReview), ("zero", .translated, .translated),
    ])
  func needless(category: String, state: TranslationState, expected: TranslationState) {
    var translation = plurals(["one": "1", "few": "2", "many": "5", "other": "x"])
    translation.set(VariedLeaf(.text("0"), state: state), at: path("plural." + category))
    #expect(Completion.state(of: translation, in: "uk") == expected)
  }

  @Test("machine translation counts as translated if the pipeline file says so")
  func machine() {
    let catalog = catalog(["a": entry(Translation("x", state: .machineTranslated))])
    #expect(Completion.report(catalogs: [catalog], languages: ["uk"]).languages.map(\.needsReview) == [1])
    let report = Completion.report(catalogs: [catalog], languages: ["uk"], machineTranslatedCounts: true)
    #expect(report.languages.map(\.translated) == [1])
    #expect(Array(report.missing).isEmpty)
  }

  @Test("stale and do-not-translate keys do not count, and the source language is not listed")
  func total() {
    let entries: [UnitKey: CatalogEntry] = [
      "done": entry(Translation("x")), "review": entry(Translation("x", state: .needsReview)), "new": entry(nil),
      "stale": entry(Translation("x"), state: .stale), "lost": entry(nil, state: .stale),
      "no": entry(nil, shouldTranslate: false),
    ]
    let report = Completion.report(
      catalogs: [catalog(entries, path: "B.xcstrings"), catalog([:], path: "A.xcstrings")],
      languages: ["uk", "en", "uk"])
    let uk = report.languages.first
    #expect(report.languages.map(\.language) == ["uk"])
    #expect([uk?.total, uk?.translated, uk?.needsReview, uk?.new, uk?.stale] == [3, 1, 1, 1, 1])
    #expect(uk?.percent == 33.3)
    #expect(report.catalogs.map(\.catalog) == ["A.xcstrings", "B.xcstrings"])
    #expect(report.catalogs.first?.languages.first?.percent == 100)
    #expect(report.missing.map(\.key) == ["new", "review"])
    #expect(report.missing.map(\.state) == [.new, .needsReview])
  }

  @Test(
    "the percentage is rounded down, so 100 means that all units are translated",
    arguments: [(0, 0, 1000), (1999, 2000, 999), (2, 3, 666), (7, 7, 1000), (0, 5, 0)])
  func percent(translated: Int, total: Int, tenths: Int) {
    var completion = LanguageCompletion(language: "de")
    completion.translated = translated
    completion.total = total
    #expect(completion.tenths == tenths)
  }

  @Test("the report is encoded as documented in cli.md")
  func encoding() throws {
    let report = Completion.report(catalogs: [catalog(["a": entry(nil)])], languages: ["uk"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(report), as: UTF8.self)
    let uk = #"{"language":"uk","needsReview":0,"new":1,"percent":0,"stale":0,"total":1,"translated":0}"#
    #expect(
      text == #"{"catalogs":[{"catalog":"App/Localizable.xcstrings","languages":["# + uk + #"]}],"languages":["# + uk
        + #"],"missing":[{"catalog":"App/Localizable.xcstrings","key":"a","language":"uk","state":"new"}],"sourceLanguage":"en"}"#
    )
  }

  @Test("control characters in the name of a catalog are visible in both verdicts", arguments: [0, 1])
  func visibleVerdict(translated: Int) throws {
    var german = LanguageCompletion(language: "de")
    german.total = 1
    german.translated = translated
    let report = CompletionReport(
      sourceLanguage: "en", languages: [german],
      catalogs: [CatalogCompletion(catalog: TreePath(trusted: "a\u{1B}[31m.xcstrings"), languages: [german])])
    let pattern = try #require(PathPattern("**"))
    let requirement = CompletionRequirement(language: nil, needed: Percentage(100), catalogs: pattern)
    let verdict = CompletionVerdict(report, requirements: [requirement], obstacles: [])
    #expect(verdict.isMet == (translated == 1))
    #expect(verdict.line.contains("a\\u{1B}[31m.xcstrings de "), "\(verdict.line)")
  }
}
