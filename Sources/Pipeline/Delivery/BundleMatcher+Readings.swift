import Localization

/// Ids with several meanings: `a|==|plural.one` is a form of the key `a`, or a key (`ExchangeIdentifier.readings`). A reader of XLIFF files takes it
/// for a form.
extension BundleMatcher {
  /// Returns the file with another reading of a unit's id if only this reading was sent with the unit's source text.
  func withSentReadings(_ file: ExchangeFile) -> ExchangeFile {
    guard let path = TreePath(checking: file.original), path.holdsAllLanguages,
      file.units.contains(where: { !$0.path.isRoot })
    else { return file }
    let records = sentUnits[file.targetLanguage] ?? []
    let own = records.filter { $0.sentCatalog == path || $0.unit.catalog == path }
    let sent = Dictionary(grouping: own.isEmpty ? records : own, by: \.unit.key)
    var file = file
    for (index, unit) in file.units.enumerated() {
      guard !unit.path.isRoot, let source = unit.source else { continue }
      let readings = unit.readings.filter { sent[$0.key] != nil }
      guard readings.contains(where: { $0.key != unit.key }) else { continue }
      let matching = readings.first { key, path in
        wasSent(sent[key] ?? [], path, source, language: file.targetLanguage)
      }
      guard let matching else { continue }
      file.units[index].key = matching.key
      file.units[index].path = matching.path
    }
    return file
  }

  /// Returns a unit with the reading of its id that a branch's review found, unless a unit of its key was sent with this form and source text.
  func withReading(of outcome: UnitOutcome?, _ unit: ExchangeUnit, language: LocaleIdentifier) -> ExchangeUnit {
    guard !unit.path.isRoot, let outcome, outcome.unit.key != unit.key,
      unit.readings.contains(where: { $0.key == outcome.unit.key && $0.path == outcome.path })
    else { return unit }
    let records = (sentUnits[language] ?? []).filter { $0.unit.key == unit.key }
    if let source = unit.source, wasSent(records, unit.path, source, language: language) { return unit }
    var unit = unit
    unit.key = outcome.unit.key
    unit.path = outcome.path
    return unit
  }

  /// Returns whether one of the units was sent with this form and source text.
  private func wasSent(
    _ records: [SentUnitRecord], _ path: VariationPath, _ source: ExchangeText, language: LocaleIdentifier
  ) -> Bool {
    records.contains { commonForms(of: $0, [(path, source)], language: language) == 1 }
  }
}

extension ExchangeUnit {
  fileprivate var readings: [(key: UnitKey, path: VariationPath)] {
    ExchangeIdentifier.readings(of: ExchangeIdentifier.text(key: key, path: path))
  }
}

extension ReturnedBundle {
  /// The keys of all readings of the units' ids.
  var possibleKeys: Set<UnitKey> {
    var keys: Set<UnitKey> = []
    for unit in files.lazy.flatMap(\.units) {
      keys.insert(unit.key)
      if !unit.path.isRoot { keys.formUnion(unit.readings.map(\.key)) }
    }
    return keys
  }
}
