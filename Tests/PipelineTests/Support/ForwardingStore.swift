import Foundation
import Localization
import Pipeline
import Synchronization

/// A store that counts its calls. A test can delay each call or make it fail.
struct ForwardingStore: Store {
  /// The number of calls of each method.
  final class Calls: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    subscript(name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
    var total: Int { counts.withLock { $0.values.reduce(0, +) } }
    fileprivate func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
  }

  let store: any Store
  let calls = Calls()
  var will: @Sendable (String) async throws -> Void = { _ in }

  func before(_ name: String) async throws {
    calls.count(name)
    try await will(name)
  }

  func now() async throws -> Date {
    try await before("now")
    return try await store.now()
  }

  func adopt(_ heads: [BranchHead], of pipeline: String, over known: Set<BranchHead>?) async throws -> [Run]? {
    try await before("adopt")
    return try await store.adopt(heads, of: pipeline, over: known)
  }

  func heads(of pipeline: String) async throws -> [Run] {
    try await before("heads")
    return try await store.heads(of: pipeline)
  }

  func head(of pipeline: String, branch: String) async throws -> Run? {
    try await before("head")
    return try await store.head(of: pipeline, branch: branch)
  }

  func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool {
    try await before("arm")
    return try await store.arm(of: pipeline, retriesFailures: retriesFailures, plan: plan)
  }

  func claimJobs(of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int) async throws
    -> [Job]
  {
    try await before("claimJobs")
    return try await store.claimJobs(of: pipelines, stages: stages, owner: owner, lease: lease, limit: limit)
  }

  func move(
    _ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?
  ) async throws -> Job {
    try await before("move")
    return try await store.move(job, by: event, changes: changes, findings: findings)
  }

  func heartbeat(_ job: Job, for length: Duration) async throws {
    try await before("heartbeat")
    return try await store.heartbeat(job, for: length)
  }

  func recoverJobs(except owner: String) async throws {
    try await before("recoverJobs")
    return try await store.recoverJobs(except: owner)
  }

  func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws {
    try await before("wake")
    return try await store.wake(pipeline, stage: stage, scope: scope)
  }

  func jobs(of pipeline: String) async throws -> [Job] {
    try await before("jobs")
    return try await store.jobs(of: pipeline)
  }

  func hasDueJob(of pipeline: String, stage: Stage) async throws -> Bool {
    try await before("hasDueJob")
    return try await store.hasDueJob(of: pipeline, stage: stage)
  }

  func nextDue(of pipelines: Set<String>) async throws -> Date? {
    try await before("nextDue")
    return try await store.nextDue(of: pipelines)
  }

  func pendingWork(of pipeline: String) async throws -> PendingWork {
    try await before("pendingWork")
    return try await store.pendingWork(of: pipeline)
  }

  func record(_ changes: [LedgerChange], of pipeline: String) async throws {
    try await before("record")
    return try await store.record(changes, of: pipeline)
  }

  func record(_ changes: [LedgerChange], under job: Job) async throws {
    try await before("record")
    return try await store.record(changes, under: job)
  }

  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID? {
    try await before("lastCompared")
    return try await store.lastCompared(of: pipeline, branch: branch, except: commit)
  }

  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger {
    try await before("sentLedger")
    return try await store.sentLedger(of: pipeline, includingReturned: includingReturned)
  }

  func outdatedTranslations(of pipeline: String) async throws -> Set<OutdatedTranslation> {
    try await before("outdatedTranslations")
    return try await store.outdatedTranslations(of: pipeline)
  }

  func proposedContent(of pipeline: String, target: String) async throws -> ProposedContent? {
    try await before("proposedContent")
    return try await store.proposedContent(of: pipeline, target: target)
  }

  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord] {
    try await before("returns")
    return try await store.returns(of: pipeline, for: sources)
  }

  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord] {
    try await before("unsentShipments")
    return try await store.unsentShipments(of: pipeline, vendor: vendor)
  }

  func outstandingShipments(
    of pipeline: String, vendor: String
  ) async throws -> [(record: ShipmentRecord, receipt: ShipmentReceipt)] {
    try await before("outstandingShipments")
    return try await store.outstandingShipments(of: pipeline, vendor: vendor)
  }

  func heldShipments(of pipeline: String, vendor: String) async throws -> [HeldShipment] {
    try await before("heldShipments")
    return try await store.heldShipments(of: pipeline, vendor: vendor)
  }

  func returnedShipments(
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [ReturnedShipment] {
    try await before("returnedShipments")
    return try await store.returnedShipments(of: pipeline, vendor: vendor, language: language)
  }

  func newestReturns(of pipeline: String, for sentUnits: [SentUnitID]) async throws -> [SentUnitID: [ExchangeUnit]] {
    try await before("newestReturns")
    return try await store.newestReturns(of: pipeline, for: sentUnits)
  }

  func variants(of pipeline: String, vendor: String) async throws -> [UnitVariant] {
    try await before("variants")
    return try await store.variants(of: pipeline, vendor: vendor)
  }

  func returnedUnits(
    of pipeline: String, vendor: String, retired: Bool
  ) async throws -> [UnitID: [SentUnitID]] {
    try await before("returnedUnits")
    return try await store.returnedUnits(of: pipeline, vendor: vendor, retired: retired)
  }

  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice] {
    try await before("withdrawalNotices")
    return try await store.withdrawalNotices(of: pipeline, vendor: vendor)
  }

  func sentUnits(of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>) async throws
    -> [SentUnitRecord]
  {
    try await before("sentUnits")
    return try await store.sentUnits(of: pipeline, vendor: vendor, language: language, keys: keys)
  }

  func earlierReturns(of pipeline: String, for sources: [SourceID]) async throws -> [EarlierReturn] {
    try await before("earlierReturns")
    return try await store.earlierReturns(of: pipeline, for: sources)
  }

  func takenReturns(of pipeline: String, in languages: Set<LocaleIdentifier>) async throws -> [TakenReturn] {
    try await before("takenReturns")
    return try await store.takenReturns(of: pipeline, in: languages)
  }

  func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier> {
    try await before("outstandingLanguages")
    return try await store.outstandingLanguages(of: pipeline)
  }

  func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID> {
    try await before("ownCommits")
    return try await store.ownCommits(of: pipeline, target: target)
  }

  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord? {
    try await before("bundle")
    return try await store.bundle(of: pipeline, vendor: vendor, digest: digest)
  }

  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit] {
    try await before("returnedUnits")
    return try await store.returnedUnits(of: pipeline, branch: branch)
  }

  func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery] {
    try await before("openDeliveries")
    return try await store.openDeliveries(of: pipeline, branch: branch)
  }

  func renames(of pipeline: String) async throws -> [TreePath: TreePath] {
    try await before("renames")
    return try await store.renames(of: pipeline)
  }

  func rounds(of pipeline: String?) async throws -> [Round] {
    try await before("rounds")
    return try await store.rounds(of: pipeline)
  }

  func units(of round: RoundID) async throws -> [RoundUnit] {
    try await before("units")
    return try await store.units(of: round)
  }

  func heldUnits(of pipeline: String?) async throws -> [HeldUnit] {
    try await before("heldUnits")
    return try await store.heldUnits(of: pipeline)
  }

  func removedUnits(of pipeline: String) async throws -> [HeldUnit] {
    try await before("removedUnits")
    return try await store.removedUnits(of: pipeline)
  }

  func head(
    of pipeline: String, branch: String, whenSending commit: CommitID, at instant: Date
  ) async throws -> CommitID? {
    try await before("head")
    return try await store.head(of: pipeline, branch: branch, whenSending: commit, at: instant)
  }

  func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try await before("deliveries")
    return try await store.deliveries(of: pipeline, since: since)
  }

  func pipelines() async throws -> [PipelineRecord] {
    try await before("pipelines")
    return try await store.pipelines()
  }

  func setWatchFault(_ message: String?, of pipeline: String) async throws {
    try await before("setWatchFault")
    return try await store.setWatchFault(message, of: pipeline)
  }

  func cancelRound(_ id: RoundID) async throws {
    try await before("cancelRound")
    return try await store.cancelRound(id)
  }

  func retryRound(_ id: RoundID) async throws {
    try await before("retryRound")
    return try await store.retryRound(id)
  }

  func successors(of names: Set<String>) async throws -> [String: String] {
    try await before("successors")
    return try await store.successors(of: names)
  }

  func takeOver(_ formerNames: [String], by pipeline: String) async throws -> [SetAsidePipeline] {
    try await before("takeOver")
    return try await store.takeOver(formerNames, by: pipeline)
  }

  func renameVendor(_ old: String, to new: String, joining joins: Bool, of pipeline: String) async throws {
    try await before("renameVendor")
    return try await store.renameVendor(old, to: new, joining: joins, of: pipeline)
  }

  func prune(of pipeline: String, olderThan instant: Date) async throws {
    try await before("prune")
    return try await store.prune(of: pipeline, olderThan: instant)
  }
}
