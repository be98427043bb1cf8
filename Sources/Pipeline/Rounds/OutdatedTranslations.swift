import Localization

/// The outdated translations of a pipeline. Their units are sent as if the translations were missing, although the catalogs count them as
/// translated.
struct OutdatedTranslations {
  /// The outdated translations by the newest name of the catalog and by key.
  private var rows: [TreePath: [UnitKey: [OutdatedTranslation]]] = [:]
  private let renames: [TreePath: TreePath]

  init(_ outdated: some Sequence<OutdatedTranslation>, renames: [TreePath: TreePath]) {
    self.renames = renames
    for row in outdated { insert(row) }
  }

  /// Adds a row, unless this translation is already known as outdated for this source text. If several origins are found, the first is
  /// kept.
  /// - Returns: whether the row was added.
  @discardableResult
  mutating func insert(_ row: OutdatedTranslation) -> Bool {
    let catalog = renames.newest(of: row.unit.catalog)
    let isKnown = rows[catalog]?[row.unit.key]?.contains {
      $0.pin == row.pin && $0.language == row.language && $0.translation == row.translation
    }
    guard isKnown != true else { return false }
    rows[catalog, default: [:]][row.unit.key, default: []].append(row)
    return true
  }

  /// Returns the rows whose translations are in a snapshot with the same source text, by the names of the units in the snapshot.
  func standing(in snapshot: Snapshot) -> [UnitID: [OutdatedTranslation]] {
    guard !rows.isEmpty else { return [:] }
    var found: [UnitID: [OutdatedTranslation]] = [:]
    for (path, catalog) in snapshot.synced {
      for key in rows[renames.newest(of: path), default: [:]].keys {
        let standing = standing(of: key, in: catalog)
        if !standing.isEmpty { found[UnitID(catalog: path, key: key)] = standing }
      }
    }
    return found
  }

  private func standing(of key: UnitKey, in catalog: Catalog) -> [OutdatedTranslation] {
    guard let known = rows[renames.newest(of: catalog.path)]?[key], let entry = catalog.entries[key],
      let pin = catalog.pin(of: key)
    else { return [] }
    return known.filter { $0.pin == pin && entry.translations[$0.language]?.digest == $0.translation }
  }

  /// Returns the catalog with the state `needs_review` for outdated translations into a language, as Xcode sets it when a source text changes.
  /// - Parameter keys: the keys to check.
  func marked(_ catalog: Catalog, _ keys: Set<UnitKey>, in language: LocaleIdentifier) -> Catalog {
    guard !rows.isEmpty else { return catalog }
    var marked = catalog
    for key in keys {
      guard standing(of: key, in: catalog).contains(where: { $0.language == language }),
        let translation = catalog.entries[key]?.translations[language]
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
