package import FoundationEssentials
package import Localization

/// What the pipeline keeps between its steps: runs, jobs, and the ledger of rounds, books, returned units and deliveries. `SQLiteStore`
/// meets it; `StoreConformance` says what it promises.
///
/// Methods are by use, each one transaction. Moves of jobs compare the version and lose to whoever was first.
package protocol Store: Sendable {
  // MARK: Runs and jobs

  /// Makes a commit the head of a watched branch: inserts the run with its first job, and cancels unfinished branch jobs of the branch's
  /// earlier runs. A run that is the head already is left alone; one that was the head before is taken up again.
  func startRun(pipeline: String, branch: String, commit: CommitID, now: Date) async throws -> Run

  /// Forgets the heads of branches that are no longer watched, and cancels their unfinished branch jobs.
  func keepBranches(_ names: Set<String>, of pipeline: String) async throws

  /// The newest run of each watched branch, by branch name.
  func heads(of pipeline: String) async throws -> [Run]

  func run(_ id: RunID) async throws -> Run?

  /// Claims due jobs, earlier stages first: never two of one pipeline and lane, and of a pipeline's later stages none while an earlier
  /// stage has a job that is due or running.
  func claimJobs(of pipelines: Set<String>, lease: Lease, now: Date, limit: Int) async throws -> [Job]

  /// Inserts jobs; those that are there already are left as they are.
  func enqueue(_ jobs: [NewJob]) async throws

  /// Moves a job, inserts what follows it, and changes the ledger, in one transaction.
  /// - Throws: `StoreConflict` where someone else moved the job.
  @discardableResult
  func move(_ job: Job, by event: JobEvent, next: [NewJob], changes: [LedgerChange]) async throws -> Job

  /// Prolongs the lease of a running job; a job that someone else moved is left alone.
  func heartbeat(_ job: Job, until: Date) async throws

  /// Puts running jobs back into the queue: those whose lease has run out, or with `all` every one, where no other process can own any.
  func recoverJobs(now: Date, all: Bool) async throws

  /// Makes waiting and delayed jobs of a pipeline due now.
  func wake(_ pipeline: String, now: Date) async throws

  /// The jobs of a pipeline that are not final, by id.
  func unfinishedJobs(of pipeline: String) async throws -> [Job]

  /// When the next queued or waiting job is due; `nil` where there is none.
  func nextDue(of pipelines: Set<String>) async throws -> Date?

  /// The jobs of a run that failed for good and that no later job of the same stage made up for.
  func failedJobs(of run: RunID) async throws -> [Job]

  // MARK: The ledger

  func record(_ changes: [LedgerChange], of pipeline: String) async throws

  /// Changes the ledger for a job that is running.
  /// - Throws: `StoreConflict` where the job is no longer running under the lease and attempt it was claimed with; nothing is changed.
  func record(_ changes: [LedgerChange], under job: Job) async throws

  /// The newest commit other than `commit` that a round was planned from: of this branch, or where it has none of any.
  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID?

  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger

  /// What came back for these sources.
  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord]

  /// Shipments that the vendor does not have yet, oldest first.
  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord]

  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice]

  /// What was ever sent to a vendor in a language for units with these keys, oldest first.
  func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>
  ) async throws -> [SentUnitRecord]

  /// How many units a vendor has that it has not returned.
  func outstanding(of pipeline: String, vendor: String) async throws -> Int

  /// The languages in which some unit has not been returned.
  func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier>

  /// What the ledger holds that a stage should act on, read in one transaction. Cheap: it is asked for with every look at a pipeline.
  func pendingWork(of pipeline: String) async throws -> PendingWork

  /// Whether a bundle was stored already, and the review that goes with it.
  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord?

  /// The returned units that may still matter for a branch: not settled there, and not passed over. By id.
  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit]

  /// The highest returnedUnit of a pipeline, 0 where there is none.
  func lastReturnedUnit(of pipeline: String) async throws -> Int64

  /// Deliveries of a branch that are planned or pushed, oldest first.
  func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery]

  /// The commits of every delivery to a branch of the remote, whatever became of it.
  func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID>

  /// Catalogs that stand elsewhere now: old path → new path.
  func renames(of pipeline: String) async throws -> [TreePath: TreePath]

  // MARK: For people

  /// Rounds with their books, oldest first; of all pipelines where `nil`.
  func rounds(of pipeline: String?) async throws -> [Round]

  /// The units of a round with where they came from, by catalog and key, each once.
  func units(of round: RoundID) async throws -> [RoundUnit]

  func heldUnits(of pipeline: String?) async throws -> [HeldUnit]

  func deliveries(of pipeline: String, since: Date) async throws -> [Delivery]

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

  /// Deletes runs that began before an instant and that nothing refers to, neither a branch nor a job; rounds, bundles and deliveries
  /// are history and stay. Also gives the disk space of the write-ahead log back. To be called now and then.
  func prune(of pipeline: String, olderThan instant: Date) async throws
}

/// What the ledger of a pipeline holds that a stage should act on.
package struct PendingWork: Hashable, Sendable {
  /// Goes up whenever a merge should look again: something came back, a unit was closed, a return or a round was opened again.
  package var revision: Int64
  /// By the name that the ledger knows the vendor by. Vendors without work are missing.
  package var vendors: [String: VendorWork]
  /// Branches with a delivery that is written down and not pushed.
  package var plannedBranches: Set<String>

  package init(revision: Int64 = 0, vendors: [String: VendorWork] = [:], plannedBranches: Set<String> = []) {
    self.revision = revision
    self.vendors = vendors
    self.plannedBranches = plannedBranches
  }
}

/// What is to be done with one vendor, in units × languages.
package struct VendorWork: Hashable, Sendable {
  /// Outstanding units of shipments that the vendor does not have yet.
  package var unsent: Int
  /// Withdrawn and superseded units that the vendor has and was not told about.
  package var toNotify: Int
  /// Outstanding units that the vendor has.
  package var outstanding: Int

  package init(unsent: Int = 0, toNotify: Int = 0, outstanding: Int = 0) {
    self.unsent = unsent
    self.toNotify = toNotify
    self.outstanding = outstanding
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
  package var description: String { "move job \(job.rawValue): someone else moved it" }
}

/// What may be deleted at any time: facts about blobs, and the strings of whole trees.
package protocol Cache: FactCache {
  func value(for key: String) throws -> [UInt8]?
  func setValue(_ value: [UInt8], for key: String) throws
}
