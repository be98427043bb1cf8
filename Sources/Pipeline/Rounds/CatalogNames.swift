import Localization

/// The renames of catalogs: old path → new path. The ledger uses the newest name of a catalog. A branch may still have an older name, or
/// have the older name again after a force-push.
extension [TreePath: TreePath] {
  /// Returns the current path of a catalog that was renamed, possibly several times.
  func newest(of path: TreePath) -> TreePath {
    var path = path
    // The limit is only a precaution: the renames contain no cycles, even if a catalog is renamed back.
    for _ in 0..<16 {
      guard let next = self[path] else { break }
      path = next
    }
    return path
  }

  /// Returns a unit under the current path of its catalog.
  func newest(of unit: UnitID) -> UnitID { UnitID(catalog: newest(of: unit.catalog), key: unit.key) }

  /// Returns the former names of a catalog, the most recent first.
  func names(before path: TreePath) -> [TreePath] {
    var names: [TreePath] = []
    var newer: Set<TreePath> = [path]
    // The limit is the same precaution as in `newest`.
    for _ in 0..<16 {
      let older = filter { newer.contains($0.value) }.map(\.key).filter { $0 != path && !names.contains($0) }
      guard !older.isEmpty else { break }
      names += older.sorted()
      newer = Set(older)
    }
    return names
  }

  /// Returns all names of a catalog, starting with the given name and the newest name.
  func allNames(of path: TreePath) -> [TreePath] {
    let newest = newest(of: path)
    return [path] + ([newest] + names(before: newest)).filter { $0 != path }
  }

  /// Returns the name of a unit in a commit: its ledger name if the commit has the unit under that name and it is not stale, or otherwise
  /// the most recent former name under which the commit has it and it is not stale. If there is no such name, or the catalog is uncertain,
  /// returns the ledger name. A catalog can exist under several names, because a merge can restore a file.
  func name(of unit: UnitID, in snapshot: Snapshot) -> UnitID {
    guard !isEmpty, !snapshot.keeps(unit), !snapshot.isUncertain(unit.catalog) else { return unit }
    return names(before: unit.catalog).map { UnitID(catalog: $0, key: unit.key) }.first(where: snapshot.keeps) ?? unit
  }

  /// Returns the catalogs of a commit that have a newer name in the ledger, each with that name.
  func ledgerNames(in snapshot: Snapshot) -> [TreePath: TreePath] {
    var found: [TreePath: TreePath] = [:]
    for path in keys where snapshot.synced[path] != nil {
      let newest = newest(of: path)
      if newest != path { found[path] = newest }
    }
    return found
  }
}

extension Snapshot {
  /// Returns whether the unit is in its catalog and not stale.
  fileprivate func keeps(_ unit: UnitID) -> Bool {
    synced[unit.catalog]?.keeps(unit.key) ?? false
  }
}

extension Catalog {
  /// Returns whether the catalog has an entry for the key that is not stale.
  func keeps(_ key: UnitKey) -> Bool { entries[key].map { $0.extractionState != .stale } ?? false }
}
