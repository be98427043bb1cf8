import Localization

extension ImportReport {
  /// Returns the forms that an import added to complete translations, each with the reason why the bundle's form was missing or not used.
  static func forms(_ review: ReviewedImport) -> [Form] {
    guard !review.filled.isEmpty else { return [] }
    struct Place: Hashable {
      var unit: UnitID
      var language: LocaleIdentifier
      var path: VariationPath
    }
    var held: [Place: HoldReason] = [:]
    for outcome in review.outcomes {
      guard let reason = outcome.holdReason else { continue }
      held[Place(unit: outcome.unit, language: outcome.language, path: outcome.path)] = reason
    }
    return review.filled.map { form in
      let reason =
        switch held[Place(unit: form.unit, language: form.language, path: form.path)] {
        case nil: "missing in the bundle"
        case .noTarget: "without a translation in the bundle"
        case .skipped: "skipped on request"
        case .some: "its translation is held"
        }
      let shown =
        switch form.text {
        case .source: "the source text"
        case .former: "the former text for all numbers"
        case .otherForm: "the translation for other numbers"
        }
      return Form(
        catalog: form.unit.catalog.text,
        id: ExchangeIdentifier.text(key: form.unit.key, path: form.path, in: form.unit.catalog.text),
        language: form.language.rawValue, explanation: "\(reason); people see \(shown) until it is translated")
    }
  }
}
