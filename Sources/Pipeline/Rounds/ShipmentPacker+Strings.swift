import Localization

/// Data for vendors that keep strings by key.
extension ShipmentPacker {
  /// Returns the finished translations of units in the vendor's other languages. Each translation is returned only once for all shipments.
  /// The result is empty for a vendor that receives every unit, because that vendor gets these translations in separate shipments.
  mutating func translations(
    of keys: Set<UnitKey>, in catalog: Catalog, _ languages: [LocaleIdentifier], besides own: LocaleIdentifier,
    _ renames: [TreePath: TreePath]
  ) async throws -> [LocaleIdentifier: [ExchangeUnit]] {
    guard !context.routes.wantsAll(vendor) else { return [:] }
    let newest = renames.newest(of: catalog.path)
    var found: [LocaleIdentifier: [ExchangeUnit]] = [:]
    for language in languages where language != own && language != catalog.sourceLanguage {
      guard context.routes.route(for: language, of: newest)?.contains(vendor) == true else { continue }
      let catalog = try await knownOutdated().marked(catalog, keys, in: language)
      let done = keys.filter { key in
        catalog.entries[key]?.translations[language]?.isFinished == true
          && offered.insert(UnitInLanguage(unit: UnitID(catalog: catalog.path, key: key), language: language)).inserted
      }
      if !done.isEmpty { found[language] = catalog.units(done, for: language) }
    }
    return found
  }

  /// Returns the rivals of units: other source texts that the watched branches have for the same unit. Includes only units that have
  /// rivals, and units that were sent to the vendor as variants with this source text.
  mutating func rivals(
    of pins: [UnitKey: PinDigest], in catalog: TreePath, _ language: LocaleIdentifier, _ renames: [TreePath: TreePath]
  ) async throws -> [UnitID: TextRivals] {
    if watched == nil { watched = try await WatchedHeads.load(context) }
    if variants == nil {
      let known = try await context.store.variants(of: context.name, vendor: vendor)
      variants = Dictionary(grouping: known, by: \.unit).mapValues { Set($0.map(\.text)) }
    }
    let snapshots = (watched ?? []).compactMap(\.snapshot)
    var found: [UnitID: TextRivals] = [:]
    for (key, pin) in pins {
      let unit = UnitID(catalog: catalog, key: key)
      var others: [PinDigest: [ExchangeUnit]] = [:]
      for snapshot in snapshots {
        for (other, theirs) in snapshot.texts(of: unit, renames) where other != pin && others[other] == nil {
          others[other] = theirs.units([key], for: language)
        }
      }
      let wasVariant = variants?[unit]?.contains(pin.rawValue) ?? false
      guard wasVariant || !others.isEmpty else { continue }
      found[unit] = TextRivals(
        text: pin.rawValue, others: others.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value))
    }
    return found
  }
}

extension Snapshot {
  /// Returns the source texts of a unit in the snapshot, under all names of its catalog, each with the catalog that contains it. Entries that
  /// are stale or not to be translated are left out.
  func texts(of unit: UnitID, _ renames: [TreePath: TreePath]) -> [PinDigest: Catalog] {
    let newest = renames.newest(of: unit.catalog)
    var found: [PinDigest: Catalog] = [:]
    for name in Set([unit.catalog, newest] + renames.names(before: newest)) {
      guard let catalog = synced[name], let entry = catalog.entries[unit.key], entry.shouldTranslate,
        entry.extractionState != .stale, let pin = catalog.pin(of: unit.key)
      else { continue }
      found[pin] = catalog
    }
    return found
  }
}
