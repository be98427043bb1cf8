import Localization
import Testing

@Suite("Review of returned units")
struct ImportReviewTests {
  static let file = "App/Localizable.xcstrings"

  func unit(
    _ key: UnitKey = "key", _ place: String = "", source: String? = nil, _ target: String?,
    state: String? = "translated",
    qualifier: String? = nil
  ) -> ExchangeUnit {
    ExchangeUnit(
      key: key, path: path(place), source: .text(source ?? key.text),
      target: target.map { ExchangeTarget(.text($0), state: state, stateQualifier: qualifier) })
  }

  func review(
    _ entry: CatalogEntry?, _ units: [ExchangeUnit], language: LocaleIdentifier = "de", record: ExportRecord? = nil,
    policy: ImportPolicy = .unattended
  ) -> (verdicts: [Verdict], translation: Translation?) {
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog(entry.map { ["key": $0] } ?? [:])]
    let result = ImportReview(catalogs: catalogs, policy: policy, exported: { _, _ in record }).review([
      ExchangeFile(original: Self.file, sourceLanguage: "en", targetLanguage: language, units: units)
    ])
    let after = result.catalogs["App/Localizable.xcstrings"]?.entries["key"] ?? entry
    return (result.outcomes.map(\.verdict), after?.translations[language])
  }

  @Test(
    "line breaks that a tool added before and after the source and the translation are removed",
    arguments: [
      ("key", "\n  key\n ", "\n  Schlüssel\n ", "Schlüssel"), ("key", "\n key", "\n Schlüssel", "Schlüssel"),
      // The line breaks are the source text's own, or only the translation has them.
      ("\nkey\n", "\n  \nkey\n\n ", "\n  \nSchlüssel\n\n ", "\nSchlüssel\n"),
      ("\nkey", "\nkey", "\nSchlüssel", "\nSchlüssel"), ("key", "key", "\nSchlüssel\n", "\nSchlüssel\n"),
      ("key", "\n key\n ", "Schlüssel ", "Schlüssel "),
    ])
  func indentation(original: String, source: String, target: String, expected: String) {
    let entry = CatalogEntry(translations: ["en": Translation(original)])
    let result = review(entry, [unit("key", "", source: source, target)], policy: .asXcode)
    #expect(result.verdicts == [.taken])
    #expect(result.translation == Translation(expected))
  }

  @Test("a text with a replacement character is held unless the source text has one")
  func lostCharacter() {
    let lost = Verdict.held(.altered("it has the character U+FFFD in place of a lost one"))
    var entry = CatalogEntry()
    entry.translations["de"] = Translation("Hallo\u{3}")
    for policy in [ImportPolicy.asXcode, .unattended] {
      #expect(review(entry, [unit("key", "", "Hallo\u{FFFD}!")], policy: policy).verdicts == [lost])
      #expect(review(entry, [unit("key", "", "Hallo\u{FFFD}")], policy: policy).verdicts == [.unchanged])
    }
    let odd = CatalogEntry(translations: ["en": Translation("a\u{FFFD}")])
    #expect(review(odd, [unit("key", "", source: "a\u{FFFD}", "b\u{FFFD}")], policy: .asXcode).verdicts == [.taken])
  }

  func record(of entry: CatalogEntry, _ language: LocaleIdentifier = "de") -> ExportRecord {
    ExportRecord(
      pin: SourcePin(key: "key", entry: entry, sourceLanguage: "en"), translation: entry.translations[language])
  }

  // MARK: States and targets (xcode-formats.md D)

  /// State, qualifier, and the resulting state in the catalog; `nil` if the unit is held (apple_xcode27 state-import, state-qualifiers).
  static let stateTable: [(String?, String?, TranslationState?)] = [
    ("translated", nil, .translated), ("final", nil, .translated), ("signed-off", nil, .translated),
    ("custom", nil, .translated),
    (nil, nil, .translated), ("translated", "leveraged-mt", .machineTranslated),
    (nil, "leveraged-mt", .machineTranslated),
    ("translated", "exact-match", .translated), ("translated", "fuzzy-match", .translated),
    ("translated", "x-own", .translated),
    ("new", nil, nil), ("needs-review-l10n", nil, nil), ("needs-review-translation", nil, nil),
    ("needs-translation", nil, nil),
  ]

  @Test("a finished target is accepted with its state, and an unfinished target is held", arguments: stateTable)
  func states(state: String?, qualifier: String?, expected: TranslationState?) {
    let result = review(CatalogEntry(), [unit("key", "", "neu", state: state, qualifier: qualifier)])
    if let expected {
      #expect(result.verdicts == [.taken])
      #expect(result.translation == Translation("neu", state: expected))
    } else {
      #expect(result.verdicts == [.held(.unfinishedState(state ?? ""))])
      #expect(result.translation == nil)
    }
  }

  @Test("an unfinished target does not replace the old value")
  func unfinished() {
    let entry = CatalogEntry(translations: ["de": Translation("alt")])
    let result = review(entry, [unit("key", "", "neu", state: "needs-review-l10n")])
    #expect(result.translation == Translation("alt"))
  }

  @Test("a missing target is outstanding; an empty target is held unless the text is empty")
  func emptiness() {
    #expect(review(CatalogEntry(), [unit("key", "", nil)]).verdicts == [.held(.noTarget)])
    #expect(review(CatalogEntry(), [unit("key", "", "")]).verdicts == [.held(.emptyTarget)])
    let empty = CatalogEntry(translations: ["en": Translation("")])
    #expect(review(empty, [unit("key", "", source: "", "")]).verdicts == [.taken])
  }

  @Test("a target that equals the source is accepted")
  func sameAsSource() {
    #expect(review(CatalogEntry(), [unit("key", "", "key")]).translation == Translation("key"))
  }

  @Test("a translation with the same text counts as unchanged unless its state is new to the catalog")
  func unchanged() {
    for state in [TranslationState.translated, .needsReview, .new, .machineTranslated] {
      let entry = CatalogEntry(translations: ["de": Translation("x", state: state)])
      let units = ExportShape.units(of: catalog(["key": entry]), for: "de")
      #expect(review(entry, units).verdicts == [.unchanged], "\(state)")
    }
    let entry = CatalogEntry(translations: ["de": Translation("x", state: .needsReview)])
    let result = review(entry, [unit("key", "", "x")])
    #expect(result.verdicts == [.taken])
    #expect(result.translation == Translation("x"))
  }

  // MARK: Keys, sources, languages

  @Test("a unit with an unknown key is held")
  func unknownKey() {
    #expect(review(CatalogEntry(), [unit("other", "", "x")]).verdicts == [.held(.unknownKey)])
  }

  @Test("a changed source holds all forms of the key; a missing source is held if no other part identifies the text")
  func sources() {
    let entry = CatalogEntry(translations: ["en": plurals(["one": "a bird", "other": "birds"])])
    let units = [
      unit("key", "plural.one", source: "a bird", "ein Vogel"),
      unit("key", "plural.other", source: "many birds", "Vögel"),
    ]
    #expect(review(entry, units).verdicts == [.held(.sourceChanged("a bird")), .held(.sourceChanged("birds"))])
    var without = unit("key", "", "x")
    without.source = nil
    #expect(review(CatalogEntry(), [without]).verdicts == [.held(.sourceMissing)])
    #expect(review(CatalogEntry(), [without], record: record(of: CatalogEntry())).verdicts == [.taken])
  }

  @Test("a source text counts as unchanged if only numbers were added to its placeholders")
  func numberedSource() {
    let entry = CatalogEntry(translations: ["en": Translation("%1$@ of %2$lld", state: .new)])
    #expect(review(entry, [unit("key", "", source: "%@ of %lld", "%2$lld von %1$@")]).verdicts == [.taken])
  }

  @Test("a source that differs from the exported source counts as changed")
  func pin() {
    let before = CatalogEntry(translations: ["en": Translation("old")])
    #expect(
      review(CatalogEntry(), [unit("key", "", "x")], record: record(of: before)).verdicts == [
        .held(.sourceChanged("key"))
      ])
  }

  @Test("units that are not translatable or in the source language are held")
  func notForTranslation() {
    #expect(review(CatalogEntry(shouldTranslate: false), [unit("key", "", "x")]).verdicts == [.held(.doNotTranslate)])
    let units = [unit("key", "", "changed")]
    #expect(review(CatalogEntry(), units, language: "en").verdicts == [.held(.sourceLanguage)])
    #expect(review(CatalogEntry(), [unit("key", "", "key", state: "new")], language: "en").verdicts == [.unchanged])
  }

  @Test("files are matched by path or by a unique end of the path, or not at all")
  func catalogs() {
    let paths: [TreePath] = ["App/Localizable.xcstrings", "Kit/Resources/Localizable.xcstrings", "Kit/Other.xcstrings"]
    let catalogs = Dictionary(uniqueKeysWithValues: paths.map { ($0, catalog(["key": CatalogEntry()], path: $0)) })
    let verdict = { (original: String, language: LocaleIdentifier) in
      let result = ImportReview(catalogs: catalogs, languages: ["de"]).review([
        ExchangeFile(
          original: original, sourceLanguage: "en", targetLanguage: language,
          units: [ExchangeUnit(key: "key", source: .text("key"), target: ExchangeTarget(.text("x")))])
      ])
      return (result.outcomes.map(\.verdict), result.outcomes.map(\.unit.catalog.text), result.diagnostics.count)
    }
    #expect(verdict("App/Localizable.xcstrings", "de") == ([.taken], ["App/Localizable.xcstrings"], 0))
    #expect(verdict("./App/Localizable.xcstrings", "de") == ([.taken], ["App/Localizable.xcstrings"], 0))
    #expect(verdict("../../Kit/Other.xcstrings", "de") == ([.taken], ["Kit/Other.xcstrings"], 1))
    #expect(verdict("Resources/Localizable.xcstrings", "de") == ([.taken], ["Kit/Resources/Localizable.xcstrings"], 1))
    #expect(verdict("Repo/App/Localizable.xcstrings", "de") == ([.taken], ["App/Localizable.xcstrings"], 1))
    #expect(verdict("Localizable.xcstrings", "de") == ([.held(.ambiguousCatalog)], ["Localizable.xcstrings"], 1))
    #expect(verdict("../../../etc/x.xcstrings", "de") == ([.held(.unknownCatalog)], ["etc/x.xcstrings"], 1))
    #expect(verdict("", "de") == ([.held(.unknownCatalog)], [""], 1))
    #expect(
      verdict("App/Localizable.xcstrings", "fr") == (
        [.held(.unknownLanguage(["de"]))], ["App/Localizable.xcstrings"], 1
      ))
    #expect(
      verdict("App/Localizable.xcstrings", "../x") == (
        [.held(.unknownLanguage(["de"]))], ["App/Localizable.xcstrings"], 1
      ))
  }

  @Test("a language of the catalog is recognized in any spelling")
  func legacyLanguage() {
    let entry = CatalogEntry(translations: ["zh_CN": Translation("x")])
    #expect(review(entry, [unit("key", "", "y")], language: "zh_CN").verdicts == [.taken])
    #expect(review(CatalogEntry(), [unit("key", "", "y")], language: "zh_CN").translation == nil)
    #expect(review(CatalogEntry(), [unit("key", "", "y")], language: "").verdicts == [.held(.unknownLanguage([]))])
  }

  @Test(
    "the hint for a file depends on whether target-language is missing or names an unknown language",
    arguments: [
      ("", "add target-language with the language of its translations"),
      ("fr", "add the language, or correct target-language"),
    ] as [(LocaleIdentifier, String)])
  func languageHints(language: LocaleIdentifier, hint: String) {
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog(["key": CatalogEntry()])]
    let result = ImportReview(catalogs: catalogs, languages: ["de"]).review([
      ExchangeFile(
        original: Self.file, sourceLanguage: "en", targetLanguage: language, units: [unit("key", "", "y")])
    ])
    #expect(result.diagnostics.map(\.hint) == [hint])
  }

  @Test("a repeated id counts once if the targets are equal, and is held if they differ")
  func duplicates() {
    let same = review(CatalogEntry(), [unit("key", "", "x"), unit("key", "", "x")])
    #expect(same.verdicts == [.taken, .unchanged])
    let different = review(CatalogEntry(), [unit("key", "", "x"), unit("key", "", "y"), unit("key", "", "x")])
    let reason = HoldReason.duplicate("“x” and “y”")
    #expect(different.verdicts == [.held(reason), .held(reason), .held(reason)])
    #expect(different.translation == nil)
  }

  @Test("the texts of a repeated id are shown truncated, and with their states if they are equal")
  func duplicateTexts() {
    func reason(_ one: ExchangeUnit, _ other: ExchangeUnit) -> String? {
      guard case .held(let reason)? = review(CatalogEntry(), [one, other]).verdicts.last else { return nil }
      return reason.sentence
    }
    let words = "this id occurs more than once, with different translations: "
    #expect(
      reason(unit("key", "", "x"), unit("key", "", String(repeating: "y", count: 100)))
        == words + "“x” and “\(String(repeating: "y", count: 59))…”")
    #expect(
      reason(unit("key", "", "x"), unit("key", "", "x", state: "final")) == words + "“x” (translated) and “x” (final)")
    #expect(HoldReason(code: "duplicate", detail: nil)?.sentence == String(words.dropLast(2)))
  }

  @Test(
    "a source text with another Unicode normalization is unchanged; another kind of space is a change that the message names"
  )
  func otherCodePoints() {
    let entry = CatalogEntry(translations: ["en": Translation("Größe 5\u{A0}km")])
    for policy in [ImportPolicy.asXcode, .unattended] {
      let decomposed = "Gro\u{308}ße 5\u{A0}km"
      #expect(review(entry, [unit("key", "", source: decomposed, "size")], policy: policy).verdicts == [.taken])
    }
    let result = ImportReview(catalogs: ["App/Localizable.xcstrings": catalog(["key": entry])]).review([
      ExchangeFile(
        original: Self.file, sourceLanguage: "en", targetLanguage: "de",
        units: [unit("key", "", source: "Größe 5 km", "size"), unit("key", "plural.one", source: "Grösse", "size")])
    ])
    #expect(
      result.outcomes.first?.sentence?.hasSuffix(
        "(it has space (U+0020) in place of no-break space (U+00A0))") == true)
    #expect(result.outcomes.last?.sentence == result.outcomes.last?.holdReason?.sentence)
  }

  // MARK: Three-way

  @Test("a translation that changed in the repository since the export is kept, and the vendor's is held")
  func changedInRepository() {
    let before = CatalogEntry(translations: ["de": Translation("alt")])
    let after = CatalogEntry(translations: ["de": Translation("ours")])
    #expect(
      review(after, [unit("key", "", "theirs")], record: record(of: before)).verdicts == [
        .held(.changedInRepository("ours"))
      ])
    #expect(
      review(after, [unit("key", "", "theirs")], record: record(of: CatalogEntry())).verdicts
        == [.held(.changedInRepository("ours"))])
    #expect(review(before, [unit("key", "", "theirs")], record: record(of: before)).verdicts == [.taken])
    #expect(review(after, [unit("key", "", "ours")], record: record(of: before)).verdicts == [.unchanged])
    #expect(
      review(after, [unit("key", "", "theirs")]).verdicts == [.taken],
      "without a record the incoming text takes precedence")
  }

  @Test("only the form that changed in the repository is held")
  func changedForm() {
    var before = CatalogEntry(translations: ["en": plurals(["one": "a", "other": "b"])])
    before.translations["de"] = plurals(["one": "eins", "other": "viele"])
    var after = before
    after.translations["de"] = plurals(["one": "ein", "other": "viele"])
    let result = review(
      after, [unit("key", "plural.one", source: "a", "1"), unit("key", "plural.other", source: "b", "n")],
      record: record(of: before))
    #expect(result.verdicts == [.held(.changedInRepository("ein")), .taken])
    #expect(result.translation == plurals(["one": "ein", "other": "n"]))
  }
}
