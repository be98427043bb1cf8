import FoundationEssentials
import Localization

/// Compares what stands on the watched branches with what is out: plans the next round, and closes what is no longer wanted.
enum DiffStage {
  static func run(_ job: Job, of run: Run, _ parts: PipelineParts) async throws -> StageOutcome {
    let heads = try await WatchedHeads.load(parts)
    let routes = parts.routes
    var ledger = try await parts.store.sentLedger(of: parts.name, includingReturned: routes.anyWantsAll)
    let renames = try await renames(heads, ledger, parts)
    if !renames.isEmpty {
      try await parts.store.record(renames, of: parts.name)
      ledger = try await parts.store.sentLedger(of: parts.name, includingReturned: routes.anyWantsAll)
    }
    ledger.units.removeAll { $0.state == .returned && !routes.wantsAll($0.vendor) }
    let plan = RoundPlanner(heads: heads.map(\.plannable), routes: routes).plan(against: ledger)
    let returned = try await withoutReturned(plan.picks, heads: heads, parts)
    let picks = try await withoutWaiting(returned, heads: heads, parts)
    let origins = try await UnitOrigins.find(picks, heads: heads, parts)
    let rounds = RoundBuilder(heads: heads, origins: origins).rounds(of: picks, created: job.created)

    var changes: [LedgerChange] = []
    if !plan.superseded.isEmpty { changes.append(.close(plan.superseded, as: .superseded)) }
    if !plan.withdrawn.isEmpty { changes.append(.close(plan.withdrawn, as: .withdrawn)) }
    changes += rounds.map(LedgerChange.plan)
    let closed = Set(plan.superseded + plan.withdrawn)
    let affected = Set(ledger.units.filter { closed.contains($0.id) }.map(\.vendor))
      .union(rounds.flatMap(\.shipments).map(\.vendor))
    var next = parts.vendors.filter { affected.contains($0.name) }.map { vendor in
      let scope = VendorScope(vendor: vendor.name, cause: job.scope)
      return NewJob(run: run.id, stage: .push, scope: scope.text, lane: scope.lane, due: parts.time.now())
    }
    next.append(NewJob(run: run.id, stage: .merge, scope: job.scope, lane: run.lane, due: parts.time.now()))
    let count = rounds.flatMap(\.shipments).map(\.consignments.count).reduce(0, +)
    return StageOutcome(
      next: next, changes: changes,
      detail: "\(count) to send, \(plan.superseded.count) superseded, \(plan.withdrawn.count) withdrawn",
      diagnostics: findings(picks, run: run, heads: heads, parts))
  }

  /// Catalogs that the ledger knows and no branch has any more, where git sees that they stand elsewhere now.
  private static func renames(
    _ heads: [WatchedHead], _ ledger: SentLedger, _ parts: PipelineParts
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
        let changes = try await parts.mirror.changes(from: commit, to: snapshot.commit.id)
        guard let moved = changes.first(where: { $0.kind == .renamed(from: path) }) else { continue }
        found.append(.rename(path, to: moved.path))
        break
      }
    }
    return found
  }

  /// Leaves out what came back for the same source and is on its way into the branch, is held there, or stands there unchanged.
  private static func withoutReturned(
    _ picks: [RoundPlanner.Pick], heads: [WatchedHead], _ parts: PipelineParts
  ) async throws -> [RoundPlanner.Pick] {
    struct Sending: Hashable {
      var source: SourceID
      var language: LocaleIdentifier
    }
    let sources = Set(picks.compactMap(\.source))
    guard !sources.isEmpty else { return picks }
    let returns = try await parts.store.returns(of: parts.name, for: sources.sorted())
    var known: [Sending: [ReturnRecord]] = [:]
    for record in returns {
      known[Sending(source: record.source, language: record.language), default: []].append(record)
    }
    return picks.filter { pick in
      guard let source = pick.source, let records = known[Sending(source: source, language: pick.language)] else {
        return true
      }
      let head = heads[pick.head]
      return !records.contains { record in
        guard let standing = record.placements[head.run.branch] else { return true }
        switch standing.state {
        case .delivered, .held: return true
        case .passedOver: return false
        case .settled:
          let entry = head.snapshot?.synced[pick.unit.catalog]?.entries[pick.unit.key]
          return standing.translation == entry?.translations[pick.language]?.digest
        }
      }
    }
  }

  /// Leaves out what stands translated on a delivery branch that is not merged yet and that the ledger does not know: a person's work,
  /// or ours from before the ledger was lost.
  private static func withoutWaiting(
    _ picks: [RoundPlanner.Pick], heads: [WatchedHead], _ parts: PipelineParts
  ) async throws -> [RoundPlanner.Pick] {
    guard parts.definition.deliver.mode != .push, !picks.isEmpty else { return picks }
    let branches = try await parts.mirror.branches()
    var waiting: [Int: Snapshot] = [:]
    for number in Set(picks.map(\.head)) {
      let run = heads[number].run
      let target = parts.definition.deliver.target(for: run.branch)
      guard let tip = branches.first(where: { $0.name == target })?.commit,
        try await !parts.store.openDeliveries(of: parts.name, branch: run.branch).contains(where: { $0.tip == tip }),
        try await !DeliveryBase.isAncestor(tip, of: run.commit, parts.mirror)
      else { continue }
      waiting[number] = try await parts.snapshots.snapshot(of: tip)
    }
    return picks.filter { pick in
      guard let catalog = waiting[pick.head]?.synced[pick.unit.catalog], catalog.pin(of: pick.unit.key) == pick.pin,
        let entry = catalog.entries[pick.unit.key]
      else { return true }
      return Completion.state(
        of: entry.translations[pick.language], in: pick.language, machineTranslatedCounts: true) != .translated
    }
  }

  /// New strings on a frozen branch.
  private static func findings(
    _ picks: [RoundPlanner.Pick], run: Run, heads: [WatchedHead], _ parts: PipelineParts
  ) -> [Diagnostic] {
    guard parts.definition.rounds.freeze.contains(where: { $0.matches(run.branch) }) else { return [] }
    let units = Set(picks.filter { heads[$0.head].run.branch == run.branch }.map(\.unit))
    return units.sorted().map {
      Diagnostic(
        path: $0.catalog.text, severity: .warning, message: "new string on frozen branch \(run.branch): \($0.key)",
        hint: "strings of a frozen branch are not to change; take it back, or take the branch out of rounds.freeze")
    }
  }
}
