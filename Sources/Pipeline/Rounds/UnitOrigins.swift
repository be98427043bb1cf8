import Localization

/// Looks up where the units of a round to be come from.
enum UnitOrigins {
  /// By branch, in the order of the heads: the origin of each new unit that is to be sent from it. What cannot be told is missing;
  /// a lookup that fails keeps no round from going out.
  static func find(
    _ candidates: [RoundPlanner.Candidate], heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> [Int: [UnitSource: Provenance]] {
    var found: [Int: [UnitSource: Provenance]] = [:]
    // What was sent before has its origin in the ledger.
    let new = candidates.filter { $0.source == nil }
    for (number, candidates) in Dictionary(grouping: new, by: \.head) {
      guard let snapshot = heads[number].snapshot else { continue }
      do {
        let run = heads[number].run
        guard
          let previous = try await context.store.lastCompared(of: context.name, branch: run.branch, except: run.commit)
        else { continue }
        let wanted = Set(candidates.map { UnitSource(unit: $0.unit, pin: $0.pin) })
        var search = ProvenanceSearch(mirror: context.mirror) { commit in
          try await context.snapshots.snapshot(of: commit).standing(of: wanted)
        }
        let standing = snapshot.standing(of: wanted)
        found[number] = try await search.origins(
          of: wanted.sorted { ($0.unit, $0.pin.rawValue) < ($1.unit, $1.pin.rawValue) }.map {
            ProvenanceSearch.Wanted(source: $0, files: standing[$0] ?? [$0.unit.catalog])
          }, in: run.commit, since: previous)
      } catch is CancellationError {
        throw CancellationError()
      } catch { continue }
    }
    return found
  }
}

extension Snapshot {
  /// Those of the units that stand here with that very source text, each with the files that hold it: its sites in code, else its catalog.
  func standing(of wanted: Set<UnitSource>) -> [UnitSource: Set<TreePath>] {
    let units = Set(wanted.map(\.unit))
    var sites: [UnitID: Set<TreePath>] = [:]
    for string in found {
      let unit = UnitID(catalog: string.catalog, key: string.key)
      if units.contains(unit) { sites[unit] = Set(string.sites.map(\.path)) }
    }
    var standing: [UnitSource: Set<TreePath>] = [:]
    for source in wanted {
      guard let catalog = synced[source.unit.catalog], catalog.pin(of: source.unit.key) == source.pin else { continue }
      let files = sites[source.unit] ?? []
      standing[source] = files.isEmpty ? [source.unit.catalog] : files
    }
    return standing
  }
}
