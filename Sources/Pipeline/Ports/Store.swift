package import FoundationEssentials
package import Localization

/// The state that the pipeline keeps between its stages: heads, jobs, and the ledger of rounds, books, returned units and deliveries. The
/// two SQL stores implement it (`SQLLedger`); `StoreConformance` tests its guarantees.
///
/// Each method serves a single use case and runs in one transaction. No write relies on data from an earlier call:
///
/// - writes of a job are protected by its lease: a worker that lost the lease writes nothing;
/// - jobs are planned from data that is read in the transaction that saves them (`arm`);
/// - heads are replaced only if they are the same as before the remote was read (`adopt`);
/// - user decisions and renames are read and written in one transaction.
///
/// Leases and due times use the store's clock. Lease owners are unique to one run of a process. This allows several processes to share a
/// store if the store supports it. The SQLite store supports one process at a time.
package protocol Store: Sendable {
  /// Returns the current time of the store's clock.
  func now() async throws -> Date

  // MARK: Heads

  /// Makes these commits the heads of the watched branches, and removes the heads of all other branches. A head that is already stored is
  /// not changed.
  /// - Parameter known: the heads that were stored before the remote was read; `nil` replaces any heads.
  /// - Returns: all heads, sorted by branch name; `nil` if the stored heads differ from `known`. In that case, another process has read the
  ///   remote in the meantime. Its result may be newer, so nothing is changed.
  func adopt(_ heads: [BranchHead], of pipeline: String, over known: Set<BranchHead>?) async throws -> [Run]?

  /// Returns the newest commit of each watched branch, sorted by branch name.
  func heads(of pipeline: String) async throws -> [Run]

  /// Returns the newest commit of a branch; `nil` if the branch is not watched.
  func head(of pipeline: String, branch: String) async throws -> Run?

  // MARK: Jobs

  /// Plans a pipeline's jobs from the data in the store and saves them, in one transaction. New jobs and jobs with changed inputs are
  /// queued with zero attempts; if such a job is running, it is queued again when it ends. A job that last succeeded with its new inputs is
  /// not queued, unless it has failed since or belongs to the stage `pull`. Jobs that are not planned are removed, unless they are running.
  /// - Parameters:
  ///   - retriesFailures: whether to queue permanently failed jobs again even if their inputs are unchanged.
  ///   - plan: computes all jobs from the data in the store; may be called more than once.
  /// - Returns: whether a job was queued or became due earlier.
  func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool

  /// Claims due jobs of these stages, starting with the jobs that have been due longest. Never claims two jobs of one pipeline and lane, or
  /// a job that waits for another stage.
  /// - Parameter owner: a name that is unique to this run of the process.
  func claimJobs(
    of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int
  ) async throws -> [Job]

  /// Changes the state of a job and the ledger, in one transaction. A job whose inputs changed or that was woken while it ran is queued again.
  /// - Parameter findings: the problems that replace the stored findings of the job; `nil` keeps the stored findings.
  /// - Throws: `StoreConflict` if the caller no longer holds the job, because its lease was lost or the job was removed. In that case, nothing is
  ///   changed.
  @discardableResult
  func move(_ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?) async throws -> Job

  /// Extends the lease of a running job.
  /// - Throws: `StoreConflict` if the job no longer belongs to the caller.
  func heartbeat(_ job: Job, for length: Duration) async throws

  /// Queues running jobs again if their leases have expired. A store with exclusive access also takes back the jobs of all other owners,
  /// because their processes have ended. If several processes share a store, each process must call this regularly, not only at its start.
  func recoverJobs(except owner: String) async throws

  /// Makes the waiting and delayed jobs of a pipeline due now; if a stage or scope is given, only the jobs with this stage or scope. A
  /// running job is queued again when it ends.
  func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws

  /// Returns whether a job of a stage is due or running.
  func hasDueJob(of pipeline: String, stage: Stage) async throws -> Bool

  /// Returns the jobs of a pipeline, sorted by id.
  func jobs(of pipeline: String) async throws -> [Job]

  /// Returns the time when the next queued or waiting job becomes due. Jobs that are already due are ignored; `nil` if there are no others.
  func nextDue(of pipelines: Set<String>) async throws -> Date?

  /// Returns the open work according to the ledger.
  func pendingWork(of pipeline: String) async throws -> PendingWork

  // MARK: The ledger

  func record(_ changes: [LedgerChange], of pipeline: String) async throws

  /// Changes the ledger while a job is running.
  /// - Throws: `StoreConflict` if the job no longer belongs to the caller.
  func record(_ changes: [LedgerChange], under job: Job) async throws

  /// Returns the commit, other than `commit`, that planning read last: on this branch, or on any branch if planning has read no other commit
  /// of this branch.
  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID?

  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger

  func outdatedTranslations(of pipeline: String) async throws -> Set<OutdatedTranslation>

  /// Returns the content that the pull request of a delivery branch proposes; `nil` if no pull request was opened.
  func proposedContent(of pipeline: String, target: String) async throws -> ProposedContent?

  /// Returns records of the translations that were returned for these sources.
  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord]

  /// Returns the texts that were returned for these sources, oldest first.
  func earlierReturns(of pipeline: String, for sources: [SourceID]) async throws -> [EarlierReturn]

  /// Returns the shipments that the vendor has not confirmed, oldest first. A shipment with outstanding units contains only the outstanding
  /// units. A shipment without outstanding units is included until it is known whether the vendor has this shipment.
  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord]

  /// Returns the shipments at the vendor with outstanding units, oldest first. Each shipment contains only its outstanding units.
  func outstandingShipments(
    of pipeline: String, vendor: String
  ) async throws -> [(record: ShipmentRecord, receipt: ShipmentReceipt)]

  /// Returns the shipments at the vendor with units whose newest return is held on a branch, and delivered or settled on none, oldest
  /// first. Each shipment contains only these units, with the reasons from all branches.
  func heldShipments(of pipeline: String, vendor: String) async throws -> [HeldShipment]

  /// Returns the shipments at the vendor in a language with units that the vendor returned, oldest first. Each shipment contains only these
  /// units.
  func returnedShipments(
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [ReturnedShipment]

  /// Returns the most recently returned texts of sent units. Units for which nothing was returned are left out.
  func newestReturns(of pipeline: String, for sentUnits: [SentUnitID]) async throws -> [SentUnitID: [ExchangeUnit]]

  /// Returns the variants that were ever sent to the vendor.
  func variants(of pipeline: String, vendor: String) async throws -> [UnitVariant]

  /// Returns the units that the vendor has returned, under the catalog names that were sent to the vendor.
  /// - Parameter retired: `true` to return only the units whose removal was reported to the vendor, `false` to return only the other units.
  func returnedUnits(of pipeline: String, vendor: String, retired: Bool) async throws -> [UnitID: [SentUnitID]]

  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice]

  /// Returns everything that was ever sent to a vendor in a language for units with these keys, oldest first.
  func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>
  ) async throws -> [SentUnitRecord]

  /// Returns the languages that have outstanding units.
  func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier>

  /// Returns the commits of all deliveries, in any state, for a branch of the remote.
  func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID>

  /// Returns the review of a stored bundle, and whether the bundle was acknowledged; `nil` if the vendor's bundle with this digest was
  /// never stored.
  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord?

  /// Returns the returned units that are neither settled nor passed over on a branch, sorted by id.
  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit]

  /// Returns the returned units in these languages that are delivered or settled on a branch, oldest first.
  func takenReturns(of pipeline: String, in languages: Set<LocaleIdentifier>) async throws -> [TakenReturn]

  /// Returns the deliveries of a branch that are planned or pushed, oldest first.
  func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery]

  /// Returns all delivery branches of a watched branch, in the order of the last delivery to each.
  func deliveryTargets(of pipeline: String, branch: String) async throws -> [String]

  /// Returns the catalogs that were renamed: old path → new path.
  func renames(of pipeline: String) async throws -> [TreePath: TreePath]

  /// Returns the commit of a branch when a round was planned: `commit`, from which a unit of the round was sent, if it was a head of the
  /// branch, or otherwise the branch's last head at that time. `nil` if the branch was not watched then, or if its former heads are no
  /// longer known.
  func head(
    of pipeline: String, branch: String, whenSending commit: CommitID, at instant: Date
  ) async throws -> CommitID?

  // MARK: Queries and decisions

  /// Returns the rounds with their books, oldest first; for all pipelines if `pipeline` is `nil`.
  func rounds(of pipeline: String?) async throws -> [Round]

  /// Returns the units of a round with their provenance, sorted by catalog and key, each unit once for each source text.
  func units(of round: RoundID) async throws -> [RoundUnit]

  /// Returns the units that are held on the watched branches. Units of deleted branches are left out, because nobody can decide about them.
  func heldUnits(of pipeline: String?) async throws -> [HeldUnit]

  /// Returns the units that are held because a person removed them, including units of branches that were deleted later.
  func removedUnits(of pipeline: String) async throws -> [HeldUnit]

  func deliveries(of pipeline: String, since: Date) async throws -> [Delivery]

  /// Returns all pipelines that have an entry in the ledger, sorted by name.
  func pipelines() async throws -> [PipelineRecord]

  /// Saves the reason why a pipeline's repository cannot be read or the pipeline cannot start; `nil` clears the fault.
  func setWatchFault(_ message: String?, of pipeline: String) async throws

  /// Withdraws the outstanding units of a round. Their source texts are not sent again unless the round is retried.
  func cancelRound(_ id: RoundID) async throws

  /// Makes the next merge review a round's held units again, except units that a person removed. If the round was cancelled, its units can
  /// be sent again.
  func retryRound(_ id: RoundID) async throws

  // MARK: Upkeep

  /// Returns the pipelines that took over some of these names: name → pipeline.
  func successors(of names: Set<String>) async throws -> [String: String]

  /// Moves all data under former names of a pipeline to its current name, and records that the pipeline took over these names. Earlier
  /// records of names that are not in the list are removed.
  ///
  /// If both names have data and one set is no longer needed, that set is moved aside under a third name. The data of the new name is not
  /// needed if nothing was sent, received or delivered under it. The data of the former name is not needed if that name was used again by mistake and
  /// all its work is done.
  /// - Returns: the data that was set aside.
  /// - Throws: `PipelineError` if both names have data that is needed. In that case, nothing is changed.
  @discardableResult
  func takeOver(_ formerNames: [String], by pipeline: String) async throws -> [SetAsidePipeline]

  /// Moves all data of a pipeline's vendor to a new name. Does nothing if there is no data under the old name.
  /// - Parameter joins: whether the data may be merged with data under the new name. Merging is needed if the vendor was renamed before the
  ///   pipeline file listed its old name. Units that were sent again under the new name are then not withdrawn from the vendor.
  /// - Throws: `PipelineError` if there is already data under the new name, and `joins` is `false` or both have a shipment of the same round
  ///   and language, or the same bundle.
  func renameVendor(_ old: String, to new: String, joining joins: Bool, of pipeline: String) async throws

  /// Deletes former heads that became heads before an instant, except, on each branch, the head that planning read last.
  /// Rounds, bundles and deliveries are kept. The SQLite store also releases the disk space of the write-ahead log. Must be called regularly.
  func prune(of pipeline: String, olderThan instant: Date) async throws
}

extension Store {
  /// Removes the jobs and the stored fault of a removed pipeline. The jobs are planned again if the pipeline is added again.
  package func dropJobs(of pipeline: String) async throws {
    try await setWatchFault(nil, of: pipeline)
    _ = try await arm([], of: pipeline, retriesFailures: false)
  }

  /// Returns the commits of all deliveries of a pipeline, in any state and to any branch. A watched branch can also contain commits that
  /// were delivered to another branch.
  func deliveredCommits(of pipeline: String) async throws -> Set<CommitID> {
    Set(try await deliveries(of: pipeline, since: .distantPast).flatMap(\.commits))
  }

  /// Makes these commits the heads of the watched branches, without checking the stored heads.
  @discardableResult
  package func adopt(_ heads: [BranchHead], of pipeline: String) async throws -> [Run] {
    try await adopt(heads, of: pipeline, over: nil) ?? []
  }

  /// Saves these planned jobs as a pipeline's jobs, regardless of the data in the store.
  package func arm(_ plans: [JobPlan], of pipeline: String, retriesFailures: Bool) async throws -> Bool {
    try await arm(of: pipeline, retriesFailures: retriesFailures) { _ in plans }
  }

  /// Changes the state of a job and the ledger. The stored findings of the job are kept.
  @discardableResult
  package func move(_ job: Job, by event: JobEvent, changes: [LedgerChange]) async throws -> Job {
    try await move(job, by: event, changes: changes, findings: nil)
  }
}

/// The data of a pipeline that was set aside under another name, which no pipeline uses.
package struct SetAsidePipeline: Hashable, Sendable {
  package var name: String
  package var keptAs: String

  package init(name: String, keptAs: String) {
    self.name = name
    self.keptAs = keptAs
  }
}

/// A bundle in the ledger.
package struct BundleRecord: Hashable, Sendable {
  package var review: String?
  package var isAcknowledged: Bool

  package init(review: String?, isAcknowledged: Bool) {
    self.review = review
    self.isAcknowledged = isAcknowledged
  }
}

/// The error of a write for a job that the caller no longer holds, because its lease was lost or the job was removed.
package struct StoreConflict: Error, Hashable, Sendable, CustomStringConvertible {
  package let job: JobID
  package init(job: JobID) { self.job = job }
  package var description: String { "job \(job.rawValue) lost its lease or was removed" }
}

/// A store of data that can be deleted at any time: facts about blobs, the strings of whole trees, and data for comparing the next commit.
package protocol Cache: FactCache {
  func value(for key: String) throws -> [UInt8]?
  func setValue(_ value: [UInt8], for key: String) throws
}
