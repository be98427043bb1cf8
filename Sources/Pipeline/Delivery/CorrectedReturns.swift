import Localization

/// Finds the returned texts that a person replaced on the delivery branch or while merging it. If the watched branch contains the commits of a
/// delivery, git shows that the delivery was merged. After a squash or a rebase, the deliveries count as merged if the watched branch has one of
/// their texts unchanged, or if the forge reports the pull request as merged.
struct CorrectedReturns {
  /// The digests of the delivered translations that were replaced, by returned unit.
  private var texts: [ReturnedUnitID: String] = [:]

  /// Finds the replaced texts among the units of earlier deliveries.
  /// - Parameter left: the units of deliveries whose commits are not on the watched branch.
  static func find(
    among left: [ReturnedUnit], on head: Run, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> CorrectedReturns {
    var found = CorrectedReturns()
    guard !left.isEmpty else { return found }
    let snapshot = try await context.snapshots.snapshot(of: head.commit)
    var isMerged = false
    for unit in left {
      let name = renames.name(of: unit.unit, in: snapshot)
      guard let catalog = snapshot.synced[name.catalog], let pin = unit.pin, catalog.pin(of: name.key) == pin,
        let present = catalog.entries[name.key]?.translations[unit.language], present.isFinished
      else { continue }
      if present.digest == unit.outcome?.translation || unit.isWordForWord(present) {
        isMerged = true
      } else {
        found.texts[unit.id] = unit.outcome?.translation
      }
    }
    guard !found.texts.isEmpty, !isMerged else { return found }
    let merged = try await merged(into: head, context)
    for unit in left {
      let part = ProposedContent.Part(Array(unit.proposedName.utf8), in: renames.allNames(of: unit.unit.catalog))
      if merged?.contains(part) != true { found.texts[unit.id] = nil }
    }
    return found
  }

  /// Returns the content of the delivery branch's pull request, if it was merged.
  private static func merged(into head: Run, _ context: PipelineContext) async throws -> ProposedContent? {
    let target = context.definition.deliver.target(for: head.branch)
    guard let forge = context.forge,
      let known = try await context.store.proposedContent(of: context.name, target: target),
      let found = try await forge.pullRequest(from: target, into: head.branch), found.state == .merged,
      found.has(known)
    else { return nil }
    return known
  }

  /// Returns a `settled` outcome if the given outcome holds a replaced return because the branch now has the person's text; otherwise,
  /// returns the given outcome.
  func settled(_ outcome: BranchOutcome) -> BranchOutcome {
    guard outcome.state == .held, case .changedInRepository = outcome.reason, let text = texts[outcome.returnedUnit]
    else { return outcome }
    return BranchOutcome(
      returnedUnit: outcome.returnedUnit, state: .settled, reviewed: outcome.reviewed, translation: text)
  }
}
