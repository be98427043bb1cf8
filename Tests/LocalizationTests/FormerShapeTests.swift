import Localization
import Testing

/// Source texts whose forms change after they were translated.
struct FormerShapeTests {
  enum Form: String, CaseIterable, CustomTestStringConvertible {
    case plain, plural, device, devicePlural, substitution

    var testDescription: String { rawValue }

    /// Returns a translation with these forms, in which every text ends with the word.
    func translation(_ word: String) -> Translation {
      let birds = ["one": "%lld bird \(word)", "other": "%lld birds \(word)"]
      return switch self {
      case .plain: Translation("Birds \(word)")
      case .plural: plurals(birds)
      case .device: devices(["iphone": "Tap \(word)", "mac": "Click \(word)", "other": "Press \(word)"])
      case .devicePlural:
        Translation(
          text: .device([
            Device(rawValue: "iphone"): pluralForms(birds),
            .other: .text(StringUnit(state: .translated, value: "%lld birds elsewhere \(word)")),
          ]))
      case .substitution:
        substituted("%#@n@ here \(word)", "n", ["one": "%arg egg \(word)", "other": "%arg eggs \(word)"])
      }
    }
  }

  static let changes = Form.allCases.flatMap { former in
    Form.allCases.filter { $0 != former }.map { (former, $0) }
  }

  private func entry(_ former: Form, _ form: Form) -> CatalogEntry {
    CatalogEntry(translations: ["en": form.translation("new"), "de": former.translation("alt")])
  }

  /// Returns a translator's answer to the units of a round, which have the forms of the source text.
  private func answer(_ form: Form) -> [ExchangeUnit] {
    let sent = CatalogEntry(translations: ["en": form.translation("new")])
    return ExportShape.units(of: catalog(["key": sent]), for: "de").map { unit in
      var unit = unit
      if case .text(let text)? = unit.source {
        unit.target = ExchangeTarget(.text(text.replacing("new", with: "neu")), state: "translated")
      }
      return unit
    }
  }

  /// Reviews an answer.
  /// - Parameter export: the translation at the time when the unit was sent; `nil` for the catalog's translation.
  private func review(
    _ entry: CatalogEntry, _ units: [ExchangeUnit], export: Translation? = nil
  ) -> (verdicts: [Verdict], translation: Translation?) {
    let record = ExportRecord(
      pin: SourcePin(key: "key", entry: entry, sourceLanguage: "en"), translation: export ?? entry.translations["de"])
    let before = catalog(["key": entry])
    let result = ImportReview(catalogs: [before.path: before], exported: { _, _ in record }).review([
      ExchangeFile(original: before.path.text, sourceLanguage: "en", targetLanguage: "de", units: units)
    ])
    let after = result.catalogs[before.path] ?? before
    return (result.outcomes.map(\.verdict), after.entries["key"]?.translations["de"])
  }

  @Test("an answer replaces the former translation as a whole", arguments: changes)
  func replaced(former: Form, form: Form) {
    let result = review(entry(former, form), answer(form))
    #expect(result.verdicts.allSatisfy { $0 == .taken })
    #expect(result.translation == form.translation("neu"))
  }

  @Test("an answer is held as a whole if one form is held", arguments: changes)
  func heldForm(former: Form, form: Form) {
    let before = entry(former, form)
    for index in answer(form).indices {
      var units = answer(form)
      units[index].target = ExchangeTarget(.text("%s"), state: "translated")
      let result = review(before, units)
      #expect(result.verdicts.allSatisfy { if case .held = $0 { true } else { false } })
      #expect(result.translation == before.translations["de"])
    }
  }

  @Test("an answer that lacks a form does not change the former translation", arguments: changes)
  func missingForm(former: Form, form: Form) {
    let before = entry(former, form)
    for index in answer(form).indices {
      var units = answer(form)
      units[index].target = nil
      #expect(review(before, units).translation == before.translations["de"])
      units.remove(at: index)
      #expect(review(before, units).translation == before.translations["de"])
    }
  }

  @Test("a former translation that a person changed since the export is kept", arguments: changes)
  func changedInRepository(former: Form, form: Form) {
    let before = entry(former, form)
    let reason = HoldReason.changedInRepository(former.translation("alt").summary)
    let result = review(before, answer(form), export: former.translation("older"))
    #expect(result.verdicts.allSatisfy { $0 == .held(reason) })
    #expect(result.translation == before.translations["de"])
    let reviewed = review(before, answer(form), export: former.translation("alt").inState(.needsReview))
    #expect(reviewed.translation == form.translation("neu"), "a different state does not count as a change")
  }

  @Test("a translation keeps its own forms if its source text can have them")
  func keptShape() {
    func isKept(_ source: Translation, _ translation: Translation) -> Bool {
      let entry = CatalogEntry(translations: ["en": source])
      let forms = SourceForms(key: "key", entry: entry, sourceLanguage: "en")
      return SourceShape(forms, from: "en", for: "de").isKept(by: translation)
    }
    let birds = Form.plural.translation("alt")
    #expect(isKept(Translation("%lld birds"), birds))
    #expect(!isKept(Translation("Birds"), birds))
    #expect(isKept(Translation("Tap"), Form.device.translation("alt")))
    #expect(isKept(devices(["iphone": "Tap", "other": "Press"]), Form.device.translation("alt")))
    #expect(!isKept(Form.device.translation("new"), devices(["iphone": "Tippen", "other": "Drücken"])))
    #expect(!isKept(Translation("%lld eggs here"), Form.substitution.translation("alt")))
    for (former, form) in Self.changes where form != .plain {
      #expect(!isKept(form.translation("new"), former.translation("alt")), "\(former) \(form)")
    }
    for form in Form.allCases { #expect(isKept(form.translation("new"), form.translation("alt")), "\(form)") }
  }

  @Test("an answer in the forms of the source text also replaces a translation with different forms")
  func ownForms() {
    let device = entry(.device, .plain)
    #expect(review(device, answer(.plain)).translation == Form.plain.translation("neu"))
    // The units have the forms of the translation.
    let units = ExportShape.units(of: catalog(["key": device]), for: "de").map { unit in
      var unit = unit
      unit.target = ExchangeTarget(.text("\(unit.path) neu"), state: "translated")
      return unit
    }
    #expect(
      review(device, units).translation
        == devices(["iphone": "device.iphone neu", "mac": "device.mac neu", "other": "device.other neu"]))
  }
}
