/// The outcome of one incoming form.
package enum Verdict: Hashable, Sendable, Codable {
  /// The form was put into the catalog.
  case taken
  /// The catalog already had the form.
  case unchanged
  /// The form was not put into the catalog. The caller stores or reports it.
  case held(HoldReason)
}

/// The outcome of one incoming unit: one form of one text unit in one language. Every incoming unit has exactly one outcome.
package struct UnitOutcome: Hashable, Sendable, Codable {
  /// The id of the text unit. If the catalog is unknown, the id contains the path from the file, without invalid components.
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var path: VariationPath
  package var verdict: Verdict
  /// The source text in the returned file.
  package var source: ExchangeText?
  /// The returned target; `nil` if the unit has none.
  package var target: ExchangeTarget?
  /// Whether the unit's id has a notation that no export uses, as in `ExchangeUnit.hasForeignID`.
  package var hasForeignID: Bool

  package init(
    unit: UnitID, language: LocaleIdentifier, path: VariationPath, verdict: Verdict, source: ExchangeText? = nil,
    target: ExchangeTarget?, hasForeignID: Bool = false
  ) {
    self.unit = unit
    self.language = language
    self.path = path
    self.verdict = verdict
    self.source = source
    self.target = target
    self.hasForeignID = hasForeignID
  }

  /// The unit's id in the bundle.
  package var id: String {
    hasForeignID ? unit.key.text : ExchangeIdentifier.text(key: unit.key, path: path, in: unit.catalog.text)
  }

  package var holdReason: HoldReason? {
    if case .held(let reason) = verdict { reason } else { nil }
  }
}

/// A form that was added to complete a translation. It has the source text, usually in the state `new`, or the existing text that did not vary, as in
/// Xcode (xcode-formats.md D). If the form cannot show these texts, it has the text of another form (decision 14).
package struct FilledForm: Hashable, Sendable {
  /// The text that was added.
  package enum Text: Hashable, Sendable {
    case source
    /// The former translation, which did not vary.
    case former
    /// The text of another form of the translation.
    case otherForm
  }

  package var unit: UnitID
  package var language: LocaleIdentifier
  package var path: VariationPath
  package var text: Text
}

/// The result of an import before files are written.
package struct ReviewedImport: Sendable {
  /// The changed catalogs after the import.
  package var catalogs: [TreePath: Catalog]
  /// The outcome of each incoming unit, in the order of the units.
  package var outcomes: [UnitOutcome]
  package var filled: [FilledForm]
  package var diagnostics: [Diagnostic]

  package init(
    catalogs: [TreePath: Catalog] = [:], outcomes: [UnitOutcome] = [], filled: [FilledForm] = [],
    diagnostics: [Diagnostic] = []
  ) {
    self.catalogs = catalogs
    self.outcomes = outcomes
    self.filled = filled
    self.diagnostics = diagnostics
  }

  /// Adds the result of a later import, which was reviewed with the catalogs of this result.
  package mutating func add(_ next: ReviewedImport) {
    catalogs.merge(next.catalogs) { _, new in new }
    outcomes += next.outcomes
    filled += next.filled
    diagnostics += next.diagnostics
  }
}

/// The source pin and the translation of a text unit in one language at the time when the unit was sent.
package struct ExportRecord: Hashable, Sendable, Codable {
  package var pin: SourcePin
  /// The translation; `nil` if there was none.
  package var translation: Translation?

  package init(pin: SourcePin, translation: Translation?) {
    self.pin = pin
    self.translation = translation
  }
}

extension UnitOutcome {
  /// A message about the reason why the unit is held; `nil` if it is not held. If its `<source>` differs from the source text only in characters that
  /// look alike, the message names these characters.
  package var sentence: String? {
    guard let reason = holdReason else { return nil }
    guard case .sourceChanged(let text) = reason, let source,
      let difference = CharacterDifference.name(of: source.summary, from: text)
    else { return reason.sentence }
    return "\(reason.sentence) (\(difference))"
  }
}
