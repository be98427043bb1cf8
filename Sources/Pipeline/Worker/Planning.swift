/// The time at which a worker plans the jobs that follow a job.
enum Planning: Sendable {
  case now
  /// After the last due job of the same stage and pipeline. Each plan reads all heads and jobs of the pipeline, so plans after each of a
  /// thousand branches would take quadratic time.
  case afterLast
  case never

  /// Chooses the time after a stage.
  /// - Parameter outcome: the outcome of the stage; `nil` if it threw an error.
  init(after stage: Stage, _ outcome: StageOutcome?) {
    let hasChangedNothing = outcome?.hasChangedNothing ?? false
    self =
      switch stage {
      // All jobs whose inputs depend on an extraction wait until no other extraction is due, so an earlier plan starts nothing.
      case .extract: .afterLast
      // The plan after the last merge removes jobs of branches that were deleted in the meantime.
      case .merge where hasChangedNothing: .afterLast
      default: hasChangedNothing ? .never : .now
      }
  }

  /// Returns whether the plan is due after a job whose end is stored. Of several jobs that end at once, at least the last one plans.
  func isDue(after job: Job, in store: any Store) async -> Bool {
    switch self {
    case .now: return true
    case .never: return false
    case .afterLast:
      // If the store cannot be read, planning reports it.
      do { return try await !store.hasDueJob(of: job.pipeline, stage: job.stage) } catch { return true }
    }
  }
}
