import Localization
import Testing

@Suite("Review of what comes back")
struct ImportReviewTests {
  static let file = "App/Localizable.xcstrings"

  private func unit(
    _ key: UnitKey = "key", _ place: String = "", source: String? = nil, _ target: String?,
    state: String? = "translated",
    qualifier: String? = nil
  ) -> ExchangeUnit {
    ExchangeUnit(
      key: key, path: path(place), source: .text(source ?? key.text),
      target: target.map { ExchangeTarget(.text($0), state: state, stateQualifier: qualifier) })
  }

  private func review(
    _ entry: CatalogEntry?, _ units: [ExchangeUnit], language: LocaleIdentifier = "de", record: ExportRecord? = nil
  ) -> (verdicts: [Verdict], translation: Translation?) {
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog(entry.map { ["key": $0] } ?? [:])]
    let result = ImportReview(catalogs: catalogs, exported: { _, _ in record }).review([
      ExchangeFile(original: Self.file, sourceLanguage: "en", targetLanguage: language, units: units)
    ])
    let after = result.catalogs["App/Localizable.xcstrings"]?.entries["key"] ?? entry
    return (result.outcomes.map(\.verdict), after?.translations[language])
  }

  private func record(of entry: CatalogEntry, _ language: LocaleIdentifier = "de") -> ExportRecord {
    ExportRecord(
      pin: SourcePin(key: "key", entry: entry, sourceLanguage: "en"), translation: entry.translations[language])
  }

  // MARK: States and targets (xcode-formats.md D)

  /// State, qualifier, the state in the catalog (nil: held). apple_xcode27 state-import, state-qualifiers.
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

  @Test("a finished target is taken with its state, an unfinished one is held", arguments: stateTable)
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

  @Test("an unfinished target leaves the old value")
  func unfinished() {
    let entry = CatalogEntry(translations: ["de": Translation("alt")])
    let result = review(entry, [unit("key", "", "neu", state: "needs-review-l10n")])
    #expect(result.translation == Translation("alt"))
  }

  @Test("no target is outstanding, an empty one for a text is held, for an empty text it is taken")
  func emptiness() {
    #expect(review(CatalogEntry(), [unit("key", "", nil)]).verdicts == [.held(.noTarget)])
    #expect(review(CatalogEntry(), [unit("key", "", "")]).verdicts == [.held(.emptyTarget)])
    let empty = CatalogEntry(translations: ["en": Translation("")])
    #expect(review(empty, [unit("key", "", source: "", "")]).verdicts == [.taken])
  }

  @Test("a target equal to the source is taken")
  func sameAsSource() {
    #expect(review(CatalogEntry(), [unit("key", "", "key")]).translation == Translation("key"))
  }

  @Test("what the catalog holds already is unchanged, whatever its state; only a new state is taken")
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

  @Test("an unknown key is held")
  func unknownKey() {
    #expect(review(CatalogEntry(), [unit("other", "", "x")]).verdicts == [.held(.unknownKey)])
  }

  @Test("a changed source holds all forms of the key; a missing one is held where nothing else tells")
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

  @Test("a source that was only numbered since is the same source")
  func numberedSource() {
    let entry = CatalogEntry(translations: ["en": Translation("%1$@ of %2$lld", state: .new)])
    #expect(review(entry, [unit("key", "", source: "%@ of %lld", "%2$lld von %1$@")]).verdicts == [.taken])
  }

  @Test("a source that stood otherwise at the export is a changed one")
  func pin() {
    let before = CatalogEntry(translations: ["en": Translation("old")])
    #expect(
      review(CatalogEntry(), [unit("key", "", "x")], record: record(of: before)).verdicts == [
        .held(.sourceChanged("key"))
      ])
  }

  @Test("texts that are not to be translated, and the source language, are held")
  func notForTranslation() {
    #expect(review(CatalogEntry(shouldTranslate: false), [unit("key", "", "x")]).verdicts == [.held(.doNotTranslate)])
    let units = [unit("key", "", "changed")]
    #expect(review(CatalogEntry(), units, language: "en").verdicts == [.held(.sourceLanguage)])
    #expect(review(CatalogEntry(), [unit("key", "", "key", state: "new")], language: "en").verdicts == [.unchanged])
  }

  @Test("files are matched by path, by a unique end of it, or not at all")
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
    #expect(verdict("App/Localizable.xcstrings", "fr") == ([.held(.unknownLanguage)], ["App/Localizable.xcstrings"], 1))
    #expect(
      verdict("App/Localizable.xcstrings", "../x") == ([.held(.unknownLanguage)], ["App/Localizable.xcstrings"], 1))
  }

  @Test("a language that the catalog has is known, however it is spelled")
  func legacyLanguage() {
    let entry = CatalogEntry(translations: ["zh_CN": Translation("x")])
    #expect(review(entry, [unit("key", "", "y")], language: "zh_CN").verdicts == [.taken])
    #expect(review(CatalogEntry(), [unit("key", "", "y")], language: "zh_CN").translation == nil)
    #expect(review(CatalogEntry(), [unit("key", "", "y")], language: "").verdicts == [.held(.unknownLanguage)])
  }

  @Test("a literal key that looks like a form is that key (apple_xcode27 literal-variation-suffix)")
  func literalKey() {
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog(["a|==|plural.one": CatalogEntry()])]
    let result = ImportReview(catalogs: catalogs).review([
      ExchangeFile(
        original: Self.file, sourceLanguage: "en", targetLanguage: "fr",
        units: [unit("a", "plural.one", source: "a|==|plural.one", "x")])
    ])
    #expect(result.outcomes.map(\.verdict) == [.taken])
    #expect(result.outcomes.map(\.unit.key) == ["a|==|plural.one"])
  }

  @Test("an id twice with one target counts once, with two targets it is held")
  func duplicates() {
    let same = review(CatalogEntry(), [unit("key", "", "x"), unit("key", "", "x")])
    #expect(same.verdicts == [.taken, .unchanged])
    let different = review(CatalogEntry(), [unit("key", "", "x"), unit("key", "", "y"), unit("key", "", "x")])
    #expect(different.verdicts == [.held(.duplicate), .held(.duplicate), .held(.duplicate)])
    #expect(different.translation == nil)
  }

  // MARK: Three-way

  @Test("a translation that changed in the repository since the export stays, and the vendor's is held")
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
    #expect(review(after, [unit("key", "", "theirs")]).verdicts == [.taken], "without a record the incoming one wins")
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

  // MARK: Forms

  static let birds = CatalogEntry(translations: ["en": plurals(["one": "%lld bird", "other": "%lld birds"])])

  private func birdUnits(_ forms: [String: String?]) -> [ExchangeUnit] {
    ["one", "few", "many", "other"].compactMap { category in
      forms[category].map {
        unit("key", "plural." + category, source: category == "one" ? "%lld bird" : "%lld birds", $0)
      }
    }
  }

  @Test("all forms of a plural are taken together")
  func plural() {
    let forms = ["one": "%lld птах", "few": "%lld птахи", "many": "%lld птахів", "other": "%lld птаха"]
    let result = review(Self.birds, birdUnits(forms), language: "uk")
    #expect(result.verdicts == [.taken, .taken, .taken, .taken])
    #expect(result.translation == plurals(forms))
  }

  @Test("half a plural is held, where Xcode would fill it with the source text")
  func halfPlural() {
    let result = review(
      Self.birds, birdUnits(["one": "%lld птах", "few": nil, "many": "%lld", "other": "%lld птаха"]), language: "uk")
    let missing = Verdict.held(.missingPluralCase(["plural.few"]))
    #expect(result.verdicts == [missing, .held(.noTarget), missing, missing])
    #expect(result.translation == nil)
  }

  @Test("a form that is held takes those that need it with it; one that the catalog has is enough")
  func heldForm() {
    let units = birdUnits(["one": "%lld птах", "few": "птахи", "many": "%lld птахів", "other": "%lld птаха"])
    let result = review(Self.birds, units, language: "uk")
    #expect(result.verdicts[1] == .held(.placeholdersDiffer("%lld is missing")))
    #expect(result.verdicts[0] == .held(.missingPluralCase(["plural.few"])))
    var entry = Self.birds
    entry.translations["uk"] = plurals(["one": "1", "few": "%lld", "many": "%lld", "other": "%lld"])
    let filled = review(entry, units, language: "uk")
    #expect(filled.verdicts.map { $0 == .taken } == [true, false, true, true])
    #expect(filled.translation?[path("plural.few")]?.texts == ["%lld"])
  }

  @Test(
    "broken marks are held in a round, and warned of where a person looks",
    arguments: [
      ("**Save** now", "**Sichern jetzt", "the markup ** has no counterpart"),
      ("^[%lld bird](inflect: true)", "^[%lld Vogel](inflect: wahr)", "the attributes (inflect: wahr) are invalid"),
    ])
  func marks(source: String, target: String, fault: String) {
    let units = [unit(UnitKey(source), "", target)]
    let files = [ExchangeFile(original: Self.file, sourceLanguage: "en", targetLanguage: "de", units: units)]
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog([UnitKey(source): CatalogEntry()])]
    let round = ImportReview(catalogs: catalogs).review(files)
    #expect(round.outcomes.map(\.verdict) == [.held(.markupBroken(fault))])
    let person = ImportReview(catalogs: catalogs, policy: .asXcode).review(files)
    #expect(person.outcomes.map(\.verdict) == [.taken])
    #expect(person.diagnostics.contains { $0.severity == .warning && $0.message.hasSuffix(fault) })
    // What the source text itself has, a lost mark, and marks where the source has none hold nothing.
    for (source, target) in [
      ("5 * *a", "5 * *b"), ("**a**", "a"), ("a", "**b"), ("a", "^[b](c)"), ("**a** b_c", "**b** c_d"),
    ] {
      let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog([UnitKey(source): CatalogEntry()])]
      let files = [
        ExchangeFile(
          original: Self.file, sourceLanguage: "en", targetLanguage: "de", units: [unit(UnitKey(source), "", target)])
      ]
      #expect(ImportReview(catalogs: catalogs).review(files).outcomes.map(\.verdict) == [.taken], "\(target)")
    }
  }

  @Test("forms for a text that did not vary make it vary (WWDC23 10155)")
  func overriding() {
    let entry = CatalogEntry(translations: ["en": Translation("%lld birds"), "de": Translation("%lld Vögel")])
    let units = [
      unit("key", "plural.one", source: "%lld birds", "ein Vogel"),
      unit("key", "plural.other", source: "%lld birds", "%lld Vögel"),
    ]
    let result = review(entry, units)
    #expect(result.verdicts == [.taken, .taken])
    #expect(result.translation == plurals(["one": "ein Vogel", "other": "%lld Vögel"]))
    #expect(review(entry, Array(units.prefix(1))).verdicts == [.held(.missingPluralCase(["plural.other"]))])
    let changed = CatalogEntry(translations: ["en": Translation("%lld birds"), "de": Translation("other")])
    #expect(
      review(changed, units, record: record(of: entry)).verdicts == [
        .held(.changedInRepository("other")), .held(.changedInRepository("other")),
      ])
  }

  @Test("a case that the language needs of a substitution of its own is taken, whatever Xcode says of its source")
  func neededCase() {
    let entry = CatalogEntry(translations: [
      "en": Translation("%lld total"),
      "uk": substituted("Разом %#@COUNT@", "COUNT", ["one": "%arg", "other": "%arg"]),
    ])
    let units = ExportShape.units(of: catalog(["key": entry]), for: "uk").map { unit in
      var unit = unit
      if unit.target == nil { unit.target = ExchangeTarget(.text("%1$lld"), state: "translated") }
      return unit
    }
    let result = review(entry, units, language: "uk")
    #expect(result.verdicts.filter { $0 == .taken }.count == 2)
    #expect(result.translation?[path("substitutions.COUNT.plural.few")]?.texts == ["%arg"])
  }

  @Test("a device's own text leaves the others what they had")
  func overridingDevice() {
    let entry = CatalogEntry(translations: ["en": Translation("Tap"), "de": Translation("Tippen")])
    let result = review(entry, [unit("key", "device.mac", source: "Tap", "Klicken")])
    #expect(result.verdicts == [.taken])
    #expect(result.translation == devices(["mac": "Klicken", "other": "Tippen"]))
  }

  @Test("devices that the source tells apart come together")
  func devicesTogether() {
    let entry = CatalogEntry(translations: ["en": devices(["mac": "click", "ipad": "tap"])])
    #expect(
      review(entry, [unit("key", "device.mac", source: "click", "x")]).verdicts == [
        .held(.missingForm(["device.ipad"]))
      ])
    let all = [unit("key", "device.mac", source: "click", "x"), unit("key", "device.ipad", source: "tap", "y")]
    #expect(review(entry, all).translation == devices(["mac": "x", "ipad": "y"]))
  }

  @Test(
    "a form that cannot be is held",
    arguments: [
      "plural.one.device.mac", "device.other.plural.one", "plural.=0", "device.toaster", "substitutions.x.plural.other",
    ])
  func impossible(place: String) {
    let source = place.hasPrefix("substitutions") ? "key|==|" + place : "key"
    let result = review(CatalogEntry(), [unit("key", place, source: source, "x")])
    #expect(result.translation == nil)
    #expect(result.verdicts.first.map { if case .held = $0 { true } else { false } } == true)
  }

  @Test("a text that varies does not become one that does not")
  func flattened() {
    var entry = Self.birds
    entry.translations["de"] = plurals(["one": "%lld Vogel", "other": "%lld Vögel"])
    let result = review(entry, [unit("key", "", source: "%lld birds", "%lld Vögel")])
    #expect(result.verdicts == [.held(.formDoesNotFit)])
  }

  // MARK: Substitutions

  static let substitution = CatalogEntry(
    translations: ["en": substituted("%#@COUNT@ in %@", "COUNT", ["one": "%arg item", "other": "%arg items"])])

  private var substitutionUnits: [ExchangeUnit] {
    [
      unit("key", "", source: "%1$#@COUNT@ in %@", "In %2$@: %1$#@COUNT@"),
      unit("key", "substitutions.COUNT.plural.one", source: "%1$lld item", "%1$lld Ding"),
      unit("key", "substitutions.COUNT.plural.other", source: "%1$lld items", "%1$lld Dinge"),
    ]
  }

  @Test(
    "a new substitution is made as the source has it, and normalised (apple_xcode27 catalog-matrix, new-target-substitution-loss)"
  )
  func newSubstitution() {
    let result = review(Self.substitution, substitutionUnits)
    #expect(result.verdicts == [.taken, .taken, .taken])
    #expect(
      result.translation == substituted("In %2$@: %#@COUNT@", "COUNT", ["one": "%arg Ding", "other": "%arg Dinge"]))
  }

  @Test("a substitution needs its text, and the text its substitution")
  func halfSubstitution() {
    let leaves = Array(substitutionUnits.dropFirst())
    #expect(review(Self.substitution, leaves).verdicts == [.held(.missingForm([""])), .held(.missingForm([""]))])
    let missing = ["substitutions.COUNT.plural.one", "substitutions.COUNT.plural.other"]
    #expect(review(Self.substitution, [substitutionUnits[0]]).verdicts == [.held(.missingForm(missing))])
  }

  @Test(
    "a new case of a substitution that only the translation has is taken (apple_xcode27 new-target-case-existing-context)"
  )
  func newCase() {
    let entry = CatalogEntry(translations: [
      "en": Translation("%lld total"),
      "fr": substituted("Total %#@COUNT@", "COUNT", ["one": "fr %arg single", "other": "fr %arg multiple"]),
    ])
    let units = ExportShape.units(of: catalog(["key": entry]), for: "fr")
    #expect(review(entry, units, language: "fr").verdicts == [.unchanged, .unchanged, .unchanged])
    let new = unit(
      "key", "substitutions.COUNT.plural.many", source: "key|==|substitutions.COUNT.plural.other", "fr %1$lld many")
    let own = unit(
      "key", "substitutions.COUNT.plural.many", source: "key|==|substitutions.COUNT.plural.many", "fr %1$lld many")
    #expect(review(entry, units + [own], language: "fr").verdicts.last == .held(.sourceIsID))
    let result = review(entry, units + [new], language: "fr")
    #expect(result.verdicts.last == .taken)
    #expect(result.translation?[path("substitutions.COUNT.plural.many")]?.texts == ["fr %arg many"])
    #expect(result.translation?.substitutions["COUNT"]?.argumentNumber == 1)
  }

  @Test("a text by device may name a substitution (apple_xcode27 device-root-substitution)")
  func deviceRoot() {
    var source = devices(["iphone": "%#@COUNT@ phone", "other": "%lld other"])
    source.substitutions = [
      "COUNT": Substitution(
        argumentNumber: 1, formatSpecifier: "lld", forms: pluralForms(["one": "%arg item", "other": "%arg items"]))
    ]
    let entry = CatalogEntry(translations: ["en": source])
    let result = review(
      entry,
      [
        unit("key", "device.iphone", source: "%1$#@COUNT@ phone", "DE %1$#@COUNT@ phone"),
        unit("key", "device.other", source: "%lld other", "DE %lld other"),
        unit("key", "substitutions.COUNT.plural.one", source: "%1$lld item", "DE %1$lld item"),
        unit("key", "substitutions.COUNT.plural.other", source: "%1$lld items", "DE %1$lld items"),
      ])
    #expect(result.verdicts == [.taken, .taken, .taken, .taken])
    #expect(result.translation?[path("device.iphone")]?.texts == ["DE %#@COUNT@ phone"])
    #expect(result.translation?[path("substitutions.COUNT.plural.one")]?.texts == ["DE %arg item"])
  }

  // MARK: Placeholders

  @Test("a translation with other arguments is held; one that reorders them is taken")
  func placeholders() {
    let entry = CatalogEntry(translations: ["en": Translation("%@ of %lld")])
    #expect(review(entry, [unit("key", "", source: "%@ of %lld", "%2$lld von %1$@")]).verdicts == [.taken])
    #expect(
      review(entry, [unit("key", "", source: "%@ of %lld", "%@ von %@")]).verdicts
        == [.held(.placeholdersDiffer("%@ formats argument 2, which is %lld"))])
  }

  @Test("phrases are taken as phrases")
  func phrases() {
    let entry = CatalogEntry(translations: [
      "en": Translation(leaf: VariedLeaf(.phrases(["a ${applicationName}"]), state: .new))
    ])
    let incoming = ExchangeUnit(
      key: "key", source: .phrases(["a ${applicationName}"]),
      target: ExchangeTarget(.phrases(["b ${applicationName}", "c ${applicationName}"]), state: "translated"))
    #expect(
      review(entry, [incoming]).translation
        == Translation(
          leaf: VariedLeaf(.phrases(["b ${applicationName}", "c ${applicationName}"]), state: .translated)))
  }
}
