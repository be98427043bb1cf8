import Localization
import Testing

@testable import Pipeline

/// Matching of ids that look like a form of another key.
struct BundleMatcherKeyTests {
  private static let keys: [UnitKey] = ["a", "a|==|plural.one", "b", "b|==|plural.few"]
  private static let sources: [UnitKey: String] = ["a": "A", "a|==|plural.one": "AONE", "b|==|plural.few": "BFEW"]
  private static let birds = Translation(
    text: .plural([
      .one: .text(StringUnit(state: .translated, value: "%lld bird")),
      .other: .text(StringUnit(state: .translated, value: "%lld birds")),
    ]))

  /// The units of a bundle as they are read from XLIFF: an id that looks like a form is taken for one.
  private static let units: [ExchangeUnit] = [
    ("a", "A"), ("a|==|plural.one", "AONE"), ("b|==|plural.one", "%lld bird"), ("b|==|plural.other", "%lld birds"),
    ("b|==|plural.few", "BFEW"),
  ].map { id, source -> ExchangeUnit in
    let (key, path) = ExchangeIdentifier.parse(id)
    return ExchangeUnit(
      key: key, path: path, source: .text(source), target: ExchangeTarget(.text("de " + source), state: "translated"))
  }

  private static func record(_ key: UnitKey) -> SentUnitRecord {
    let forms = key == "b" ? birds : sources[key].map { Translation($0) }
    var entry = CatalogEntry()
    entry.translations["en"] = forms
    let number = Int64(keys.firstIndex(of: key) ?? -1)
    return SentUnitRecord(
      id: SentUnitID(rawValue: number), source: SourceID(rawValue: number),
      unit: UnitID(catalog: Made.catalog, key: key), state: .outstanding, forms: forms,
      export: ExportRecord(pin: SourcePin(key: key, entry: entry, sourceLanguage: "en"), translation: nil))
  }

  private static func returned(_ sent: [UnitKey]) -> [NewReturnedUnit] {
    var snapshot = Made.snapshot(Dictionary(uniqueKeysWithValues: keys.map { ($0, "") }), source: sources)
    snapshot.synced[Made.catalog]?.entries["b"]?.translations["en"] = birds
    let bundle = ReturnedBundle(
      reference: "de.xliff", digest: "d",
      files: [ExchangeFile(original: Made.catalog.text, sourceLanguage: "en", targetLanguage: "de", units: units)])
    let records = sent.filter { bundle.possibleKeys.contains($0) }.map { record($0) }
    return BundleMatcher(
      heads: [Made.head("main", snapshot)], sentUnits: ["de": records], renames: [:], returns: [], vendor: "v",
      policy: Made.policy
    ).read(bundle).returnedUnits
  }

  @Test(
    "a key that looks like a form of another key is returned for itself, whether it was sent or not",
    arguments: [keys, [], ["a", "b"], ["a|==|plural.one", "b|==|plural.few"]] as [[UnitKey]])
  func keysLikeForms(sent: [UnitKey]) {
    let returned = Self.returned(sent)
    #expect(returned.map(\.unit.key) == Self.keys)
    #expect(returned.map(\.sentUnit) == Self.keys.map { sent.contains($0) ? Self.record($0).id : nil })
    #expect(
      returned.map { $0.units.map(\.source) } == [
        [.text("A")], [.text("AONE")], [.text("%lld bird"), .text("%lld birds")], [.text("BFEW")],
      ])
  }
}
