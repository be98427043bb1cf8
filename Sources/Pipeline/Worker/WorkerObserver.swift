package import Localization

/// A stage that failed.
package struct StageFailure: Sendable, CustomStringConvertible {
  package var pipeline: String
  package var branch: String?
  package var stage: Stage
  /// The vendor of a push or pull job.
  package var vendor: String?
  package var error: any Error
  /// Whether the job will be tried again.
  package var isRetried: Bool
  /// The job's number in the ledger; `nil` if the failure was not in a job.
  package var job: Int64?

  package init(
    pipeline: String, branch: String?, stage: Stage, vendor: String?, error: any Error, isRetried: Bool,
    job: Int64? = nil
  ) {
    self.pipeline = pipeline
    self.branch = branch
    self.stage = stage
    self.vendor = vendor
    self.error = error
    self.isRetried = isRetried
    self.job = job
  }

  package var disposition: Disposition { (error as? any DisposableError)?.disposition ?? .permanent }

  package var description: String {
    let about = vendor ?? branch.map { "branch \($0)" } ?? pipeline
    return "\(stage.rawValue) (\(about)): \(error)"
  }
}

/// Receives the events of a worker and of the watchers. Its closures are called from several tasks at once.
package struct WorkerObserver: Sendable {
  package var progress: @Sendable (ProgressEvent) -> Void
  package var failed: @Sendable (StageFailure) -> Void
  package var found: @Sendable (String, [Diagnostic]) -> Void
  /// Called each time the worker has searched the ledger for jobs: with the error if the ledger is temporarily unavailable, otherwise with
  /// `nil`.
  package var ledger: @Sendable ((any Error)?) -> Void
  /// Called when the worker begins planning the next jobs of a pipeline after a stage, and when it ends planning them.
  package var planning: @Sendable (_ pipeline: String, ProgressEvent.State) -> Void

  package init(
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in },
    failed: @escaping @Sendable (StageFailure) -> Void = { _ in },
    found: @escaping @Sendable (String, [Diagnostic]) -> Void = { _, _ in },
    ledger: @escaping @Sendable ((any Error)?) -> Void = { _ in },
    planning: @escaping @Sendable (_ pipeline: String, ProgressEvent.State) -> Void = { _, _ in }
  ) {
    self.progress = progress
    self.failed = failed
    self.found = found
    self.ledger = ledger
    self.planning = planning
  }
}
