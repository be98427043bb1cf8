package import Localization

extension PipelineContext {
  /// Whether a unit is in the newest commit of any watched branch, or may be: a branch that cannot be read counts as having it.
  package func isInUse(_ unit: UnitID) async throws -> Bool {
    let renames = try await store.renames(of: name)
    let newest = renames.newest(of: unit.catalog)
    for head in try await WatchedHeads.load(self) {
      guard let snapshot = head.snapshot else { return true }
      for catalog in Set([unit.catalog, newest] + renames.names(before: newest)) {
        if snapshot.isUncertain(catalog) || snapshot.synced[catalog]?.entries[unit.key] != nil { return true }
      }
    }
    return false
  }
}
