import Localization

/// How catalogs were renamed. The ledger knows a catalog by its newest name; a branch may have it under an older one still, or again after
/// a force-push.
extension [TreePath: TreePath] {
  /// Where a catalog stands now that was renamed, perhaps several times.
  func newest(of path: TreePath) -> TreePath {
    var path = path
    // Bounded, though a way back makes no circle.
    for _ in 0..<16 {
      guard let next = self[path] else { break }
      path = next
    }
    return path
  }

  /// The names that a catalog had before, the last one first.
  func names(before path: TreePath) -> [TreePath] {
    var names: [TreePath] = []
    var newer: Set<TreePath> = [path]
    // Bounded, as the way forwards is.
    for _ in 0..<16 {
      let older = filter { newer.contains($0.value) }.map(\.key).filter { $0 != path && !names.contains($0) }
      guard !older.isEmpty else { break }
      names += older.sorted()
      newer = Set(older)
    }
    return names
  }

  /// What a unit is called in a commit: as the ledger calls it, or where code does not keep it there, in the catalog by the last name before
  /// that code keeps it in. The file of the newer name may stand there all the same: a merge can bring it back.
  func name(of unit: UnitID, in snapshot: Snapshot) -> UnitID {
    guard !isEmpty, !snapshot.keeps(unit), !snapshot.isUncertain(unit.catalog) else { return unit }
    return names(before: unit.catalog).map { UnitID(catalog: $0, key: unit.key) }.first(where: snapshot.keeps) ?? unit
  }

  /// The catalogs of a commit that the ledger knows by a newer name, with that name.
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
  /// Whether code, or a person, keeps a unit in its catalog.
  fileprivate func keeps(_ unit: UnitID) -> Bool {
    synced[unit.catalog]?.entries[unit.key].map { $0.extractionState != .stale } ?? false
  }
}
