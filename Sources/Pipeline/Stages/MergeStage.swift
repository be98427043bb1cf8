import FoundationEssentials
import Localization

/// Puts what came back into the branch's catalogs, as commits in the mirror that are written down before they are pushed.
enum MergeStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let nothing = StageOutcome(detail: "nothing to merge")
    let base = try await DeliveryBase.find(for: head, context)
    if !base.changes.isEmpty { try await context.store.record(base.changes, under: job) }
    var returnedUnits = try await context.store.returnedUnits(of: context.name, branch: head.branch)
    let isAnew = !base.replaced.isEmpty || base.isStale
    if isAnew {
      let isNeeded = base.isStale ? true : try await needsAnew(base, returnedUnits, head: head, context)
      guard isNeeded else { return nothing }
    }
    let delivered = returnedUnits.filter { $0.outcome?.state == .delivered }
    if !isAnew { returnedUnits.removeAll { $0.outcome?.state == .delivered } }
    let brings = context.definition.catalogs == .commit
    guard isAnew || brings || !returnedUnits.isEmpty else { return nothing }
    if !isAnew, returnedUnits.isEmpty {
      // Only what sync changed could be delivered.
      guard try await !context.snapshots.snapshot(of: head.commit).changed.isEmpty else { return nothing }
    }

    var writer = CommitWriter(source: head.commit, seconds: commitSeconds(job, context), context: context)
    switch base.place {
    case .commit(let commit): writer.begin(on: commit)
    case .merge(let tip, let commit):
      let names = (context.definition.deliver.target(for: head.branch), head.branch)
      let merge = BranchMerge(
        deliveryBranch: tip, head: commit, names: names, delivered: delivered, context: context)
      let conflicts = try await merge.write(to: &writer)
      guard conflicts.isEmpty else {
        let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
        throw PipelineError(
          .conflict, operation: "merge \(names.1) into \(names.0)",
          detail: "\(count) that a person must resolve. Merge by hand and push \(names.0), or delete it",
          disposition: .askPerson, diagnostics: conflicts)
      }
    }
    let snapshot = try await context.snapshots.snapshot(of: writer.tip)
    guard isAnew || !returnedUnits.isEmpty || !snapshot.changed.isEmpty else { return nothing }
    return try await deliver(returnedUnits, over: snapshot, on: base, by: &writer, job, of: head, context)
  }

  /// Reviews what came back against the commit that the next one stands on, and commits what is taken.
  private static func deliver(
    _ returnedUnits: [ReturnedUnit], over snapshot: Snapshot, on base: DeliveryBase, by writer: inout CommitWriter,
    _ job: Job, of head: Run, _ context: PipelineContext
  ) async throws -> StageOutcome {
    let others = try await WatchedHeads.load(context, except: head.branch, where: !returnedUnits.isEmpty)
    let review = BranchReview(
      snapshot: snapshot, others: others, withheld: try await incompleteLanguages(context),
      policy: ReturnPolicy(context)
    ).review(returnedUnits)
    let composition = DeliveryComposition(
      snapshot: snapshot, review: review, brings: context.definition.catalogs == .commit)
    let composed = try await composition.write(to: &writer, context)
    let refused = composed.refused

    let outcomes = review.outcomes.filter { outcome in
      guard let returnedUnit = review.taken.first(where: { $0.id == outcome.returnedUnit }) else { return true }
      return refused[returnedUnit.unit.catalog] == nil
    }
    let held = outcomes.count { $0.state == .held }
    let gone = outcomes.count { $0.state == .passedOver && ($0.reason == .unknownKey || $0.reason == .unknownCatalog) }
    let rest = (held > 0 ? ", \(held) held" : "") + (gone > 0 ? ", \(gone) of strings that are gone" : "")
    let diagnostics = refused.sorted { $0.key < $1.key }.flatMap(\.value) + composed.diagnostics
    guard writer.hasContent else {
      var changes: [LedgerChange] = base.replaced.map { .delivery($0, .settled) }
      if !outcomes.isEmpty { changes.append(.outcomes(outcomes, branch: head.branch)) }
      return StageOutcome(
        changes: changes, detail: rest.isEmpty ? "nothing to merge" : "0 merged\(rest)", diagnostics: diagnostics)
    }
    let delivery = NewDelivery(
      source: head.commit, target: context.definition.deliver.target(for: head.branch), expected: base.expected,
      base: writer.base, commits: writer.commits, units: writer.units, created: job.armed, replaces: base.replaced,
      outcomes: outcomes.filter { $0.state == .delivered })
    var changes: [LedgerChange] = [.deliver(delivery, branch: head.branch)]
    let undelivered = outcomes.filter { $0.state != .delivered }
    if !undelivered.isEmpty { changes.append(.outcomes(undelivered, branch: head.branch)) }
    return StageOutcome(
      changes: changes, detail: "\(writer.units) merged\(rest)", rounds: writer.rounds,
      diagnostics: diagnostics)
  }

  /// When the job was armed, or a time that was set from outside: doing the job again makes the same commit.
  private static func commitSeconds(_ job: Job, _ context: PipelineContext) -> Int64 {
    context.commitSeconds ?? Int64(job.armed.timeIntervalSince1970)
  }

  /// Whether a delivery on an older commit of the branch must be made anew: something came, something held may fit now, the branch changed
  /// a catalog or a project file, or its code asks for other catalogs and the pipeline commits these.
  private static func needsAnew(
    _ base: DeliveryBase, _ returnedUnits: [ReturnedUnit], head: Run, _ context: PipelineContext
  ) async throws -> Bool {
    guard returnedUnits.allSatisfy({ $0.outcome?.state == .delivered }) else { return true }
    let open = try await context.store.openDeliveries(of: context.name, branch: head.branch)
    guard let last = open.last(where: { base.replaced.contains($0.id) }),
      try await context.mirror.holds(last.source)
    else { return true }
    if context.definition.catalogs == .commit {
      let old = try await context.snapshots.snapshot(of: last.source)
      guard try await context.snapshots.snapshot(of: head.commit).synced == old.synced else { return true }
    }
    let changes = try await context.mirror.changes(from: last.source, to: head.commit)
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
