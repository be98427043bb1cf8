import FoundationEssentials
import Localization

/// Puts what came back into the branch's catalogs, as commits in the mirror that are written down before they are pushed.
enum MergeStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let nothing = StageOutcome(detail: "nothing to merge")
    guard try await context.store.heads(of: context.name).contains(where: { $0.id == run.id }) else { return nothing }
    let base = try await DeliveryBase.find(for: run, context)
    if !base.changes.isEmpty { try await context.store.record(base.changes, of: context.name) }
    var returnedUnits = try await context.store.returnedUnits(of: context.name, branch: run.branch)
    let isAnew = !base.replaced.isEmpty
    if isAnew {
      guard try await needsAnew(base, returnedUnits, run: run, context) else { return nothing }
    } else {
      returnedUnits.removeAll { $0.outcome?.state == .delivered }
    }
    let brings = context.definition.catalogs == .commit
    guard isAnew || brings || !returnedUnits.isEmpty else { return nothing }
    let snapshot = try await context.snapshots.snapshot(of: base.commit)
    guard isAnew || !returnedUnits.isEmpty || !snapshot.changed.isEmpty else { return nothing }

    let others = try await WatchedHeads.load(context).filter { $0.run.branch != run.branch }
    let withheld = try await incompleteLanguages(context)
    let review = BranchReview(snapshot: snapshot, others: others, withheld: withheld).review(returnedUnits)
    var writer = CommitWriter(
      base: base.commit, source: run.commit, seconds: commitSeconds(job, context), context: context)
    let composition = DeliveryComposition(snapshot: snapshot, review: review, brings: brings)
    let composed = try await composition.write(to: &writer, context)
    let refused = composed.refused

    let outcomes = review.outcomes.filter { outcome in
      guard let returnedUnit = review.taken.first(where: { $0.id == outcome.returnedUnit }) else { return true }
      return refused[returnedUnit.unit.catalog] == nil
    }
    let held = outcomes.filter { $0.state == .held }.count
    let diagnostics = refused.sorted { $0.key < $1.key }.flatMap(\.value) + composed.diagnostics
    guard let tip = writer.commits.last else {
      var changes: [LedgerChange] = base.replaced.map { .delivery($0, .settled) }
      if !outcomes.isEmpty { changes.append(.outcomes(outcomes, branch: run.branch)) }
      return StageOutcome(
        changes: changes, detail: held > 0 ? "\(held) held" : nothing.detail, diagnostics: diagnostics)
    }
    let delivery = NewDelivery(
      source: run.commit, target: context.definition.deliver.target(for: run.branch), expected: base.expected,
      base: base.commit, commits: writer.commits, units: writer.units, created: job.created, replaces: base.replaced,
      outcomes: outcomes.filter { $0.state == .delivered })
    var changes: [LedgerChange] = [.deliver(delivery, branch: run.branch)]
    let rest = outcomes.filter { $0.state != .delivered }
    if !rest.isEmpty { changes.append(.outcomes(rest, branch: run.branch)) }
    let next = NewJob(run: run.id, stage: .deliver, scope: tip.rawValue, lane: run.lane, due: context.time.now())
    return StageOutcome(
      next: [next], changes: changes, detail: "\(writer.units) merged, \(held) held", rounds: writer.rounds,
      diagnostics: diagnostics)
  }

  /// The time of the job, or one that was set from outside: doing the job again makes the same commit.
  private static func commitSeconds(_ job: Job, _ context: PipelineContext) -> Int64 {
    context.commitSeconds ?? Int64(job.created.timeIntervalSince1970)
  }

  /// Whether a delivery on an older commit of the branch must be made anew: something came, something held may fit now, or the branch
  /// changed a catalog or a project file.
  private static func needsAnew(
    _ base: DeliveryBase, _ returnedUnits: [ReturnedUnit], run: Run, _ context: PipelineContext
  ) async throws -> Bool {
    guard returnedUnits.allSatisfy({ $0.outcome?.state == .delivered }) else { return true }
    let open = try await context.store.openDeliveries(of: context.name, branch: run.branch)
    guard let last = open.last(where: { base.replaced.contains($0.id) }) else { return true }
    let changes = try await context.mirror.changes(from: last.source, to: run.commit)
    return changes.contains { change in
      if case .renamed(let old) = change.kind, context.formats(old) != nil { return true }
      // A delivery that brings a language changes project files too.
      return context.formats(change.path) != nil || change.path.ending == "pbxproj"
    }
  }

  /// With `when: complete`, the languages of which something is still outstanding.
  private static func incompleteLanguages(_ context: PipelineContext) async throws -> Set<LocaleIdentifier> {
    guard context.definition.deliver.when == .complete else { return [] }
    return try await context.store.outstandingLanguages(of: context.name)
  }
}
