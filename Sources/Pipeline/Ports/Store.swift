package import FoundationEssentials
package import Localization

/// What the pipeline keeps between its steps: heads, jobs, and the ledger of rounds, books, returned units and deliveries. `SQLiteStore`
/// meets it; `StoreConformance` says what it promises.
///
/// Methods are by use, and each is one transaction. No write trusts what an earlier call read:
///
/// - what belongs to a job is fenced by its lease, and whoever lost the lease writes nothing;
/// - jobs are planned from what is read in the transaction that arms them (`arm`);
/// - heads are adopted only over those that the look began with (`adopt`);
/// - what people decide, and new names, are read and written in one transaction.
///
/// The store's clock decides about leases and due times, and owners of leases are unique to a process and its start. So several processes
/// can share a store, where it lets them: the SQLite store belongs to one process at a time.
package protocol Store: Sendable {
  /// The store's clock.
  func now() async throws -> Date

  // MARK: Heads

  /// Makes these commits the heads of the watched branches, and forgets branches that are not among them. A head that stands already is
  /// left alone.
  /// - Parameter known: the heads that were there before the remote was asked; `nil` adopts over any.
  /// - Returns: all heads, by branch name; `nil` where the heads are not `known` any more, because another process looked meanwhile: its
  ///   answer of the remote may be the newer one, and nothing is changed.
  func adopt(_ heads: [BranchHead], of pipeline: String, over known: Set<BranchHead>?) async throws -> [Run]?

  /// The newest commit of each watched branch, by branch name.
  func heads(of pipeline: String) async throws -> [Run]

  // MARK: Jobs

  /// Makes a pipeline's jobs those that are planned from what the store holds, all in one transaction. A job that is new, or whose inputs are
  /// other than before, is queued with its attempts at zero; one that runs meanwhile is queued once more when it ends. Jobs that no plan
  /// names are removed.
  /// - Parameters:
  ///   - retriesFailures: whether jobs that failed for good are queued again although their inputs are the same.
  ///   - plan: computes every job from what the store holds; may be called more than once.
  /// - Returns: whether a job was queued.
  func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool

  /// Claims due jobs of these stages, the longest due first: never two of one pipeline and lane, and none that waits for another stage.
  /// - Parameter owner: unique to the process and its start.
  func claimJobs(
    of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int
  ) async throws -> [Job]

  /// Moves a job and changes the ledger, in one transaction.
  /// - Parameter findings: what is wrong until the job is done again; `nil` leaves what is known.
  /// - Throws: `StoreConflict` where someone else moved the job; nothing is changed then.
  @discardableResult
  func move(_ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?) async throws -> Job

  /// Prolongs the lease of a running job.
  /// - Throws: `StoreConflict` where the job is not the caller's any more.
  func heartbeat(_ job: Job, for length: Duration) async throws

  /// Queues running jobs again whose lease is over. A store that one process has to itself also takes back what other owners hold, who
  /// must be dead. Where several processes share a store, each calls this now and then, not only when it starts.
  func recoverJobs(except owner: String) async throws

  /// Makes waiting and delayed jobs of a pipeline due now: those of a stage and scope where they are given. One that is running is done
  /// once more when it ends.
  func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws

  /// The jobs of a pipeline, by id.
  func jobs(of pipeline: String) async throws -> [Job]

  /// When the next queued or waiting job that is not due yet will be; `nil` where there is none.
  func nextDue(of pipelines: Set<String>) async throws -> Date?

  /// What the ledger says is to be done.
  func pendingWork(of pipeline: String) async throws -> PendingWork

  // MARK: The ledger

  func record(_ changes: [LedgerChange], of pipeline: String) async throws

  /// Changes the ledger in the middle of a job.
  /// - Throws: `StoreConflict` where the job is not the caller's any more.
  func record(_ changes: [LedgerChange], under job: Job) async throws

  /// The newest commit other than `commit` that a round was planned from: of this branch, or where it has none of any.
  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID?

  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger

  /// What came back for these sources.
  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord]

  /// Shipments that the vendor is not known to have, oldest first: those with outstanding units, which alone they hold then, and those of
  /// which all units were called off and nobody looked yet whether the vendor has them.
  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord]

  /// Shipments that the vendor has and of which units are outstanding, oldest first. Each holds only those units.
  func outstandingShipments(
    of pipeline: String, vendor: String
  ) async throws -> [(record: ShipmentRecord, receipt: ShipmentReceipt)]

  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice]

  /// What was ever sent to a vendor in a language of units with these keys, oldest first.
  func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>
  ) async throws -> [SentUnitRecord]

  /// The languages of which a vendor has not returned everything.
  func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier>

  /// Every commit of every delivery, in any state, that was made for a branch of the remote.
  func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID>

  /// Whether a bundle was stored already, and the review that goes with it.
  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord?

  /// The returned units that may still matter for a branch: not settled there, and not passed over. By id.
  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit]

  /// Deliveries of a branch that are planned or pushed, oldest first.
  func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery]

  /// Catalogs that stand elsewhere now: old path → new path.
  func renames(of pipeline: String) async throws -> [TreePath: TreePath]

  // MARK: For people

  /// Rounds with their books, oldest first; of all pipelines where `nil`.
  func rounds(of pipeline: String?) async throws -> [Round]

  /// The units of a round with where they came from, by catalog and key, each once.
  func units(of round: RoundID) async throws -> [RoundUnit]

  func heldUnits(of pipeline: String?) async throws -> [HeldUnit]

  func deliveries(of pipeline: String, since: Date) async throws -> [Delivery]

  /// Every pipeline that was ever looked at, by name.
  func pipelines() async throws -> [PipelineRecord]

  /// Writes down what keeps a pipeline's repository from being looked at, or the pipeline from being put together; `nil`: nothing does.
  func setWatchFault(_ message: String?, of pipeline: String) async throws

  /// Withdraws what a round has outstanding, for good: the same source is not sent again.
  func cancelRound(_ id: RoundID) async throws

  /// Takes up a round's held units again at the next review.
  func retryRound(_ id: RoundID) async throws

  // MARK: Upkeep

  /// Moves everything of a pipeline to a new name. Nothing happens where the old name has no entries.
  /// - Throws: `PipelineError` where the new name has entries of its own.
  func renamePipeline(_ old: String, to new: String) async throws

  /// Moves everything of a pipeline's vendor to a new name. Nothing happens where the old name has no entries.
  /// - Throws: `PipelineError` where the new name has entries of its own.
  func renameVendor(_ old: String, to new: String, of pipeline: String) async throws

  /// Deletes commits that were heads before an instant, but for the last of each branch that a round was planned from; rounds, bundles and deliveries
  /// are history and stay. Also gives the disk space of the write-ahead log back. To be called now and then.
  func prune(of pipeline: String, olderThan instant: Date) async throws
}

extension Store {
  /// Makes these commits the heads of the watched branches, whatever they were.
  @discardableResult
  package func adopt(_ heads: [BranchHead], of pipeline: String) async throws -> [Run] {
    try await adopt(heads, of: pipeline, over: nil) ?? []
  }

  /// Makes a pipeline's jobs those of the plans, whatever the store holds.
  package func arm(_ plans: [JobPlan], of pipeline: String, retriesFailures: Bool) async throws -> Bool {
    try await arm(of: pipeline, retriesFailures: retriesFailures) { _ in plans }
  }

  /// Moves a job and changes the ledger, and leaves what the job found.
  @discardableResult
  package func move(_ job: Job, by event: JobEvent, changes: [LedgerChange]) async throws -> Job {
    try await move(job, by: event, changes: changes, findings: nil)
  }
}

/// What the store knows of a pipeline as a whole.
package struct PipelineRecord: Hashable, Sendable {
  package var name: String
  /// Goes up whenever a person cancelled or retried a round.
  package var decisions: Int64
  /// Why the pipeline is not watched, and since when; `nil`: it is.
  package var watchFault: FailureRecord?

  package init(name: String, decisions: Int64, watchFault: FailureRecord?) {
    self.name = name
    self.decisions = decisions
    self.watchFault = watchFault
  }
}

/// A bundle that is in the ledger.
package struct BundleRecord: Hashable, Sendable {
  package var review: String?
  package var isAcknowledged: Bool

  package init(review: String?, isAcknowledged: Bool) {
    self.review = review
    self.isAcknowledged = isAcknowledged
  }
}

/// Someone else moved the job meanwhile.
package struct StoreConflict: Error, Hashable, Sendable, CustomStringConvertible {
  package let job: JobID
  package init(job: JobID) { self.job = job }
  package var description: String { "another process changed job \(job.rawValue)" }
}

/// What may be deleted at any time: facts about blobs, and the strings of whole trees.
package protocol Cache: FactCache {
  func value(for key: String) throws -> [UInt8]?
  func setValue(_ value: [UInt8], for key: String) throws
}
