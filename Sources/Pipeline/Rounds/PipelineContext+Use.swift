package import Localization

/// Which units the newest commits of the watched branches have.
private struct UnitsInUse {
  private let heads: [WatchedHead]
  private let renames: [TreePath: TreePath]

  static func load(_ context: PipelineContext) async throws -> UnitsInUse {
    UnitsInUse(heads: try await WatchedHeads.load(context), renames: try await context.store.renames(of: context.name))
  }

  /// Whether a unit is on any watched branch, or may be: a branch that cannot be read counts as having it.
  func contains(_ unit: UnitID) -> Bool {
    let newest = renames.newest(of: unit.catalog)
    let names = Set([unit.catalog, newest] + renames.names(before: newest))
    return heads.contains { head in
      guard let snapshot = head.snapshot else { return true }
      return names.contains { snapshot.isUncertain($0) || snapshot.synced[$0]?.entries[unit.key] != nil }
    }
  }
}

extension PipelineContext {
  /// Those of the units that are certainly not in the newest commit of any watched branch.
  package func unused(among units: some Sequence<UnitID>) async throws -> Set<UnitID> {
    let inUse = try await UnitsInUse.load(self)
    return Set(units.filter { !inUse.contains($0) })
  }
}
