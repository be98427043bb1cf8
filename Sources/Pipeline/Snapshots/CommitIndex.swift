package import Localization

/// The units of a commit and their missing translations. An index is much smaller than the catalogs, and sufficient for planning rounds.
package struct CommitIndex: Sendable {
  package struct Unit: Sendable {
    package var unit: UnitID
    package var pin: PinDigest
    /// The languages without a finished translation, as ascending indexes into `languages`. A translation that needs review is not finished.
    package var missing: [Int]
  }

  package var languages: [LocaleIdentifier]
  /// The units, sorted by catalog and key. Stale and do-not-translate units are excluded.
  package var units: [Unit]
  /// The languages whose file could not be read, by catalog, as indexes into `languages`. Units in these languages are neither sent nor
  /// withdrawn.
  package var unread: [TreePath: Set<Int>] = [:]

  /// The smallest number of units that is worth a separate thread.
  private static let unitsOfThread = 1000

  package init(_ snapshot: Snapshot) {
    languages = snapshot.languages
    let place = Dictionary(uniqueKeysWithValues: languages.enumerated().map { ($1, $0) })
    units = []
    // Machine translations count as translated: otherwise, a machine translation vendor would receive them again in every round.
    let states = CompletionStates(of: languages, machineTranslatedCounts: true)
    for (path, catalog) in snapshot.synced.sorted(by: { $0.key < $1.key }) {
      let unread = Set(catalog.unread.keys.compactMap { place[$0] })
      if !unread.isEmpty { self.unread[path] = unread }
      // A catalog needs no translations into its own source language.
      let asked = languages.enumerated().filter { $0.element != catalog.sourceLanguage && !unread.contains($0.offset) }
      // Entries are large and expensive to move.
      let translatable = catalog.entries.lazy.filter { _, entry in
        entry.shouldTranslate && entry.extractionState != .stale
      }.map(\.key).sorted()
      let (entries, source, counted) = (catalog.entries, catalog.sourceLanguage, states)
      units += SharedWork.map(translatable.count, atLeast: Self.unitsOfThread) { range in
        translatable[range].compactMap { key in
          guard let entry = entries[key] else { return nil }
          let states = counted.of(entry.translations)
          return Unit(
            unit: UnitID(catalog: path, key: key),
            pin: PinDigest(SourcePin(key: key, entry: entry, sourceLanguage: source)),
            missing: asked.filter { states[$0.offset] != .translated }.map(\.offset))
        }
      }.joined()
    }
  }

  /// Returns the index in which the translations into these languages, by unit, also count as missing.
  func lacking(_ languages: [UnitID: Set<LocaleIdentifier>]) -> CommitIndex {
    guard !languages.isEmpty else { return self }
    var index = self
    for number in units.indices {
      guard let lacking = languages[units[number].unit] else { continue }
      let places = self.languages.indices.filter { lacking.contains(self.languages[$0]) }
      index.units[number].missing = Set(units[number].missing + places).sorted()
    }
    return index
  }
}
