import Localization
import Testing

/// Tests of whether an app would show a translation, whatever its state is, and of the resulting completion and its percentage.
struct ShownTextTests {
  private static let birds = substituted("%#@n@", "n", ["one": "%arg bird", "other": "%arg birds"])
  private static let ukrainian = ["one": "1", "few": "2", "many": "5", "other": "x"]

  private static func phrases(_ values: [String]) -> Translation {
    Translation(text: .phrases(PhraseSet(state: .translated, values: values)))
  }

  static let texts: [(source: Translation, translation: Translation, expected: TranslationState)] = [
    (Translation("Hello"), Translation(""), .new),
    (Translation("Hello"), Translation("", state: .needsReview), .new),
    (Translation(""), Translation(""), .translated),
    (Translation("Hello"), Translation("#@"), .translated),
    (Translation("Hello"), Translation(" "), .new), (Translation("Hello"), Translation("\n\u{200B}\u{A0}"), .new),
    (Translation(" "), Translation(" "), .translated), (Translation(" "), Translation(""), .translated),
    // A language may not need a word.
    (Translation(" at "), Translation(" "), .translated), (Translation(" at "), Translation(""), .new),
    (Translation(" at "), Translation("\u{200B}"), .new),
    (Translation("Price: "), Translation("  "), .new), (Translation(" (default)"), Translation(" "), .new),
    // The characters are a soft hyphen, direction marks, a joiner, a filler, a blank Braille pattern and a tag.
    (Translation("Hello"), Translation("\u{AD}\u{200E}\u{61C}"), .new),
    (Translation("Hello"), Translation("\u{200D}\u{3164}\u{2800}\u{E0020}\u{3}"), .new),
    (Translation("Hello"), Translation("\u{200F}a"), .translated),
    (Translation("Hello"), Translation("👨‍👩‍👧"), .translated),
    (plurals(["one": "1 bird", "other": "birds"]), plurals(ukrainian), .translated),
    (plurals(["one": "1 bird", "other": "birds"]), plurals(ukrainian.merging(["few": ""]) { $1 }), .new),
    // The form `two` is never shown in Ukrainian, and the form `zero` is shown for 0 in every language.
    (plurals(["one": "1 bird", "other": "birds"]), plurals(ukrainian.merging(["two": ""]) { $1 }), .translated),
    (plurals(["one": "1 bird", "other": "birds"]), plurals(ukrainian.merging(["zero": ""]) { $1 }), .new),
    (plurals(["one": "1 bird", "other": "birds"]), plurals(ukrainian.merging(["zero": "0"]) { $1 }), .translated),
    // Endings may be empty in some forms.
    (
      substituted("bird%#@n@", "n", ["one": "", "other": "s"]),
      substituted("x%#@n@", "n", ["one": "a", "few": "", "many": "", "other": "b"]), .translated
    ),
    (
      substituted("bird%#@n@", "n", ["one": "", "other": "s"]),
      substituted("%#@n@", "n", ["one": "a", "few": "", "many": "", "other": "b"]), .new
    ),
    // A substitution shows nothing for some or all numbers. The text then counts as new, unless it also has other text, or the empty form is never
    // shown.
    (
      Translation("Hello"), substituted("%#@n@", "n", ["one": "a", "few": "", "many": "c", "other": "d"]), .new
    ),
    (Translation("Hello"), substituted(" %#@n@", "n", ["one": "", "few": "", "many": "", "other": ""]), .new),
    (
      Translation("Hello"), substituted("x%#@n@", "n", ["one": "", "few": "", "many": "", "other": ""]), .translated
    ),
    (Translation("Hello"), substituted("%#@n@", "n", ukrainian.merging(["two": ""]) { $1 }), .translated),
    (phrases(["Call ${applicationName}"]), phrases([]), .new), (phrases(["Call"]), phrases([""]), .new),
    (phrases(["Call"]), phrases(["Ruf", ""]), .translated),
    (birds, substituted("%#@n@", "n", ukrainian), .translated), (birds, Translation("%#@n@"), .new),
    (birds, Translation("%1$#@n@"), .new), (birds, Translation("%lld Vögel"), .translated),
    (birds, substituted("%#@n@ %#@m@", "n", ukrainian), .new),
    // The source text also references a substitution that does not exist.
    (Translation("%#@n@"), Translation("x %#@n@"), .translated),
    (devices(["mac": "a", "other": "b"]), devices(["mac": "x"]), .new),
    (devices(["mac": "a", "other": "b"]), devices(["other": "x"]), .translated),
    (devices(["mac": "a", "iphone": "b"]), devices(["mac": "x", "iphone": "y"]), .translated),
    (devices(["mac": "a", "iphone": "b"]), devices(["mac": "x"]), .new),
    (Translation("a"), devices(["mac": "x"]), .new),
    (Translation("a"), devices(["mac": "x", "other": "y"]), .translated),
  ]

  @Test("a translation counts as new if an app would show an empty text or a raw placeholder", arguments: texts)
  func state(source: Translation, translation: Translation, expected: TranslationState) {
    var entry = CatalogEntry()
    entry.translations["en"] = source
    entry.translations["uk"] = translation
    let catalog = catalog(["key": entry])
    let forms = SourceForms(key: "key", entry: entry, sourceLanguage: "en")
    #expect(Completion.state(of: translation, in: "uk", source: forms) == expected)
    let report = Completion.report(catalogs: [catalog], languages: ["uk"])
    #expect(report.languages.map(\.translated) == [expected == .translated ? 1 : 0])
    #expect(report.missing.map(\.state) == (expected == .translated ? [] : [expected]))
    // Only the states determine which strings are sent.
    let states = CompletionStates(of: ["uk"], machineTranslatedCounts: true)
    #expect(states.of(entry.translations) == [Completion.state(of: translation, in: "uk")])
  }

  @Test("an empty text of the empty key counts as translated")
  func emptyKey() {
    var entry = CatalogEntry()
    entry.translations["uk"] = Translation("")
    let report = Completion.report(catalogs: [catalog(["": entry, "a": entry])], languages: ["uk"])
    #expect(report.missing.map(\.key) == ["a"])
  }

  @Test("the first language of a fallback chain that has a text is used")
  func chain() {
    func covers(_ states: [LocaleIdentifier: TranslationState]) -> Bool {
      var entry = CatalogEntry()
      for (language, state) in states { entry.translations[language] = Translation("x", state: state) }
      let report = Completion.report(
        catalogs: [catalog(["a": entry])], languages: ["es-MX"],
        fallbacks: LanguageFallbacks(["es-MX": ["es-419", "es", "en"]]))
      #expect(Array(report.missing).isEmpty == (report.languages.first?.fallback == 1))
      return report.languages.first?.fallback == 1
    }
    #expect(covers([:]) && covers(["es": .translated]) && covers(["es-419": .translated, "es": .needsReview]))
    #expect(!covers(["es-419": .needsReview, "es": .translated]) && !covers(["es": .machineTranslated]))
    #expect(!covers(["es-MX": .needsReview, "es": .translated]) && !covers(["es-MX": .new, "es": .translated]))
  }

  @Test(
    "percentages are compared exactly",
    arguments: [
      ("96.75", 387, 400, true), ("96.751", 387, 400, false), ("99.95", 1999, 2000, true),
      ("99.951", 1999, 2000, false),
      ("100", 1999, 2000, false), ("0", 0, 5, true), ("100", 0, 0, true), ("33.333333", 1, 3, true),
      ("33.333334", 1, 3, false), ("007.50", 75, 1000, true),
    ])
  func percentage(text: String, part: Int, total: Int, isReached: Bool) throws {
    #expect(try #require(Percentage(text)).isReached(by: part, of: total) == isReached)
  }

  @Test("a percentage is shown without unnecessary decimals, and a reached percentage is rounded down")
  func percentageText() {
    #expect(
      ["95", "95.0", "96.750", "0.000001", "100"].map { Percentage($0)?.description } == [
        "95 %", "95 %", "96.75 %", "0.000001 %", "100 %",
      ])
    #expect(Percentage.text(2, of: 3, decimals: 1) == "66.6 %" && Percentage.text(1, of: 2, decimals: 1) == "50 %")
    #expect(
      Percentage.text(1999, of: 2000, decimals: 2) == "99.95 %" && Percentage.text(0, of: 0, decimals: 1) == "100 %")
    #expect(
      Percentage.text(1, of: 1000, decimals: 2) == "0.1 %" && Percentage.text(1, of: 10_000, decimals: 2) == "0.01 %")
    for wrong in ["", ".", "5.", ".5", "101", "100.000001", "1e1", "+5", "-5", "0x5", "1.1234567", "٥", " 5"] {
      #expect(Percentage(wrong) == nil, "\(wrong)")
    }
  }
}
