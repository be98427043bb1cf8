import Localization

extension RemovedReturn {
  /// Finds the returned units that a person replaced with another text on another watched branch. A branch that gets the string later must
  /// not get the text that the person replaced.
  /// - Returns: the reasons for holding these units.
  static func replaced(
    _ units: [ReturnedUnit], on others: [WatchedHead], _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> [ReturnedUnitID: HoldReason] {
    var reasons: [ReturnedUnitID: HoldReason] = [:]
    for other in others {
      guard let snapshot = other.snapshot else { continue }
      let places = units.filter { reasons[$0.id] == nil }.compactMap { Place($0, in: snapshot, renames) }
      guard !places.isEmpty else { continue }
      let sources = Set(places.compactMap(\.unit.source)).sorted()
      let settled = Set(
        try await context.store.returns(of: context.name, for: sources)
          .filter { $0.outcomes[other.run.branch]?.state == .settled }.map(\.id))
      let suspects = places.filter { settled.contains($0.unit.id) }
      guard !suspects.isEmpty else { continue }
      let returns = Dictionary(grouping: try await context.store.earlierReturns(of: context.name, for: sources)) {
        SourceInLanguage(source: $0.source, language: $0.language)
      }
      let subjects = suspects.compactMap { place -> RemovalSearch.Subject? in
        let same = place.source.flatMap { returns[$0] } ?? []
        // A later return of ours is not a correction by a person.
        guard !same.contains(where: { $0.hasWords(of: place.present) }) else { return nil }
        return RemovalSearch.Subject(
          id: place.unit.id, unit: place.name, language: place.unit.language, isOurs: place.unit.isWordForWord,
          received: place.unit.received)
      }
      let search = RemovalSearch(head: other.run, snapshot: snapshot, renames, context)
      reasons.merge(try await search.removed(among: subjects)) { known, _ in known }
    }
    return reasons
  }

  /// A returned unit and the other, finished text that a branch has for the same source text.
  private struct Place {
    let unit: ReturnedUnit
    /// The unit's name on that branch.
    let name: UnitID
    let present: Translation

    init?(_ unit: ReturnedUnit, in snapshot: Snapshot, _ renames: [TreePath: TreePath]) {
      let name = renames.name(of: unit.unit, in: snapshot)
      guard let pin = unit.pin, let catalog = snapshot.synced[name.catalog], catalog.pin(of: name.key) == pin,
        let present = catalog.entries[name.key]?.translations[unit.language], present.isFinished,
        !unit.isWordForWord(present)
      else { return nil }
      self.unit = unit
      self.name = name
      self.present = present
    }

    var source: SourceInLanguage? { unit.source.map { SourceInLanguage(source: $0, language: unit.language) } }
  }
}
