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

  /// The newest commit other than `commit` that a round was planned from: of this branch, or where it has none of any.
  func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID?

  func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger

  /// What came back for these sources.
  func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord]

  /// Shipments that the vendor does not have yet, oldest first.
  func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord]

  func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice]

  /// Everything that was ever sent to a vendor in a language, oldest first.
  func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [SentUnitRecord]

  /// How many units a vendor has that it has not returned.
  func outstanding(of pipeline: String, vendor: String) async throws -> Int

  /// Whether a bundle was stored already, and the review that goes with it.
  func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord?

  /// The returned units that may still matter for a branch: not settled there, and not passed over. By id.
  func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit]

  /// The highest returnedUnit of a pipeline, 0 where there is none.
  func lastReturnedUnit(of pipeline: String) async throws -> Int64

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

  /// Withdraws what a round has outstanding, for good: the same source is not sent again.
  func cancelRound(_ id: RoundID) async throws

  /// Takes up a round's held units again at the next review.
  func retryRound(_ id: RoundID) async throws
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
