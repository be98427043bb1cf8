import Localization

/// The output of `import`: the JSON of `--format json`, and the lines of text.
///
/// A large bundle has many thousands of units, and the text shows only a few of them. The description of a unit is therefore created on demand.
struct ImportReport: Encodable {
  struct Unit: Encodable {
    let catalog, key, id, language, verdict: String
    let reason: String?
    /// The name of the reason, as in `--take reason=`.
    let code: String?
    /// Xcode's treatment of a unit that we hold for this reason; `nil` if the unit is not held.
    let xcode: String?
    /// Whether Xcode would import the held unit.
    var differs = false

    private enum CodingKeys: String, CodingKey { case catalog, key, id, language, verdict, reason, code, xcode }
  }

  struct Form: Encodable {
    let catalog, id, language: String
    /// The reason why the form was not taken from the bundle, and the text that users of the app see instead.
    let explanation: String

    private enum CodingKeys: String, CodingKey { case catalog, id, language }
  }

  struct Absence: Encodable {
    let catalog, language: String
    let keys: [String]
  }

  struct Remark: Encodable {
    let path: String
    let line, column: Int?
    let severity, message: String
  }

  private(set) var taken = 0, unchanged = 0, untranslated = 0, skipped = 0, held = 0
  /// The files that were written, or would be written.
  let files: [String]
  /// Forms that were not taken from the bundle, although other forms of the same text were. The catalog now has these forms with the source text as
  /// `new`, with the former text for all numbers, or with the translation for other numbers.
  let filled: [Form]
  /// Keys of the catalogs for which the bundle has no unit: Xcode's “Key not found in the XLIFF”. Empty unless they were requested.
  let absent: [Absence]
  let diagnostics: [Remark]
  private let outcomes: [UnitOutcome]

  /// Creates the report of an import.
  /// - Parameter namesAbsent: whether to list the keys without a unit.
  init(
    _ review: ReviewedImport, of catalogs: [TreePath: Catalog], files: [TreePath], diagnostics: [Diagnostic],
    namesAbsent: Bool
  ) {
    outcomes = review.outcomes
    self.files = files.map(\.text)
    filled = Self.forms(review)
    absent = namesAbsent ? Self.absent(review.outcomes, catalogs) : []
    self.diagnostics = diagnostics.map {
      Remark(path: $0.path, line: $0.line, column: $0.column, severity: $0.severity.rawValue, message: $0.message)
    }
    for outcome in outcomes {
      switch outcome.verdict {
      case .taken: taken += 1
      case .unchanged: unchanged += 1
      case .held(.noTarget): untranslated += 1
      case .held(.skipped): skipped += 1
      case .held: held += 1
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case taken, unchanged, untranslated, skipped, held, files, units, filled, absent, diagnostics
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(taken, forKey: .taken)
    try container.encode(unchanged, forKey: .unchanged)
    try container.encode(untranslated, forKey: .untranslated)
    try container.encode(skipped, forKey: .skipped)
    try container.encode(held, forKey: .held)
    try container.encode(files, forKey: .files)
    try container.encode(outcomes.map(Self.unit), forKey: .units)
    try container.encode(filled, forKey: .filled)
    try container.encode(absent, forKey: .absent)
    try container.encode(diagnostics, forKey: .diagnostics)
  }

  private static func verdict(_ outcome: UnitOutcome) -> String {
    switch outcome.verdict {
    case .taken: "taken"
    case .unchanged: "unchanged"
    // A unit without a target contains no translation. Xcode treats it the same way (xcode-formats.md D).
    case .held(.noTarget): "untranslated"
    case .held(.skipped): "skipped"
    case .held: "held"
    }
  }

  private static func unit(_ outcome: UnitOutcome) -> Unit {
    Unit(
      catalog: outcome.unit.catalog.text, key: outcome.unit.key.text,
      id: outcome.id,
      language: outcome.language.rawValue,
      verdict: verdict(outcome), reason: reason(outcome), code: outcome.holdReason?.code,
      xcode: outcome.holdReason?.inXcode(at: outcome.path),
      differs: outcome.holdReason?.isTakenByXcode ?? false)
  }

  /// Returns the hold reason as a sentence. The usual sentence for an unknown language mentions a pipeline, but an import has no pipeline.
  private static func reason(_ outcome: UnitOutcome) -> String? {
    guard case .held(.unknownLanguage) = outcome.verdict else { return outcome.sentence }
    return outcome.language.rawValue.isEmpty
      ? "its file has no target-language" : "the target-language of its file is not a valid language"
  }

  private static func absent(_ outcomes: [UnitOutcome], _ catalogs: [TreePath: Catalog]) -> [Absence] {
    struct Part: Hashable {
      var catalog: TreePath
      var language: LocaleIdentifier
    }
    var came: [Part: Set<UnitKey>] = [:]
    for outcome in outcomes where !isRefused(outcome) {
      came[Part(catalog: outcome.unit.catalog, language: outcome.language), default: []].insert(outcome.unit.key)
    }
    return came.sorted { ($0.key.catalog, $0.key.language) < ($1.key.catalog, $1.key.language) }.compactMap {
      part, keys in
      guard let catalog = catalogs[part.catalog] else { return nil }
      let absent = catalog.entries.keys.filter { !keys.contains($0) }.sorted()
      guard !absent.isEmpty else { return nil }
      return Absence(catalog: part.catalog.text, language: part.language.rawValue, keys: absent.map(\.text))
    }
  }

  /// Returns whether the whole language of the outcome was refused. In that case, no keys are reported as absent, because there may be any number of
  /// such languages.
  private static func isRefused(_ outcome: UnitOutcome) -> Bool {
    switch outcome.verdict {
    case .held(.unknownLanguage), .held(.otherVariant), .held(.notWritable): true
    default: false
    }
  }

  /// Returns a line for each unit that is taken or held, and for each added form. If `isVerbose`, each other unit and each key without a unit also
  /// has a line.
  func lines(isVerbose: Bool) -> [String] {
    var lines = SharedWork.map(outcomes.count, atLeast: 2000) { range in
      outcomes[range].compactMap { Self.line($0, isVerbose: isVerbose) }
    }.flatMap(\.self)
    lines += filled.map {
      "\($0.catalog): \($0.language): filled: \($0.id.debugDescription): \($0.explanation)"
    }
    guard isVerbose else { return lines }
    return lines
      + absent.flatMap { part in
        part.keys.map { "\(part.catalog): \(part.language): absent: \($0.debugDescription)" }
      }
  }

  private static func line(_ outcome: UnitOutcome, isVerbose: Bool) -> String? {
    let verdict = verdict(outcome)
    guard isVerbose || verdict == "taken" || verdict == "held" else { return nil }
    let line = "\(outcome.unit.catalog): \(outcome.language): \(verdict): \(quoted(outcome.id))"
    guard case .held(let reason) = outcome.verdict else { return line }
    let words = Self.reason(outcome).map { ": " + $0.replacing("\n", with: "\\n") } ?? ""
    let code = verdict == "held" ? " [\(reason.code)]" : ""
    let xcode = reason.isTakenByXcode || isVerbose ? " (\(reason.inXcode(at: outcome.path)))" : ""
    return line + words + code + xcode
  }

  /// Quotes a text like `debugDescription`, which is slow even for a text without characters to escape.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    return isPlain ? "\"" + text + "\"" : text.debugDescription
  }
}
