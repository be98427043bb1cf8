import FoundationEssentials
package import Localization

/// A stored value that this version cannot read.
package enum LedgerValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A newer version of Dragoman wrote the value in a format that this version does not know.
  case newerFormat(Int)
  case damaged(String)

  package var description: String {
    switch self {
    case .newerFormat(let version): "a stored value has format \(version), which this version of Dragoman does not know"
    case .damaged(let detail): "a stored value is damaged: \(detail)"
    }
  }
}

/// The format in which the ledger stores translations and returned units: JSON with a format number, which people can read in `sqlite3` or
/// `psql`.
///
/// `{"text":{"plural":{"one":{"state":"translated","value":"…"}}},"v":1}` has the structure of a String Catalog. Unknown members are
/// ignored, so new optional members do not need a new format number. A change that an older version would misread needs a new format
/// number.
package enum LedgerCoding {
  /// The format number that this version writes.
  package static let format = 1

  package static func encode(_ translation: Translation) throws -> String {
    try json(StoredTranslation(v: format, text: StoredText(translation.text), substitutions: stored(translation)))
  }

  package static func decodeTranslation(_ text: String) throws(LedgerValueError) -> Translation {
    let stored = try decode(StoredTranslation.self, text)
    var substitutions: [String: Substitution] = [:]
    for (name, value) in stored.substitutions ?? [:] {
      substitutions[name] = Substitution(
        argumentNumber: value.argument, formatSpecifier: value.specifier, forms: try value.forms.varied(level: 0))
    }
    return Translation(text: try stored.text.varied(level: 0), substitutions: substitutions)
  }

  package static func encode(_ units: [ExchangeUnit]) throws -> String {
    try json(StoredUnits(v: format, units: units.map(StoredUnit.init)))
  }

  package static func decodeUnits(_ text: String) throws(LedgerValueError) -> [ExchangeUnit] {
    var units: [ExchangeUnit] = []
    for unit in try decode(StoredUnits.self, text).units { units.append(try unit.exchangeUnit()) }
    return units
  }

  private static func stored(_ translation: Translation) -> [String: StoredSubstitution]? {
    guard !translation.substitutions.isEmpty else { return nil }
    return translation.substitutions.mapValues {
      StoredSubstitution(argument: $0.argumentNumber, specifier: $0.formatSpecifier, forms: StoredText($0.forms))
    }
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws(LedgerValueError) -> Value {
    let data = Data(text.utf8)
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      // The format number is read only after an error: reading it first would decode every value twice.
      if let stamp = try? JSONDecoder().decode(FormatStamp.self, from: data), stamp.v > format {
        throw .newerFormat(stamp.v)
      }
      throw .damaged(String(describing: error))
    }
  }
}

private struct FormatStamp: Decodable { var v: Int }

extension KeyedDecodingContainer {
  /// Checks that the value has the format number of this version.
  /// - Throws: a decoding error if the number differs.
  fileprivate func checkFormat(forKey key: Key) throws {
    let format = try decode(Int.self, forKey: key)
    guard format == LedgerCoding.format else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "format \(format)")
    }
  }
}

private struct StoredTranslation: Codable {
  enum CodingKeys: String, CodingKey { case v, text, substitutions }
  var v: Int
  var text: StoredText
  var substitutions: [String: StoredSubstitution]?

  init(v: Int, text: StoredText, substitutions: [String: StoredSubstitution]?) {
    self.v = v
    self.text = text
    self.substitutions = substitutions
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkFormat(forKey: .v)
    v = LedgerCoding.format
    text = try container.decode(StoredText.self, forKey: .text)
    substitutions = try container.decodeIfPresent([String: StoredSubstitution].self, forKey: .substitutions)
  }
}

private struct StoredSubstitution: Codable {
  var argument: Int?
  var specifier: String?
  var forms: StoredText
}

/// A text or a list of phrases with its state, or the variations of a text by plural category or device.
private struct StoredText: Codable {
  var state: String?
  var value: String?
  var values: [String]?
  var plural: [String: StoredText]?
  var device: [String: StoredText]?

  /// The maximum nesting depth of variations. String Catalogs nest two levels; damaged values may nest without limit.
  private static let levels = 32

  init(_ text: VariedText) {
    switch text {
    case .text(let unit):
      state = unit.state.rawValue
      value = unit.value
    case .phrases(let set):
      state = set.state.rawValue
      values = set.values
    case .plural(let forms):
      plural = Dictionary(forms.map { ($0.key.rawValue, StoredText($0.value)) }) { first, _ in first }
    case .device(let forms):
      device = Dictionary(forms.map { ($0.key.rawValue, StoredText($0.value)) }) { first, _ in first }
    }
  }

  func varied(level: Int) throws(LedgerValueError) -> VariedText {
    guard level < Self.levels else { throw .damaged("forms are nested too deeply") }
    if let plural {
      var forms: [PluralCategory: VariedText] = [:]
      for (name, text) in plural { forms[PluralCategory(rawValue: name)] = try text.varied(level: level + 1) }
      return .plural(forms)
    }
    if let device {
      var forms: [Device: VariedText] = [:]
      for (name, text) in device { forms[Device(rawValue: name)] = try text.varied(level: level + 1) }
      return .device(forms)
    }
    guard let state else { throw .damaged("a text has neither state nor forms") }
    if let values { return .phrases(PhraseSet(state: TranslationState(rawValue: state), values: values)) }
    guard let value else { throw .damaged("a text has neither value nor forms") }
    return .text(StringUnit(state: TranslationState(rawValue: state), value: value))
  }
}

private struct StoredUnits: Codable {
  enum CodingKeys: String, CodingKey { case v, units }
  var v: Int
  var units: [StoredUnit]

  init(v: Int, units: [StoredUnit]) {
    self.v = v
    self.units = units
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkFormat(forKey: .v)
    v = LedgerCoding.format
    units = try container.decode([StoredUnit].self, forKey: .units)
  }
}

/// One form of a returned unit. Members with default values are omitted.
private struct StoredUnit: Codable {
  var key: String
  var path: [StoredStep]?
  var source: StoredWords?
  var target: StoredTarget?
  var note: String?
  var isNoteAutoGenerated: Bool?
  var isTranslatable: Bool?

  init(_ unit: ExchangeUnit) {
    key = unit.key.text
    path = unit.path.isRoot ? nil : unit.path.steps.map(StoredStep.init)
    source = unit.source.map(StoredWords.init)
    target = unit.target.map {
      StoredTarget(
        words: StoredWords($0.text), state: $0.state, stateQualifier: $0.stateQualifier, translator: $0.translator)
    }
    note = unit.note
    isNoteAutoGenerated = unit.isNoteAutoGenerated ? true : nil
    isTranslatable = unit.isTranslatable ? nil : false
  }

  func exchangeUnit() throws(LedgerValueError) -> ExchangeUnit {
    var steps: [VariationStep] = []
    for step in path ?? [] { steps.append(try step.step()) }
    var written: ExchangeTarget?
    if let target {
      written = ExchangeTarget(
        try target.words.exchangeText(), state: target.state, stateQualifier: target.stateQualifier,
        translator: target.translator)
    }
    return ExchangeUnit(
      key: UnitKey(key), path: VariationPath(steps), source: try source?.exchangeText(), target: written, note: note,
      isNoteAutoGenerated: isNoteAutoGenerated ?? false, isTranslatable: isTranslatable ?? true)
  }
}

private struct StoredStep: Codable {
  var plural: String?
  var device: String?
  var substitution: String?

  init(_ step: VariationStep) {
    switch step {
    case .plural(let category): plural = category.rawValue
    case .device(let name): device = name.rawValue
    case .substitution(let name): substitution = name
    }
  }

  func step() throws(LedgerValueError) -> VariationStep {
    if let plural { return .plural(PluralCategory(rawValue: plural)) }
    if let device { return .device(Device(rawValue: device)) }
    if let substitution { return .substitution(substitution) }
    throw .damaged("a variation has no name")
  }
}

/// One text, or the phrases of an App Shortcut.
private struct StoredWords: Codable {
  var text: String?
  var phrases: [String]?

  init(_ words: ExchangeText) {
    switch words {
    case .text(let value): text = value
    case .phrases(let values): phrases = values
    }
  }

  func exchangeText() throws(LedgerValueError) -> ExchangeText {
    if let phrases { return .phrases(phrases) }
    guard let text else { throw LedgerValueError.damaged("a returned text is missing") }
    return .text(text)
  }
}

private struct StoredTarget: Codable {
  var words: StoredWords
  var state: String?
  var stateQualifier: String?
  var translator: Translator?
}
