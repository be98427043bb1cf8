import Localization
import Testing

/// Tests of returned units whose source text or translation has substitutions, and whose translation varies in another way than the source text.
extension ImportReviewTests {
  @Test("the source text of our own export is accepted if the translation has only one of two substitutions")
  func oneOfTwoSubstitutions() {
    func two(_ text: String, numbers: (Int?, Int?)) -> Translation {
      var translation = substituted(text, "a", number: numbers.0, ["one": "%arg bird", "other": "%arg birds"])
      translation.substitutions["b"] = Substitution(
        argumentNumber: numbers.1, formatSpecifier: "lld",
        forms: pluralForms(["one": "%arg tree", "other": "%arg trees"]))
      return translation
    }
    for (source, target) in [
      (two("%#@a@ in %#@b@", numbers: (1, 2)), "%#@a@ in %2$lld"),
      (two("%#@a@ in %#@b@", numbers: (nil, nil)), "%#@a@ in %2$lld"),
      (two("%#@b@ with %#@a@", numbers: (1, 2)), "%2$lld mit %#@a@"),
    ] {
      let entry = CatalogEntry(translations: [
        "en": source,
        "de": substituted(target, "a", ["one": "%arg Vogel", "other": "%arg Vögel"]),
      ])
      let units = ExportShape.units(of: catalog(["key": entry]), for: "de").map { unit in
        var unit = unit
        if unit.path.isRoot, case .text(let text)? = unit.target?.text {
          unit.target = ExchangeTarget(.text("Neu: " + text), state: "translated")
        }
        return unit
      }
      let result = review(entry, units, policy: .asXcode)
      #expect(result.verdicts == [.taken, .unchanged, .unchanged], "\(units[0].source?.summary ?? "")")
      #expect(result.translation?[.root]?.texts == ["Neu: " + target])
    }
  }

  /// Returns an entry whose source text has a substitution, and which has this translation.
  private func ownForms(_ language: LocaleIdentifier, _ translation: Translation) -> CatalogEntry {
    CatalogEntry(translations: [
      "en": substituted("%#@n@ in all", "n", ["one": "%arg bird", "other": "%arg birds"]), language: translation,
    ])
  }

  @Test(
    "a missing plural form whose source text references a substitution gets the translation's text for other numbers")
  func missingFormOfReference() {
    let entry = ownForms("uk", plurals(["one": "%lld птах", "other": "%lld птаха"]))
    let units = [unit("key", "plural.few", source: "%#@n@ in all", "%lld птахи")]
    let result = review(entry, units, language: "uk", policy: .asXcode)
    #expect(result.verdicts == [.taken])
    var expected = plurals(["one": "%lld птах", "few": "%lld птахи", "many": "%lld птаха", "other": "%lld птаха"])
    expected.set(VariedLeaf(.text("%lld птаха"), state: .needsReview), at: path("plural.many"))
    #expect(result.translation == expected)
    #expect(result.translation?.substitutions.isEmpty == true)
    let table = catalog(["key": entry])
    let file = ExchangeFile(original: Self.file, sourceLanguage: "en", targetLanguage: "uk", units: units)
    let filled = ImportReview(catalogs: [table.path: table], policy: .asXcode).review([file]).filled
    #expect(filled.map(\.path) == [path("plural.many")] && filled.map(\.text) == [.otherForm])
  }

  @Test(
    "a substitution is added for the device whose text references it, but no plural form of another device references it"
  )
  func missingFormOfDevice() {
    var own = devices(["other": "%lld Vögel"])
    own.set(VariedLeaf(.text("%lld Vögel hier"), state: .translated), at: path("device.iphone.plural.other"))
    let units = [
      unit("key", "device.iphone.plural.other", source: "%#@n@ in all", "%lld neu"),
      unit("key", "device.other", source: "%1$#@n@ in all", "%1$#@n@ insgesamt"),
    ]
    let result = review(ownForms("de", own), units, policy: .asXcode)
    #expect(result.verdicts == [.taken, .taken])
    #expect(result.translation?[path("device.other")]?.texts == ["%#@n@ insgesamt"])
    #expect(
      result.translation?[path("device.iphone.plural.one")] == VariedLeaf(.text("%lld neu"), state: .needsReview))
    #expect(
      result.translation?[path("substitutions.n.plural.one")] == VariedLeaf(.text("%arg bird"), state: .new))
  }

  @Test("a returned plural form that references a substitution is held, unless the source text does the same")
  func referenceInPluralForm() {
    let entry = ownForms("de", plurals(["one": "%lld Vogel", "other": "%lld Vögel"]))
    let units = [unit("key", "plural.other", source: "%#@n@ in all", "%#@n@ insgesamt")]
    for policy in [ImportPolicy.asXcode, .unattended] {
      #expect(
        review(entry, units, policy: policy).verdicts
          == [.held(.placeholdersDiffer("%#@n@ cannot be used in a plural form; use %1$lld"))])
    }
    var source = plurals(["one": "%#@n@ all", "other": "%#@n@ in all"])
    source.substitutions["n"] = Substitution(
      argumentNumber: 1, formatSpecifier: "lld", forms: pluralForms(["one": "%arg bird", "other": "%arg birds"]))
    var translation = plurals(["one": "%#@n@", "other": "%#@n@"])
    translation.substitutions = source.substitutions
    let broken = CatalogEntry(translations: ["en": source, "de": translation])
    #expect(review(broken, units, policy: .asXcode).verdicts == [.taken])
  }
}
