import Localization
import Testing

/// Tests of returned units of texts with substitutions in translations that vary in another way than their source text.
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
}
