import FoundationEssentials
import Localization

/// Compares what stands on the watched branches with what is out: plans the next round, and closes what is no longer wanted.
enum DiffStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let heads = try await WatchedHeads.load(context)
    let routes = context.routes
    var ledger = try await context.store.sentLedger(of: context.name, includingReturned: routes.anyWantsAll)
    let renames = try await renames(heads, ledger, context)
    if !renames.isEmpty {
      try await context.store.record(renames, of: context.name)
      ledger = try await context.store.sentLedger(of: context.name, includingReturned: routes.anyWantsAll)
    }
    ledger.units.removeAll { $0.state == .returned && !routes.wantsAll($0.vendor) }
    let plan = RoundPlanner(heads: heads.map(\.plannable), routes: routes).plan(against: ledger)
    let returned = try await withoutReturned(plan.candidates, heads: heads, context)
    let candidates = try await withoutWaiting(returned, heads: heads, context)
    let origins = try await UnitOrigins.find(candidates, heads: heads, context)
    let rounds = RoundBuilder(heads: heads, origins: origins).rounds(of: candidates, created: job.created)

    var changes: [LedgerChange] = []
    if !plan.superseded.isEmpty { changes.append(.close(plan.superseded, as: .superseded)) }
    if !plan.withdrawn.isEmpty { changes.append(.close(plan.withdrawn, as: .withdrawn)) }
    changes += rounds.map(LedgerChange.plan)
    let closed = Set(plan.superseded + plan.withdrawn)
    let affected = Set(ledger.units.filter { closed.contains($0.id) }.map(\.vendor))
      .union(rounds.flatMap(\.shipments).map(\.vendor))
    var next = context.vendors.filter { affected.contains($0.name) }.map { vendor in
      let scope = VendorScope(vendor: vendor.name, cause: job.scope)
      return NewJob(run: run.id, stage: .push, scope: scope.text, lane: scope.lane, due: context.time.now())
    }
    next.append(NewJob(run: run.id, stage: .merge, scope: job.scope, lane: run.lane, due: context.time.now()))
    let count = rounds.flatMap(\.shipments).map(\.sentUnits.count).reduce(0, +)
    return StageOutcome(
      next: next, changes: changes,
      detail: "\(count) to send, \(plan.superseded.count) superseded, \(plan.withdrawn.count) withdrawn",
      diagnostics: findings(candidates, run: run, heads: heads, context))
  }

  /// Catalogs that the ledger knows and no branch has any more, where git sees that they stand elsewhere now.
  private static func renames(
    _ heads: [WatchedHead], _ ledger: SentLedger, _ context: PipelineContext
  ) async throws -> [LedgerChange] {
    let snapshots = heads.compactMap(\.snapshot)
    guard snapshots.count == heads.count else { return [] }
    var commits: [TreePath: CommitID] = [:]
    for source in ledger.sources { commits[source.unit.catalog] = source.commit }
    let gone = commits.filter { path, _ in
      !snapshots.contains { $0.synced[path] != nil || $0.isUncertain(path) }
    }
    var found: [LedgerChange] = []
    for (path, commit) in gone.sorted(by: { $0.key < $1.key }) {
      for snapshot in snapshots {
        let changes = try await context.mirror.changes(from: commit, to: snapshot.commit.id)
        guard let moved = changes.first(where: { $0.kind == .renamed(from: path) }) else { continue }
        found.append(.rename(path, to: moved.path))
        break
      }
    }
    return found
  }

  /// Leaves out what came back for the same source and is on its way into the branch, is held there, or stands there unchanged.
  private static func withoutReturned(
    _ candidates: [RoundPlanner.Candidate], heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> [RoundPlanner.Candidate] {
    struct Sending: Hashable {
      var source: SourceID
      var language: LocaleIdentifier
    }
    let sources = Set(candidates.compactMap(\.source))
    guard !sources.isEmpty else { return candidates }
    let returns = try await context.store.returns(of: context.name, for: sources.sorted())
    var known: [Sending: [ReturnRecord]] = [:]
    for record in returns {
      known[Sending(source: record.source, language: record.language), default: []].append(record)
    }
    return candidates.filter { candidate in
      guard let source = candidate.source, let records = known[Sending(source: source, language: candidate.language)]
      else {
        return true
      }
      let head = heads[candidate.head]
      return !records.contains { record in
        guard let standing = record.outcomes[head.run.branch] else { return true }
        switch standing.state {
        case .delivered, .held: return true
        case .passedOver: return false
        case .settled:
          let entry = head.snapshot?.synced[candidate.unit.catalog]?.entries[candidate.unit.key]
          return standing.translation == entry?.translations[candidate.language]?.digest
        }
      }
    }
  }

  /// Leaves out what stands translated on a delivery branch that is not merged yet and that the ledger does not know: a person's work,
  /// or ours from before the ledger was lost.
  private static func withoutWaiting(
    _ candidates: [RoundPlanner.Candidate], heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> [RoundPlanner.Candidate] {
    guard context.definition.deliver.mode != .push, !candidates.isEmpty else { return candidates }
    let branches = try await context.mirror.branches()
    var waiting: [Int: Snapshot] = [:]
    for number in Set(candidates.map(\.head)) {
      let run = heads[number].run
      let target = context.definition.deliver.target(for: run.branch)
      guard let tip = branches.first(where: { $0.name == target })?.commit,
        try await !context.store.openDeliveries(of: context.name, branch: run.branch).contains(where: { $0.tip == tip }
        ),
        try await !DeliveryBase.isAncestor(tip, of: run.commit, context.mirror)
      else { continue }
      waiting[number] = try await context.snapshots.snapshot(of: tip)
    }
    return candidates.filter { candidate in
      guard let catalog = waiting[candidate.head]?.synced[candidate.unit.catalog],
        catalog.pin(of: candidate.unit.key) == candidate.pin,
        let entry = catalog.entries[candidate.unit.key]
      else { return true }
      return Completion.state(
        of: entry.translations[candidate.language], in: candidate.language, machineTranslatedCounts: true)
        != .translated
    }
  }

  /// New strings on a frozen branch.
  private static func findings(
    _ candidates: [RoundPlanner.Candidate], run: Run, heads: [WatchedHead], _ context: PipelineContext
  ) -> [Diagnostic] {
    guard context.definition.rounds.freeze.contains(where: { $0.matches(run.branch) }) else { return [] }
    let units = Set(candidates.filter { heads[$0.head].run.branch == run.branch }.map(\.unit))
    return units.sorted().map {
      Diagnostic(
        path: $0.catalog.text, severity: .warning, message: "new string on frozen branch \(run.branch): \($0.key)",
        hint: "strings of a frozen branch are not to change; take it back, or take the branch out of rounds.freeze")
    }
  }
}
