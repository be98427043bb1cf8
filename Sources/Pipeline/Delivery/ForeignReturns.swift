import FoundationEssentials
import Localization

/// Finds the returns for a source text that a branch does not have and that need no decision on this branch: the branch did not have the
/// text when the units were sent, another branch has the translation, or the branch has another, finished translation of its own source text.
///
/// For example, a feature branch changes a text, the translation is returned, and the branch is deleted. On the other branches, nobody can
/// correct that translation, so the return is not held on them. The same happens when a release branch takes the translation of a text that
/// the main branch has changed in the meantime, and is deleted later. If a branch gets the source text later, the return is used.
enum ForeignReturns {
  /// Returns those of the units that need no decision on the branch.
  /// - Parameter snapshot: the commit against which the units are reviewed.
  static func find(
    among units: [ReturnedUnit], in snapshot: Snapshot, of head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    var suspects: [ReturnedUnit.Sending: [ReturnedUnit]] = [:]
    for unit in units where unit.outcome == nil || unit.outcome?.state == .held {
      let name = renames.name(of: unit.unit, in: snapshot)
      guard let sending = unit.sending, let sent = unit.pin,
        let current = snapshot.synced[name.catalog]?.pin(of: name.key), current != sent
      else { continue }
      suspects[sending, default: []].append(unit)
    }
    guard !suspects.isEmpty else { return [] }
    let all = suspects.values.flatMap(\.self)
    var found = try await settled(all, besides: head.branch, context)
    found.formUnion(try await overtaken(all, in: snapshot, renames, context))
    for (sending, units) in suspects {
      try Task.checkCancellation()
      let own = try await own(units, sending, head, renames, context)
      found.formUnion(units.lazy.map(\.id).filter { !own.contains($0) })
    }
    return found
  }

  /// Returns the units that were settled on another branch, even if that branch is deleted now.
  private static func settled(
    _ units: [ReturnedUnit], besides branch: String, _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    let sources = Set(units.compactMap(\.source)).sorted()
    let records = try await context.store.returns(of: context.name, for: sources)
    return Set(
      records.lazy.filter { $0.outcomes.contains { $0.key != branch && $0.value.state == .settled } }.map(\.id)
    ).intersection(units.map(\.id))
  }

  /// Returns the units for which the branch has another, finished translation of its current source text.
  private static func overtaken(
    _ units: [ReturnedUnit], in snapshot: Snapshot, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    let translated = units.filter { unit in
      let name = renames.name(of: unit.unit, in: snapshot)
      guard let present = snapshot.synced[name.catalog]?.entries[name.key]?.translations[unit.language] else {
        return false
      }
      return present.isFinished && !unit.isWordForWord(present)
    }
    guard !translated.isEmpty else { return [] }
    let outdated = OutdatedTranslations(
      try await context.store.outdatedTranslations(of: context.name), renames: renames
    ).standing(in: snapshot)
    return Set(
      translated.lazy.filter { unit in
        let known = outdated[renames.name(of: unit.unit, in: snapshot)] ?? []
        return !known.contains { $0.language == unit.language }
      }.map(\.id))
  }

  /// Returns the units whose source text the branch had, or may have had, when they were sent.
  private static func own(
    _ units: [ReturnedUnit], _ sending: ReturnedUnit.Sending, _ head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    let all = Set(units.map(\.id))
    let then = try await context.store.head(
      of: context.name, branch: head.branch, whenSending: sending.commit, at: sending.planned)
    guard let then else {
      // The branch is newer than the round, or the records of its heads at that time were deleted.
      let age = try await context.store.now().timeIntervalSince(sending.planned)
      guard age > Run.kept.seconds else { return [] }
      return try await context.mirror.isAncestor(sending.commit, of: head.commit) ? all : []
    }
    guard then != sending.commit else { return all }
    // If the commit cannot be read, for example after a force-push, a person must decide about the units.
    guard let snapshot = try await context.snapshots.readable(then) else { return all }
    return Set(
      units.filter { unit in
        let name = renames.name(of: unit.unit, in: snapshot)
        return snapshot.isUncertain(name.catalog) || snapshot.synced[name.catalog]?.pin(of: name.key) == unit.pin
      }.map(\.id))
  }
}
