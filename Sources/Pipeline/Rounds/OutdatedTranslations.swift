import Localization

/// The outdated translations of a pipeline: they are sent as if they were missing, although the catalogs count them as translated.
struct OutdatedTranslations {
  private var rows: [UnitSource: [OutdatedTranslation]] = [:]
  private let renames: [TreePath: TreePath]

  init(_ outdated: some Sequence<OutdatedTranslation>, renames: [TreePath: TreePath]) {
    self.renames = renames
    for row in outdated { rows[source(of: row), default: []].append(row) }
  }

  private func source(of row: OutdatedTranslation) -> UnitSource {
    UnitSource(unit: UnitID(catalog: renames.newest(of: row.unit.catalog), key: row.unit.key), pin: row.pin)
  }

  /// Returns the rows whose translation is in a snapshot, by the units' names there.
  func standing(in snapshot: Snapshot) -> [UnitID: [OutdatedTranslation]] {
    guard !rows.isEmpty else { return [:] }
    var found: [UnitID: [OutdatedTranslation]] = [:]
    for (path, catalog) in snapshot.synced {
      let newest = renames.newest(of: path)
      for (source, rows) in rows where source.unit.catalog == newest {
        let standing = standing(rows, source, in: catalog)
        if !standing.isEmpty { found[UnitID(catalog: path, key: source.unit.key)] = standing }
      }
    }
    return found
  }

  private func standing(
    _ rows: [OutdatedTranslation], _ source: UnitSource, in catalog: Catalog
  ) -> [OutdatedTranslation] {
    guard let entry = catalog.entries[source.unit.key], catalog.pin(of: source.unit.key) == source.pin else {
      return []
    }
    return rows.filter { entry.translations[$0.language]?.digest == $0.translation }
  }

  /// Returns a catalog in which outdated translations need a review, as if Xcode had changed the source text.
  /// - Parameter keys: the keys to look at.
  func marked(_ catalog: Catalog, _ keys: Set<UnitKey>, in language: LocaleIdentifier) -> Catalog {
    guard !rows.isEmpty else { return catalog }
    var marked = catalog
    let newest = renames.newest(of: catalog.path)
    for key in keys {
      guard let pin = catalog.pin(of: key),
        let rows = rows[UnitSource(unit: UnitID(catalog: newest, key: key), pin: pin)],
        let translation = catalog.entries[key]?.translations[language],
        rows.contains(where: { $0.language == language && $0.translation == translation.digest })
      else { continue }
      marked.entries[key]?.translations[language] = translation.mapLeaves { _, leaf in
        var leaf = leaf
        leaf.state = .needsReview
        return leaf
      }
    }
    return marked
  }
}
