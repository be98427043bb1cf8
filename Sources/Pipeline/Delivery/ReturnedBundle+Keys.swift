import Localization

extension ReturnedBundle {
  /// Returns the bundle with the original keys of the catalogs. A vendor's file cannot represent every key: XML allows few control
  /// characters, and all others become `U+FFFD`.
  func withKeys(of snapshots: [Snapshot]) -> ReturnedBundle {
    guard files.contains(where: { $0.units.contains { Self.mayStandForAnother($0.key) } }) else { return self }
    var keys: [UnitKey: UnitKey?] = [:]
    for catalog in snapshots.flatMap(\.synced.values) {
      for key in catalog.entries.keys {
        guard case .text(let text) = ExchangeText.text(key.text).carried, Self.mayStandForAnother(UnitKey(text)) else {
          continue
        }
        // If several keys become the same key, the returned key is ambiguous.
        let known = keys[UnitKey(text)] ?? key
        keys[UnitKey(text)] = .some(known == key ? key : nil)
      }
    }
    var bundle = self
    for file in bundle.files.indices {
      for unit in bundle.files[file].units.indices {
        if let key = keys[bundle.files[file].units[unit].key] ?? nil { bundle.files[file].units[unit].key = key }
      }
    }
    return bundle
  }

  private static func mayStandForAnother(_ key: UnitKey) -> Bool { key.text.unicodeScalars.contains("\u{FFFD}") }
}
