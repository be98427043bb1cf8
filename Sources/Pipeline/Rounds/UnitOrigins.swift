import Localization

/// Finds the provenance of the new units in planned rounds: the commits that added them.
enum UnitOrigins {
  /// Returns the provenance of each new unit, by the index of the head from which it is sent. Units whose provenance is unknown are
  /// omitted. A failed search does not block the round.
  static func find(
    _ candidates: [RoundPlanner.Candidate], heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> [Int: [UnitSource: Provenance]] {
    var found: [Int: [UnitSource: Provenance]] = [:]
    // The ledger already has the provenance of units that were sent before.
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
          do {
            let snapshot = try await context.snapshots.snapshot(of: commit)
            return ProvenanceSearch.Standing(
              files: snapshot.standing(of: wanted), isUnread: { snapshot.isUncertain($0) })
          } catch is InputFault {
            return ProvenanceSearch.Standing(isUnread: { _ in true })
          }
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
  /// Returns the wanted units that have the wanted source text in the snapshot. The values are the files of each unit: the files with the
  /// unit's sites in code, or the unit's catalog if there are no sites.
  func standing(of wanted: Set<UnitSource>) -> [UnitSource: Set<TreePath>] {
    let uses = uses(of: Set(wanted.map(\.unit)))
    var standing: [UnitSource: Set<TreePath>] = [:]
    for source in wanted {
      guard let catalog = synced[source.unit.catalog], catalog.pin(of: source.unit.key) == source.pin else { continue }
      let files = uses[source.unit] ?? []
      standing[source] = files.isEmpty ? [source.unit.catalog] : files
    }
    return standing
  }
}
