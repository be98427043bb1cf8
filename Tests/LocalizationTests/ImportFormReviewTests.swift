import Localization
import Testing

/// Tests of forms, substitutions and placeholders in returned units.
extension ImportReviewTests {
  // MARK: Forms

  static let birds = CatalogEntry(translations: ["en": plurals(["one": "%lld bird", "other": "%lld birds"])])

  func birdUnits(_ forms: [String: String?]) -> [ExchangeUnit] {
    ["one", "few", "many", "other"].compactMap { category in
      forms[category].map {
        unit("key", "plural." + category, source: category == "one" ? "%lld bird" : "%lld birds", $0)
      }
    }
  }

  @Test("all forms of a plural are accepted together")
  func plural() {
    let forms = ["one": "%lld птах", "few": "%lld птахи", "many": "%lld птахів", "other": "%lld птаха"]
    let result = review(Self.birds, birdUnits(forms), language: "uk")
    #expect(result.verdicts == [.taken, .taken, .taken, .taken])
    #expect(result.translation == plurals(forms))
  }

  @Test("plural forms of a text without a number are held, because Xcode does not compile them")
  func pluralWithoutNumber() {
    let held = Verdict.held(.pluralWithoutNumber)
    func units(_ one: String, _ other: String, source: String = "key") -> [ExchangeUnit] {
      [unit("key", "plural.one", source: source, one), unit("key", "plural.other", source: source, other)]
    }
    let plain = CatalogEntry()
    let numbered = CatalogEntry(translations: ["en": Translation("%lld birds")])
    for policy in [ImportPolicy.asXcode, .unattended] {
      #expect(review(plain, units("Vogel", "Vögel"), policy: policy).verdicts == [held, held])
      let taken = review(numbered, units("Ein Vogel", "%lld Vögel", source: "%lld birds"), policy: policy)
      #expect(taken.verdicts == [.taken, .taken])
    }
    // The catalog or the source text already has plural forms.
    let present = CatalogEntry(translations: ["de": plurals(["one": "Weg", "other": "Wege"])])
    #expect(review(present, units("Vogel", "Vögel"), policy: .asXcode).verdicts == [.taken, .taken])
    let birds = CatalogEntry(translations: ["en": plurals(["one": "bird", "other": "birds"])])
    let varied = [
      unit("key", "plural.one", source: "bird", "Vogel"), unit("key", "plural.other", source: "birds", "Vögel"),
    ]
    #expect(review(birds, varied).verdicts == [.taken, .taken])
  }

  @Test("forms of a source text that formerly had substitutions replace the translation with substitutions")
  func formerSubstitutions() {
    var entry = Self.birds
    entry.translations["uk"] = substituted("Разом %#@n@", "n", ["one": "%arg птах", "other": "%arg птаха"])
    let forms = ["one": "%lld птах", "few": "%lld птахи", "many": "%lld птахів", "other": "%lld птаха"]
    let result = review(entry, birdUnits(forms), language: "uk")
    #expect(result.verdicts == [.taken, .taken, .taken, .taken])
    #expect(result.translation == plurals(forms))
  }

  @Test("an incomplete plural is held if Xcode would fill it with the source text")
  func halfPlural() {
    let result = review(
      Self.birds, birdUnits(["one": "%lld птах", "few": nil, "many": "%lld", "other": "%lld птаха"]), language: "uk")
    let missing = Verdict.held(.missingPluralCase(["plural.few"]))
    #expect(result.verdicts == [missing, .held(.noTarget), missing, missing])
    #expect(result.translation == nil)
  }

  @Test("forms that need a held form are held; in a round, even if the catalog has a former one")
  func heldForm() {
    let units = birdUnits(["one": "%lld птах", "few": "птахи", "many": "%lld птахів", "other": "%lld птаха"])
    let result = review(Self.birds, units, language: "uk")
    #expect(result.verdicts[1] == .held(.placeholdersDiffer("%lld is missing")))
    #expect(result.verdicts[0] == .held(.missingPluralCase(["plural.few"])))
    var entry = Self.birds
    entry.translations["uk"] = plurals(["one": "1", "few": "%lld", "many": "%lld", "other": "%lld"])
    let round = review(entry, units, language: "uk")
    #expect(round.verdicts == units.map { _ in .held(.placeholdersDiffer("%lld is missing")) })
    #expect(round.translation == entry.translations["uk"])
    let filled = review(entry, units, language: "uk", policy: .asXcode)
    #expect(filled.verdicts.map { $0 == .taken } == [true, false, true, true])
    #expect(filled.translation?[path("plural.few")]?.texts == ["%lld"])
  }

  @Test(
    "broken markup is held in a round, and is only a warning if a person reviews the import",
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
    // Marks from the source text, lost marks, and marks that the source lacks do not cause a text to be held.
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

  @Test("a text without variations gets the returned forms (WWDC23 10155)")
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

  @Test("a substitution's plural form that the language needs is accepted, even if Xcode exports no source for it")
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

  @Test("a text for one device does not change the other devices' texts")
  func overridingDevice() {
    let entry = CatalogEntry(translations: ["en": Translation("Tap"), "de": Translation("Tippen")])
    let result = review(entry, [unit("key", "device.mac", source: "Tap", "Klicken")])
    #expect(result.verdicts == [.taken])
    #expect(result.translation == devices(["mac": "Klicken", "other": "Tippen"]))
  }

  @Test("all devices that the source distinguishes are required")
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
    "a form with an invalid path is held",
    arguments: [
      "plural.one.device.mac", "device.other.plural.one", "plural.=0", "device.toaster", "substitutions.x.plural.other",
    ])
  func impossible(place: String) {
    let source = place.hasPrefix("substitutions") ? "key|==|" + place : "key"
    let result = review(CatalogEntry(), [unit("key", place, source: source, "x")])
    #expect(result.translation == nil)
    #expect(result.verdicts.first.map { if case .held = $0 { true } else { false } } == true)
  }

  @Test("a plain text that would replace a varied text is refused")
  func flattened() {
    var entry = Self.birds
    entry.translations["de"] = plurals(["one": "%lld Vogel", "other": "%lld Vögel"])
    let result = review(entry, [unit("key", "", source: "%lld birds", "%lld Vögel")])
    #expect(result.verdicts == [.held(.formDoesNotFit)])
  }

  // MARK: Substitutions

  static let substitution = CatalogEntry(
    translations: ["en": substituted("%#@COUNT@ in %@", "COUNT", ["one": "%arg item", "other": "%arg items"])])

  var substitutionUnits: [ExchangeUnit] {
    [
      unit("key", "", source: "%1$#@COUNT@ in %@", "In %2$@: %1$#@COUNT@"),
      unit("key", "substitutions.COUNT.plural.one", source: "%1$lld item", "%1$lld Ding"),
      unit("key", "substitutions.COUNT.plural.other", source: "%1$lld items", "%1$lld Dinge"),
    ]
  }

  @Test(
    "a new substitution is created like the source's, normalised (apple_xcode27 catalog-matrix, new-target-substitution-loss)"
  )
  func newSubstitution() {
    let result = review(Self.substitution, substitutionUnits)
    #expect(result.verdicts == [.taken, .taken, .taken])
    #expect(
      result.translation == substituted("In %2$@: %#@COUNT@", "COUNT", ["one": "%arg Ding", "other": "%arg Dinge"]))
  }

  @Test("a substitution without its text and a text without its substitution are held")
  func halfSubstitution() {
    let leaves = Array(substitutionUnits.dropFirst())
    #expect(review(Self.substitution, leaves).verdicts == [.held(.missingForm([""])), .held(.missingForm([""]))])
    let missing = ["substitutions.COUNT.plural.one", "substitutions.COUNT.plural.other"]
    #expect(review(Self.substitution, [substitutionUnits[0]]).verdicts == [.held(.missingForm(missing))])
  }

  @Test(
    "a new form of a substitution that only the translation has is accepted (apple_xcode27 new-target-case-existing-context)"
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

  @Test("a text by device may reference a substitution (apple_xcode27 device-root-substitution)")
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

  @Test("a translation with different arguments is held, and one with reordered arguments is accepted")
  func placeholders() {
    let entry = CatalogEntry(translations: ["en": Translation("%@ of %lld")])
    #expect(review(entry, [unit("key", "", source: "%@ of %lld", "%2$lld von %1$@")]).verdicts == [.taken])
    #expect(
      review(entry, [unit("key", "", source: "%@ of %lld", "%@ von %@")]).verdicts
        == [.held(.placeholdersUnsafe("%@ formats argument 2, which is %lld"))])
  }

  @Test("phrases of a shortcut are imported as phrases")
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
