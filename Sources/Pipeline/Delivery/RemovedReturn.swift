import Localization

/// A return that a person removed from a branch, marked as needing review there, or replaced on another branch.
struct RemovedReturn {
  var unit: ReturnedUnit
  var reason: HoldReason

  /// Finds the returned units that were removed in the history of a branch.
  ///
  /// Planning records the translations that a branch had and lost. This type searches for returns that the ledger does not have as
  /// translations of this branch: the branch may have been created after the removal, or a delivery may have been merged in a way that git
  /// does not show.
  /// - Parameters:
  ///   - lost: the delivered units that the merge of the watched branch with the delivery branch lost, or that a person dropped on the
  ///     delivery branch.
  ///   - withheld: languages that are not delivered yet. Units in these languages are not searched for.
  ///   - tip: the commit against which the units are reviewed.
  ///   - others: the other watched branches.
  static func find(
    among units: [ReturnedUnit], lost: [ReturnedUnit], withheld: Set<LocaleIdentifier>, in tip: CommitID, of head: Run,
    deliveryBranch: CommitID, besides others: [WatchedHead], _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> [RemovedReturn] {
    guard !units.isEmpty else { return [] }
    var reasons = try await recorded(for: Set(units.map(\.id)), in: tip, context)
    let lost = Set(lost.map(\.id))
    let unknown = units.filter { unit in
      // A known removal is searched for again, because a rebase replaces the commit that removed the unit with another commit.
      let isUnknown = unit.outcome == nil || unit.outcome?.reason?.removal != nil || lost.contains(unit.id)
      return isUnknown && reasons[unit.id] == nil && !withheld.contains(unit.language)
    }
    if !unknown.isEmpty {
      reasons.merge(try await removed(unknown, in: head, renames, context)) { known, _ in known }
      let dropped = unknown.filter { lost.contains($0.id) && reasons[$0.id] == nil }
      if !dropped.isEmpty, deliveryBranch != head.commit {
        var branch = head
        branch.commit = deliveryBranch
        reasons.merge(try await removed(dropped, in: branch, renames, context)) { known, _ in known }
      }
      let rest = unknown.filter { reasons[$0.id] == nil && !lost.contains($0.id) }
      reasons.merge(try await replaced(rest, on: others, renames, context)) { known, _ in known }
    }
    var found: [RemovedReturn] = []
    for unit in units {
      guard let reason = reasons[unit.id], try await !wasSentAgain(unit, after: reason, context) else { continue }
      found.append(RemovedReturn(unit: unit, reason: reason))
    }
    return found
  }

  /// Searches the history of a commit for the removal of units that have no translation in the commit, or whose returned text is marked there
  /// as needing review.
  private static func removed(
    _ units: [ReturnedUnit], in head: Run, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> [ReturnedUnitID: HoldReason] {
    let snapshot = try await context.snapshots.snapshot(of: head.commit)
    let subjects = units.compactMap { unit -> RemovalSearch.Subject? in
      let name = renames.name(of: unit.unit, in: snapshot)
      let present = snapshot.synced[name.catalog]?.entries[name.key]?.translations[unit.language]
      if let present, present.isFinished || !unit.isWordForWord(present) { return nil }
      return RemovalSearch.Subject(
        id: unit.id, unit: name, language: unit.language, isOurs: unit.isWordForWord, received: unit.received)
    }
    return try await RemovalSearch(head: head, snapshot: snapshot, renames, context).removed(among: subjects)
  }

  /// Returns whether the unit was sent from a commit after the removal. In that case, a person dropped the held return, so a translation is
  /// wanted again.
  private static func wasSentAgain(
    _ unit: ReturnedUnit, after reason: HoldReason, _ context: PipelineContext
  ) async throws -> Bool {
    guard let removal = reason.removal?.commit, let sent = unit.sending?.commit, try await context.mirror.holds(sent)
    else { return false }
    return try await context.mirror.isAncestor(CommitID(rawValue: removal), of: sent)
  }

  /// Returns the removals that were found on any branch and that this branch has in its history. A force-push may have dropped other
  /// removals from the history.
  private static func recorded(
    for units: Set<ReturnedUnitID>, in tip: CommitID, _ context: PipelineContext
  ) async throws -> [ReturnedUnitID: HoldReason] {
    var isInHistory: [String: Bool] = [:]
    var found: [ReturnedUnitID: HoldReason] = [:]
    for held in try await context.store.removedUnits(of: context.name) {
      guard units.contains(held.id), let reason = held.reason, let commit = reason.removal?.commit else { continue }
      if isInHistory[commit] == nil {
        isInHistory[commit] = try await context.mirror.isAncestor(CommitID(rawValue: commit), of: tip)
      }
      if isInHistory[commit] == true { found[held.id] = reason }
    }
    return found
  }
}
