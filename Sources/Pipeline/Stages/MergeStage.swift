import FoundationEssentials
import Localization

/// Merges returned units into the branch's catalogs. The commits are made in the mirror, and recorded before they are pushed.
enum MergeStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    if try await isSetBack(head, context) {
      return StageOutcome(detail: "\(head.branch) was reset meanwhile; merging after the next poll")
    }
    // This number is read before the outcomes and people's decisions, so a later decision is detected (`LedgerChange.reviewed`).
    let decisions = try await context.store.pendingWork(of: context.name).decisions
    let renames = try await context.store.renames(of: context.name)
    let base = try await DeliveryBase.find(for: head, context)
    let nothing = StageOutcome(detail: "nothing to merge", hasChangedNothing: base.changes.isEmpty)
    let before =
      base.leavesDeliveries || base.settlesDeliveries ? try await deliveredUnits(of: head, context) : []
    let left = base.leavesDeliveries ? before : []
    let retired = base.changes.isEmpty ? [] : try await FormerTargets.retirement(for: head, context)
    if !base.changes.isEmpty {
      let isLost = base.settlesDeliveries ? try await areMissing(before, on: head, renames, context) : false
      try await context.store.record(base.changes + retired + (isLost ? [.planAgain] : []), under: job)
    }
    var returnedUnits = try await context.store.returnedUnits(of: context.name, branch: head.branch)
    let isAnew = !base.replaced.isEmpty || base.isStale
    if isAnew {
      let isNeeded = base.isStale ? true : try await needsAnew(base, returnedUnits, head: head, context)
      guard isNeeded else { return nothing }
    }
    let delivered = returnedUnits.filter { $0.outcome?.state == .delivered }
    if !isAnew { returnedUnits.removeAll { $0.outcome?.state == .delivered } }
    let brings = context.definition.catalogs == .commit
    let losses = LostReturns(delivered: delivered, renames: renames)
    var areLossesExpected = false
    if case .merge(let tip, _) = base.place {
      areLossesExpected = try await losses.areExpected(of: head, on: tip, context)
    }
    let areDropped = isAnew ? false : try await losses.areDropped(on: base, context)
    guard isAnew || brings || areLossesExpected || areDropped || !returnedUnits.isEmpty else { return nothing }
    if !isAnew, !areLossesExpected, !areDropped, returnedUnits.isEmpty {
      // Only changes made by sync could be delivered.
      guard try await !context.snapshots.snapshot(of: head.commit).changed.isEmpty else { return nothing }
    }

    var writer = CommitWriter(source: head.commit, seconds: commitSeconds(job, context), context: context)
    switch base.place {
    case .commit(let commit): writer.begin(on: commit)
    case .merge(let tip, let commit):
      let names = (context.definition.deliver.target(for: head.branch), head.branch)
      let merge = BranchMerge(
        deliveryBranch: tip, head: commit, names: names, returned: delivered + returnedUnits, lacking: base.lacking,
        dropped: base.dropped, renames: renames, context: context)
      let conflicts = try await merge.write(to: &writer)
      guard conflicts.isEmpty else {
        let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
        throw PipelineError(
          .conflict, operation: "merge \(names.1) into \(names.0)",
          detail: "\(count) that a person must resolve. Merge by hand and push \(names.0). Deleting \(names.0) also "
            + "works, but drops the commits that people made there",
          disposition: .askPerson, diagnostics: conflicts)
      }
    }
    let snapshot = try await context.snapshots.snapshot(of: writer.tip)
    if base.isSetBack {
      // Delivered returns whose texts are still on the branch stay in the list only for comparison with returns for other source texts.
      // They are not merged again.
      let kept = losses.standing(in: snapshot)
      returnedUnits.removeAll { $0.outcome?.state == .delivered && !kept.contains($0.id) }
    }
    var lost: [ReturnedUnit] = []
    if case .merge(let tip, _) = base.place {
      lost = losses.find(from: try await context.snapshots.snapshot(of: tip), in: snapshot)
    }
    if areDropped {
      let known = Set(lost.map(\.id))
      lost += losses.dropped(in: snapshot).filter { !known.contains($0.id) }
    }
    returnedUnits += lost
    let faults = base.place == .commit(head.commit) ? [] : faults(of: snapshot, for: head, context)
    guard isAnew || !returnedUnits.isEmpty || !snapshot.changed.isEmpty else {
      return StageOutcome(detail: nothing.detail, diagnostics: faults, lasting: faults)
    }
    var outcome = try await deliver(
      returnedUnits, lost: lost, left: left, after: decisions, over: snapshot, on: base, by: &writer, job, of: head,
      renames,
      context)
    outcome.diagnostics += faults
    outcome.lasting += faults
    return outcome
  }

  /// Returns the returned units that are in a commit of ours but not on the watched branch yet.
  private static func deliveredUnits(of head: Run, _ context: PipelineContext) async throws -> [ReturnedUnit] {
    try await context.store.returnedUnits(of: context.name, branch: head.branch)
      .filter { $0.outcome?.state == .delivered }
  }

  /// Returns whether the watched branch lacks texts of merged deliveries because they were removed or reverted between two polls. Planning
  /// handles such texts, but planning ran before the deliveries were counted as merged.
  private static func areMissing(
    _ delivered: [ReturnedUnit], on head: Run, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> Bool {
    guard let snapshot = try await context.snapshots.readable(head.commit) else { return false }
    return !LostReturns(delivered: delivered, renames: renames).dropped(in: snapshot).isEmpty
  }

  /// Returns findings about catalogs of the delivery branch that cannot be read. Nothing is merged into these catalogs. Unreadable catalogs
  /// of the watched branch are reported by that branch's extract job.
  private static func faults(
    of snapshot: Snapshot, for head: Run, _ context: PipelineContext
  ) -> [Diagnostic] {
    let branch = context.definition.deliver.target(for: head.branch)
    return snapshot.broken.sorted { $0.key < $1.key }.flatMap(\.value.diagnostics).map { fault in
      Diagnostic(
        path: fault.path, line: fault.line, column: fault.column, severity: fault.severity,
        message: "on branch \(branch): \(fault.message)",
        hint: "correct it on \(branch). Translations of this catalog wait until then. Deleting \(branch) also works, "
          + "but drops the commits that people made there")
    }
  }

  /// Reviews the returned units against the base commit of the delivery, and commits the accepted units.
  /// - Parameters:
  ///   - lost: the delivered units that the merge of the two branches lost, or that people dropped on the delivery branch.
  ///   - left: the delivered units, if earlier deliveries are made again or abandoned; otherwise none.
  ///   - decisions: the value of `PendingWork.decisions` before the units were read.
  private static func deliver(
    _ returnedUnits: [ReturnedUnit], lost: [ReturnedUnit], left: [ReturnedUnit], after decisions: Int64,
    over snapshot: Snapshot,
    on base: DeliveryBase, by writer: inout CommitWriter, _ job: Job, of head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> StageOutcome {
    let others = try await WatchedHeads.load(context, except: head.branch, where: !returnedUnits.isEmpty)
    let policy = ReturnPolicy(context, terms: try await context.terms(from: snapshot.project.sourceLanguage))
    let overruled = try await context.people?.overruled(of: context.name, branch: head.branch) ?? [:]
    let earlier = try await EarlierReturns.find(
      for: returnedUnits, in: snapshot, of: head, renames, context)
    let withheld = try await incompleteLanguages(context)
    let removed = try await RemovedReturn.find(
      among: returnedUnits, lost: lost, withheld: withheld, in: snapshot.commit.id, of: head,
      deliveryBranch: base.deliveryBranch, besides: others, renames, context)
    let foreign = try await ForeignReturns.find(among: returnedUnits, in: snapshot, of: head, renames, context)
    var unwritable: [ReturnedUnitID: String] = [:]
    func reviewed(without withheld: Set<LocaleIdentifier>) -> BranchReview.Result {
      BranchReview(
        snapshot: snapshot, others: others, withheld: withheld, policy: policy, renames: renames,
        overruled: overruled, removed: removed, foreign: foreign, unwritable: unwritable, earlier: earlier
      ).review(returnedUnits)
    }
    var review: BranchReview.Result
    var waiting: [Diagnostic] = []
    var composed: DeliveryComposition.Result
    let start = writer
    repeat {
      writer = start
      review = reviewed(without: withheld)
      if context.definition.deliver.when == .complete {
        let whole = WholeLanguages(of: returnedUnits, after: review, without: withheld, in: snapshot, renames)
        waiting = whole.waiting(in: context.name)
        if !whole.incomplete.isEmpty { review = whole.withHeld(reviewed(without: withheld.union(whole.incomplete))) }
      }
      let composition = DeliveryComposition(
        snapshot: snapshot, review: review, brings: context.definition.catalogs == .commit)
      composed = try await composition.write(to: &writer, context)
      // In the next pass, these units are held, and the rest of their catalogs can be delivered.
      unwritable.merge(composed.unwritable) { $1 }
    } while !composed.unwritable.isEmpty
    let refused = composed.refused

    // If the delivery branch was reset, units of deliveries that are still on this branch are not merged yet.
    let kept = Set(base.isSetBack ? returnedUnits.filter { $0.outcome?.state == .delivered }.map(\.id) : [])
    let corrected = try await CorrectedReturns.find(among: left, on: head, renames, context)
    let outcomes = review.outcomes.map(corrected.settled).filter { outcome in
      if kept.contains(outcome.returnedUnit), outcome.state == .settled || outcome.state == .held { return false }
      guard let returnedUnit = review.taken.first(where: { $0.id == outcome.returnedUnit }) else { return true }
      return refused[returnedUnit.unit.catalog] == nil
    }
    let answered = Self.answered(outcomes, of: returnedUnits, overruled, in: snapshot, renames)
    let outdated = try await RereadReturns(head: head, renames: renames, context: context)
      .outdated(among: returnedUnits, after: outcomes)
    var noted: [LedgerChange] = answered.isEmpty ? [] : [.answered(answered)]
    if !outdated.isEmpty { noted.append(.outdated(outdated, gone: [])) }
    // When the pattern that excludes a catalog is corrected, planning uses the catalog's returns. Only `planAgain` makes planning due.
    let areLeftOut = outcomes.contains { $0.state == .passedOver && $0.reason == .catalogOutsidePaths }
    if !outdated.isEmpty || areLeftOut { noted.append(.planAgain) }
    let held = outcomes.filter { $0.state == .held }
    let gone = outcomes.count { $0.state == .passedOver && $0.reason?.saysStringIsGone == true }
    let rest = Self.words(for: held, of: returnedUnits) + (gone > 0 ? ", \(gone) for removed strings" : "")
    let lasting = refused.sorted { $0.key < $1.key }.flatMap(\.value) + waiting
    let diagnostics = lasting + composed.diagnostics
    // A reset of a branch is delivered even without a commit.
    guard writer.hasContent || base.isSetBack else {
      var changes: [LedgerChange] = base.replaced.map { .delivery($0, .settled) }
      if !outcomes.isEmpty { changes.append(.reviewed(outcomes, branch: head.branch, decisions: decisions)) }
      return StageOutcome(
        changes: changes + noted, detail: rest.isEmpty ? "nothing to merge" : "0 merged\(rest)",
        diagnostics: diagnostics, lasting: lasting)
    }
    let delivery = NewDelivery(
      source: head.commit, target: context.definition.deliver.target(for: head.branch), expected: base.expected,
      base: writer.base, commits: writer.commits, units: writer.units, created: job.armed, replaces: base.replaced,
      outcomes: outcomes.filter { $0.state == .delivered }, bringsCatalogs: writer.bringsCatalogs)
    var changes = try await FormerTargets.retirement(for: head, context)
    changes.append(.deliver(delivery, branch: head.branch))
    let undelivered = outcomes.filter { $0.state != .delivered }
    if !undelivered.isEmpty { changes.append(.reviewed(undelivered, branch: head.branch, decisions: decisions)) }
    return StageOutcome(
      changes: changes + noted, detail: "\(writer.units) merged\(rest)", rounds: writer.rounds,
      diagnostics: diagnostics, lasting: lasting, hasEffect: true)
  }

  /// Returns the returned units that people accepted although their source text matches no sent unit, each with the pin of the branch's
  /// source text.
  private static func answered(
    _ outcomes: [BranchOutcome], of units: [ReturnedUnit], _ overruled: [ReturnedUnitID: Set<String>],
    in snapshot: Snapshot, _ renames: [TreePath: TreePath]
  ) -> [ReturnedUnitID: PinDigest] {
    let used = Set(outcomes.filter { $0.state == .delivered || $0.state == .settled }.map(\.returnedUnit))
    var pins: [ReturnedUnitID: PinDigest] = [:]
    for unit in units where unit.source == nil && used.contains(unit.id) && overruled[unit.id] != nil {
      let name = renames.name(of: unit.unit, in: snapshot)
      pins[unit.id] = snapshot.synced[name.catalog]?.pin(of: name.key)
    }
    return pins
  }

  /// Returns the number of held units and the first three of them, for the log: `, 5 held: “Feed” de: …`.
  private static func words(for held: [BranchOutcome], of units: [ReturnedUnit]) -> String {
    guard !held.isEmpty else { return "" }
    let byID = Dictionary(units.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let told = held.prefix(3).compactMap { outcome in
      byID[outcome.returnedUnit].map { unit in
        "“\(unit.unit.key.text.prefix(80))” \(unit.language): \(outcome.reason?.sentence ?? "")".withVisibleControls
      }
    }
    return ", \(held.count) held: " + told.joined(separator: "; ") + (held.count > told.count ? "; …" : "")
  }

  /// Returns the time set by the context, or otherwise the time when the job was armed, so a repeated job makes the same commit.
  private static func commitSeconds(_ job: Job, _ context: PipelineContext) -> Int64 {
    context.commitSeconds ?? Int64(job.armed.timeIntervalSince1970)
  }

  /// Returns whether a delivery that is based on an older commit of the branch must be made again. This is the case if new units were
  /// returned, if a held unit may be accepted now, if the branch changed a catalog or a project file, if the pipeline commits synced
  /// catalogs and these changed, or if the older commit is no longer in the mirror.
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
      // A delivery that adds a language also changes project files.
      return context.formats(change.path) != nil || change.path.ending == "pbxproj"
    }
  }

  /// Returns whether the branch no longer contains the head, after a force-push or a deletion (only with `mode: push`). A delivery based on
  /// that head would restore commits that someone removed. The next poll updates or removes the head.
  private static func isSetBack(_ head: Run, _ context: PipelineContext) async throws -> Bool {
    guard context.definition.deliver.mode == .push else { return false }
    let isBranch = { (branch: BranchHead) in branch.name == head.branch }
    // A mirror that was deleted and created again has no branches yet.
    var tip = try await context.mirror.branches().first(where: isBranch)
    if tip == nil { tip = try await context.mirror.refresh().first(where: isBranch) }
    guard let tip else { return true }
    return try await !context.mirror.isAncestor(head.commit, of: tip.commit)
  }

  /// Returns the languages that have outstanding units if the pipeline delivers `when: complete`; otherwise none. Units at the vendor of a
  /// later step already have a draft, so they do not count.
  private static func incompleteLanguages(_ context: PipelineContext) async throws -> Set<LocaleIdentifier> {
    guard context.definition.deliver.when == .complete else { return [] }
    let routes = context.routes
    guard routes.haveSteps else { return try await context.store.outstandingLanguages(of: context.name) }
    let ledger = try await context.store.sentLedger(of: context.name, includingReturned: false)
    let catalogs = Dictionary(ledger.sources.map { ($0.id, $0.unit.catalog) }) { first, _ in first }
    return Set(
      ledger.units.filter { sent in
        guard sent.state == .outstanding, let catalog = catalogs[sent.source] else { return false }
        return (routes.route(for: sent.language, of: catalog)?.step(of: sent.vendor) ?? 0) == 0
      }.map(\.language))
  }
}
