package import Localization

/// The units of a commit and what is left to translate of each: small beside the catalogs, and all that deciding what to send takes.
package struct CommitIndex: Sendable {
  package struct Unit: Sendable {
    package var unit: UnitID
    package var pin: PinDigest
    /// The languages that are known to lack a translation, as places in `languages`, ascending.
    package var missing: [Int]
  }

  package var languages: [LocaleIdentifier]
  /// By catalog and key. Stale and do-not-translate units are no part of it.
  package var units: [Unit]
  /// The languages of which a catalog's file cannot be read, as places in `languages`: nothing is sent for them, nor called off.
  package var unread: [TreePath: Set<Int>] = [:]

  package init(_ snapshot: Snapshot) {
    languages = snapshot.languages
    let place = Dictionary(uniqueKeysWithValues: languages.enumerated().map { ($1, $0) })
    units = []
    // Machine translations are not sent again: a vendor that makes them would be asked for ever.
    let states = CompletionStates(of: languages, machineTranslatedCounts: true)
    for (path, catalog) in snapshot.synced.sorted(by: { $0.key < $1.key }) {
      let unread = Set(catalog.unread.keys.compactMap { place[$0] })
      if !unread.isEmpty { self.unread[path] = unread }
      // A catalog's own source language has no translations.
      let asked = languages.enumerated().filter { $0.element != catalog.sourceLanguage && !unread.contains($0.offset) }
      let translatable = catalog.entries.filter { $0.value.shouldTranslate && $0.value.extractionState != .stale }
      for (key, entry) in translatable.sorted(by: { $0.key < $1.key }) {
        let states = states.of(entry.translations)
        let missing = asked.filter { states[$0.offset] != .translated }
        let pin = SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
        units.append(
          Unit(unit: UnitID(catalog: path, key: key), pin: PinDigest(pin), missing: missing.map(\.offset)))
      }
    }
  }
}
