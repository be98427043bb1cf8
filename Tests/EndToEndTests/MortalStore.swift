import Foundation
import Localization
import Pipeline
import Synchronization

/// An error that simulates the death of the process.
struct Death: Error {}

/// A store whose process dies at a given change. After that, no change is written, and all changes and reads by stages fail. The clock, heartbeats,
/// reads for reports and people's requests still work.
struct MortalStore: Store {
  final class Life: Sendable {
    private let state: Mutex<(changes: Int, isDead: Bool)> = Mutex((0, false))
    private let limit: Int
    /// Whether the last change is written before the death.
    private let isWritten: Bool

    init(changes limit: Int, isWritten: Bool) {
      self.limit = limit
      self.isWritten = isWritten
    }

    var changes: Int { state.withLock { $0.changes } }

    func look() throws {
      if state.withLock({ $0.isDead }) { throw Death() }
    }

    func change<Value>(_ body: () async throws -> Value) async throws -> Value {
      try look()
      let isLast = state.withLock { state in
        state.changes += 1
        if state.changes == limit { state.isDead = true }
        return state.changes == limit
      }
      guard isLast else { return try await body() }
      if isWritten { _ = try await body() }
      throw Death()
    }
  }

  let store: any Store
  let life: Life
  /// A function that is called before a diff reads the ledger, and can wait.
  var stall: @Sendable () async throws -> Void = {}
  /// A function that receives the pipelines for which the worker searches for jobs.
  var looked: @Sendable (Set<String>) -> Void = { _ in }

  func now() async throws -> Date { try await store.now() }
  func adopt(_ heads: [BranchHead], of pipeline: String, over known: Set<BranchHead>?) async throws -> [Run]? {
    try await life.change { try await store.adopt(heads, of: pipeline, over: known) }
  }
  func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool {
    try await life.change { try await store.arm(of: pipeline, retriesFailures: retriesFailures, plan: plan) }
  }
  func heads(of pipeline: String) async throws -> [Run] {
    try life.look()
    return try await store.heads(of: pipeline)
  }
  func head(of pipeline: String, branch: String) async throws -> Run? {
    try life.look()
    return try await store.head(of: pipeline, branch: branch)
  }
  func hasDueJob(of pipeline: String, stage: Stage) async throws -> Bool {
    try life.look()
    return try await store.hasDueJob(of: pipeline, stage: stage)
  }
  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID? {
    try life.look()
    return try await store.lastCompared(of: pipeline, branch: branch, except: commit)
  }
  func outdatedTranslations(of pipeline: String) async throws -> Set<OutdatedTranslation> {
    try life.look()
    return try await store.outdatedTranslations(of: pipeline)
  }
  func proposedContent(of pipeline: String, target: String) async throws -> ProposedContent? {
    try life.look()
    return try await store.proposedContent(of: pipeline, target: target)
  }
  func units(of round: RoundID) async throws -> [RoundUnit] {
    try life.look()
    return try await store.units(of: round)
  }
  func claimJobs(
    of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int
  ) async throws -> [Job] {
    try life.look()
    looked(pipelines)
    let jobs = try await store.claimJobs(of: pipelines, stages: stages, owner: owner, lease: lease, limit: limit)
    return jobs.isEmpty ? jobs : try await life.change { jobs }
  }
  func move(
    _ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?
  ) async throws -> Job {
    try await life.change { try await store.move(job, by: event, changes: changes, findings: findings) }
  }
  func heartbeat(_ job: Job, for length: Duration) async throws { try await store.heartbeat(job, for: length) }
  func recoverJobs(except owner: String) async throws {
    try await life.change { try await store.recoverJobs(except: owner) }
  }
  func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws {
    try await life.change { try await store.wake(pipeline, stage: stage, scope: scope) }
  }
  func jobs(of pipeline: String) async throws -> [Job] {
    try life.look()
    return try await store.jobs(of: pipeline)
  }
  func nextDue(of pipelines: Set<String>) async throws -> Date? { try await store.nextDue(of: pipelines) }
  func record(_ changes: [LedgerChange], of pipeline: String) async throws {
    try await life.change { try await store.record(changes, of: pipeline) }
  }
  func record(_ changes: [LedgerChange], under job: Job) async throws {
    try await life.change { try await store.record(changes, under: job) }
  }
  func pendingWork(of pipeline: String) async throws -> PendingWork {
    try life.look()
    return try await store.pendingWork(of: pipeline)
  }
  func earlierReturns(of pipeline: String, for sources: [SourceID]) async throws -> [EarlierReturn] {
    try life.look()
    return try await store.earlierReturns(of: pipeline, for: sources)
  }
  func takenReturns(of pipeline: String, in languages: Set<LocaleIdentifier>) async throws -> [TakenReturn] {
    try life.look()
    return try await store.takenReturns(of: pipeline, in: languages)
  }
  func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier> {
    try life.look()
    return try await store.outstandingLanguages(of: pipeline)
  }
  func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID> {
    try life.look()
    return try await store.ownCommits(of: pipeline, target: target)
  }
  func successors(of names: Set<String>) async throws -> [String: String] {
    try life.look()
    return try await store.successors(of: names)
  }
  func takeOver(_ formerNames: [String], by pipeline: String) async throws -> [SetAsidePipeline] {
    try await life.change { try await store.takeOver(formerNames, by: pipeline) }
  }
  func renameVendor(_ old: String, to new: String, joining joins: Bool, of pipeline: String) async throws {
    try await life.change { try await store.renameVendor(old, to: new, joining: joins, of: pipeline) }
  }
  func prune(of pipeline: String, olderThan instant: Date) async throws {
    try await life.change { try await store.prune(of: pipeline, olderThan: instant) }
  }
  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger {
    try life.look()
    try await stall()
    return try await store.sentLedger(of: pipeline, includingReturned: includingReturned)
  }
  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord] {
    try life.look()
    return try await store.returns(of: pipeline, for: sources)
  }
  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord] {
    try life.look()
    return try await store.unsentShipments(of: pipeline, vendor: vendor)
  }

  func outstandingShipments(
    of pipeline: String, vendor: String
  ) async throws -> [(record: ShipmentRecord, receipt: ShipmentReceipt)] {
    try life.look()
    return try await store.outstandingShipments(of: pipeline, vendor: vendor)
  }
  func heldShipments(of pipeline: String, vendor: String) async throws -> [HeldShipment] {
    try life.look()
    return try await store.heldShipments(of: pipeline, vendor: vendor)
  }
  func returnedShipments(
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [ReturnedShipment] {
    try life.look()
    return try await store.returnedShipments(of: pipeline, vendor: vendor, language: language)
  }
  func newestReturns(of pipeline: String, for sentUnits: [SentUnitID]) async throws -> [SentUnitID: [ExchangeUnit]] {
    try life.look()
    return try await store.newestReturns(of: pipeline, for: sentUnits)
  }
  func variants(of pipeline: String, vendor: String) async throws -> [UnitVariant] {
    try life.look()
    return try await store.variants(of: pipeline, vendor: vendor)
  }
  func returnedUnits(
    of pipeline: String, vendor: String, retired: Bool
  ) async throws -> [UnitID: [SentUnitID]] {
    try life.look()
    return try await store.returnedUnits(of: pipeline, vendor: vendor, retired: retired)
  }
  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice] {
    try life.look()
    return try await store.withdrawalNotices(of: pipeline, vendor: vendor)
  }
  func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>
  ) async throws -> [SentUnitRecord] {
    try life.look()
    return try await store.sentUnits(of: pipeline, vendor: vendor, language: language, keys: keys)
  }
  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord? {
    try life.look()
    return try await store.bundle(of: pipeline, vendor: vendor, digest: digest)
  }
  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit] {
    try life.look()
    return try await store.returnedUnits(of: pipeline, branch: branch)
  }
  func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery] {
    try life.look()
    return try await store.openDeliveries(of: pipeline, branch: branch)
  }
  func deliveryTargets(of pipeline: String, branch: String) async throws -> [String] {
    try life.look()
    return try await store.deliveryTargets(of: pipeline, branch: branch)
  }
  func renames(of pipeline: String) async throws -> [TreePath: TreePath] { try await store.renames(of: pipeline) }
  func rounds(of pipeline: String?) async throws -> [Round] { try await store.rounds(of: pipeline) }
  func heldUnits(of pipeline: String?) async throws -> [HeldUnit] { try await store.heldUnits(of: pipeline) }
  func removedUnits(of pipeline: String) async throws -> [HeldUnit] { try await store.removedUnits(of: pipeline) }
  func head(
    of pipeline: String, branch: String, whenSending commit: CommitID, at instant: Date
  ) async throws -> CommitID? {
    try await store.head(of: pipeline, branch: branch, whenSending: commit, at: instant)
  }
  func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try await store.deliveries(of: pipeline, since: since)
  }
  func pipelines() async throws -> [PipelineRecord] { try await store.pipelines() }
  func setWatchFault(_ message: String?, of pipeline: String) async throws {
    try await store.setWatchFault(message, of: pipeline)
  }
  func cancelRound(_ id: RoundID) async throws { try await store.cancelRound(id) }
  func retryRound(_ id: RoundID) async throws { try await store.retryRound(id) }
}
