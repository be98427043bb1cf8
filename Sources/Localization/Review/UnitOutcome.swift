/// How one incoming form ended.
package enum Verdict: Hashable, Sendable, Codable {
  /// It is in the catalog now.
  case taken
  /// The catalog held the same already.
  case unchanged
  /// It is not in the catalog; the caller keeps it.
  case held(HoldReason)
}

/// What became of one incoming unit: one form of one text unit in one language. Each incoming unit has exactly one.
package struct UnitOutcome: Hashable, Sendable, Codable {
  /// For a file whose catalog is unknown, the catalog's path as far as it can be one.
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var path: VariationPath
  package var verdict: Verdict
  /// The source text that came with it.
  package var source: ExchangeText?
  /// What came.
  package var target: ExchangeTarget?

  package init(
    unit: UnitID, language: LocaleIdentifier, path: VariationPath, verdict: Verdict, source: ExchangeText? = nil,
    target: ExchangeTarget?
  ) {
    self.unit = unit
    self.language = language
    self.path = path
    self.verdict = verdict
    self.source = source
    self.target = target
  }

  package var holdReason: HoldReason? {
    if case .held(let reason) = verdict { reason } else { nil }
  }
}

/// A form that is in the catalog only to make a translation whole, with the source text and the state `new`, as Xcode
/// fills it (xcode-formats.md D).
package struct FilledForm: Hashable, Sendable {
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var path: VariationPath
}

/// What an import would do.
package struct ReviewedImport: Sendable {
  /// The catalogs that change, as they are after the import, and no others.
  package var catalogs: [TreePath: Catalog]
  /// One for each incoming unit, in the order in which they came.
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

  /// Adds what came after, reviewed against the catalogs as this left them.
  package mutating func add(_ next: ReviewedImport) {
    catalogs.merge(next.catalogs) { _, new in new }
    outcomes += next.outcomes
    filled += next.filled
    diagnostics += next.diagnostics
  }
}

/// What stood in the catalog when a text unit was sent, for one language.
package struct ExportRecord: Hashable, Sendable, Codable {
  package var pin: SourcePin
  /// `nil`: there was no translation.
  package var translation: Translation?

  package init(pin: SourcePin, translation: Translation?) {
    self.pin = pin
    self.translation = translation
  }
}
