import FoundationEssentials
package import Localization
package import Logging

/// A stage that did not succeed.
package struct StageFailure: Sendable, CustomStringConvertible {
  package var pipeline: String
  package var branch: String?
  package var stage: Stage
  /// The vendor of a push or pull.
  package var vendor: String?
  package var error: any Error
  /// Whether it is tried again.
  package var isRetried: Bool

  package init(
    pipeline: String, branch: String?, stage: Stage, vendor: String?, error: any Error, isRetried: Bool
  ) {
    self.pipeline = pipeline
    self.branch = branch
    self.stage = stage
    self.vendor = vendor
    self.error = error
    self.isRetried = isRetried
  }

  package var disposition: Disposition { (error as? any DisposableError)?.disposition ?? .permanent }

  package var description: String {
    let about = vendor ?? branch.map { "branch \($0)" } ?? pipeline
    return "\(stage.rawValue) (\(about)): \(error)"
  }
}

/// Who listens to a worker. Called from several tasks at once.
package struct WorkerObserver: Sendable {
  package var progress: @Sendable (ProgressEvent) -> Void
  package var failed: @Sendable (StageFailure) -> Void
  package var found: @Sendable (String, [Diagnostic]) -> Void

  package init(
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in },
    failed: @escaping @Sendable (StageFailure) -> Void = { _ in },
    found: @escaping @Sendable (String, [Diagnostic]) -> Void = { _, _ in }
  ) {
    self.progress = progress
    self.failed = failed
    self.found = found
  }
}

/// Claims jobs and does them, so many at once.
package struct Worker: Sendable {
  private let pipelines: PipelineRegistry
  private let store: any Store
  private let owner: String
  private let width: Int
  private let time: TimeSource
  private let policy: RetryPolicy
  private let observer: WorkerObserver
  private let logger: Logger
  private let leaseLength: Duration

  package init(
    pipelines: PipelineRegistry, store: any Store, owner: String, width: Int, time: TimeSource,
    policy: RetryPolicy = RetryPolicy(), leaseLength: Duration = .seconds(120), observer: WorkerObserver,
    logger: Logger
  ) {
    self.pipelines = pipelines
    self.store = store
    self.owner = owner
    self.width = max(1, width)
    self.time = time
    self.policy = policy
    self.leaseLength = leaseLength
    self.observer = observer
    self.logger = logger
  }

  private enum Turn: Sendable {
    case done, tick
  }

  /// Works until nothing can be done now.
  package func drain() async throws {
    try await withThrowingTaskGroup(of: Turn.self) { group in
      var running = 0
      while true {
        try Task.checkCancellation()
        running += try await start(in: &group, running: running)
        guard running > 0 else { return }
        if try await group.next() != nil { running -= 1 }
      }
    }
  }

  /// Works until `isStopping` says so: then what is running is finished, and nothing more is claimed. Cancelling puts it back.
  package func serve(isStopping: @escaping @Sendable () -> Bool) async throws {
    try await withThrowingTaskGroup(of: Turn.self) { group in
      var running = 0
      var isTicking = false
      while true {
        if !isStopping() { running += try await start(in: &group, running: running) }
        guard running > 0 || !isStopping() else { break }
        if !isTicking {
          isTicking = true
          group.addTask {
            try? await time.sleep(.milliseconds(250))
            return .tick
          }
        }
        switch try await group.next() {
        case .done: running -= 1
        case .tick: isTicking = false
        case nil: break
        }
        if Task.isCancelled, running == 0 { break }
      }
      group.cancelAll()
    }
  }

  private func start(in group: inout ThrowingTaskGroup<Turn, any Error>, running: Int) async throws -> Int {
    guard running < width, !Task.isCancelled else { return 0 }
    let now = time.now()
    let lease = Lease(owner: owner, until: now.addingTimeInterval(leaseLength.seconds))
    let jobs = try await store.claimJobs(of: pipelines.names, lease: lease, now: now, limit: width - running)
    for job in jobs {
      group.addTask {
        try await perform(job)
        return .done
      }
    }
    return jobs.count
  }

  /// Does one claimed job to its end, and moves it.
  private func perform(_ job: Job) async throws {
    guard let context = pipelines[job.pipeline] else { return }
    let run = try await store.run(job.run)
    var event = ProgressEvent(
      pipeline: job.pipeline, branch: run?.branch, commit: run?.commit.rawValue, stage: job.stage,
      scope: job.scope.isEmpty ? nil : job.scope, state: .began)
    observer.progress(event)
    let moved: Job
    do {
      guard let run else {
        throw PipelineError(
          .inconsistent, operation: "do job \(job.id.rawValue)", detail: "its run is gone", disposition: .permanent)
      }
      let outcome = try await withHeartbeat(job) { try await Self.stage(job, of: run, context) }
      let end: JobEvent =
        switch outcome.end {
        case .done: .succeed
        case .wait(let until): .snooze(until: until)
        }
      moved = try await store.move(job, by: end, next: outcome.next, changes: outcome.changes)
      if !outcome.diagnostics.isEmpty { observer.found(job.pipeline, outcome.diagnostics) }
      event.detail = outcome.detail
      event.round = outcome.rounds.isEmpty ? nil : outcome.rounds.map(String.init).joined(separator: ",")
    } catch is StoreConflict {
      // A newer commit of the branch took the job's place while it ran; what it found is found again there.
      logger.debug("job was moved by someone else", metadata: ["job": "\(job.id.rawValue)"])
      event.state = .ended
      event.outcome = JobState.Name.cancelled.rawValue
      observer.progress(event)
      return
    } catch {
      let now = time.now()
      let isInterrupted = error is CancellationError || Task.isCancelled
      let end = isInterrupted ? JobEvent.interrupt(at: now) : policy.event(for: error, attempts: job.attempts, now: now)
      do {
        moved = try await store.move(job, by: end, next: [], changes: [])
      } catch is StoreConflict {
        return
      }
      if !isInterrupted {
        report(error, of: job, branch: run?.branch, isRetried: moved.state.name == .queued)
        event.detail = String(describing: error)
      }
    }
    event.state = .ended
    event.outcome = moved.state.name.rawValue
    observer.progress(event)
  }

  private func report(_ error: any Error, of job: Job, branch: String?, isRetried: Bool) {
    let isVendors = job.stage == .push || job.stage == .pull
    observer.failed(
      StageFailure(
        pipeline: job.pipeline, branch: isVendors ? nil : branch, stage: job.stage,
        vendor: isVendors ? VendorScope(job.scope).vendor : nil, error: error, isRetried: isRetried))
    if let error = error as? PipelineError, !error.diagnostics.isEmpty {
      observer.found(job.pipeline, error.diagnostics)
    } else if let fault = error as? InputFault {
      observer.found(job.pipeline, fault.diagnostics)
    }
    logger.error("stage failed", metadata: ["stage": "\(job.stage.rawValue)", "error": "\(error)"])
  }

  /// Prolongs the job's lease while the stage runs.
  private func withHeartbeat(
    _ job: Job, _ body: @escaping @Sendable () async throws -> StageOutcome
  ) async throws -> StageOutcome {
    try await withThrowingTaskGroup(of: StageOutcome?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        while !Task.isCancelled {
          do { try await time.sleep(leaseLength / 3) } catch { return nil }
          try await store.heartbeat(job, until: time.now().addingTimeInterval(leaseLength.seconds))
        }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }

  private static func stage(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    switch job.stage {
    case .watch: StageOutcome()
    case .extract: try await ExtractStage.run(job, of: run, context)
    case .diff: try await DiffStage.run(job, of: run, context)
    case .push: try await PushStage.run(job, of: run, context)
    case .pull: try await PullStage.run(job, of: run, context)
    case .merge: try await MergeStage.run(job, of: run, context)
    case .deliver: try await DeliverStage.run(job, of: run, context)
    }
  }
}
