import FoundationEssentials
import Localization
package import Logging
internal import Tracing

/// Claims jobs and runs a limited number of them at once.
///
/// Jobs that wait for vendors and servers have separate slots, so a slow vendor does not delay the extraction of commits.
package struct Worker: Sendable {
  private let pipelines: PipelineRegistry
  private let store: any Store
  private let owner: String
  private let width: Int
  private let executor: PooledTaskExecutor?
  private let time: TimeSource
  private let policy: RetryPolicy
  private let observer: WorkerObserver
  private let logger: Logger
  private let leaseLength: Duration
  private let turned: @Sendable () -> Void

  /// - Parameters:
  ///   - owner: a name that is unique to this run of the process. This worker holds only leases with this owner.
  ///   - width: the maximum number of jobs of each kind that run at once. Jobs of one kind read and plan; jobs of the other kind use
  ///     vendors and servers.
  ///   - executor: the executor on which the stages run, because stages block while they access the disk. It has one thread for each job.
  ///     If the executor is `nil`, stages run on the worker's executor.
  ///   - turned: called by ``serve(isStopping:)`` after each search for work, and after each of its waits while the worker is stopping.
  package init(
    pipelines: PipelineRegistry, store: any Store, owner: String, width: Int, executor: PooledTaskExecutor?,
    time: TimeSource, policy: RetryPolicy = RetryPolicy(), leaseLength: Duration = .seconds(120),
    observer: WorkerObserver,
    turned: @escaping @Sendable () -> Void = {}, logger: Logger
  ) {
    self.pipelines = pipelines
    self.store = store
    self.owner = owner
    self.width = max(1, width)
    self.executor = executor
    self.time = time
    self.policy = policy
    self.leaseLength = leaseLength
    self.observer = observer
    self.turned = turned
    self.logger = logger
  }

  /// The resource that a job waits for.
  private enum Kind: Sendable, CaseIterable {
    case local, network

    var stages: Set<Stage> {
      switch self {
      case .local: [.extract, .diff, .merge]
      case .network: [.push, .pull, .deliver, .propose, .report, .review]
      }
    }
  }

  /// The number of kinds of jobs. Each kind has its own limit of concurrent jobs.
  package static let kinds = Kind.allCases.count

  private enum Turn: Sendable {
    case done(Kind)
    case signal
  }

  /// The maximum time to sleep, in seconds. If the clock is set forward while a worker sleeps, jobs can become due without any signal.
  private static let longestSleep = 300.0

  private typealias Tasks = ThrowingTaskGroup<Turn, any Error>

  /// Runs jobs until no job is due. After `isStopping` returns true, claims no more jobs, but finishes the running jobs.
  package func drain(isStopping: @escaping @Sendable () -> Bool = { false }) async throws {
    try await withThrowingTaskGroup(of: Turn.self) { group in
      var running: [Kind: Int] = [:]
      while true {
        try Task.checkCancellation()
        if !isStopping() { try await start(in: &group, &running, isStopping) }
        guard running.values.contains(where: { $0 > 0 }) else { return }
        if case .done(let kind)? = try await group.next() { running[kind, default: 0] -= 1 }
      }
    }
  }

  /// Runs jobs until `isStopping` returns true. From then on, claims no more jobs, but finishes the running jobs. Cancellation puts running
  /// jobs back in the queue.
  ///
  /// Sleeps until a job ends, the registry signals a change, or the next job is due. If the store is temporarily unavailable, the worker
  /// tries again after a pause.
  package func serve(isStopping: @escaping @Sendable () -> Bool) async throws {
    let signal = pipelines.signal
    let alarm = Alarm(signal: signal, time: time)
    defer { alarm.cancel() }
    try await withThrowingTaskGroup(of: Turn.self) { group in
      var running: [Kind: Int] = [:]
      var isWaiting = false
      var faults = 0
      while true {
        if !isStopping(), !Task.isCancelled {
          do {
            try await start(in: &group, &running, isStopping)
            let now = try await store.now()
            alarm.set(
              try await store.nextDue(of: pipelines.active).map { min($0.timeIntervalSince(now), Self.longestSleep) })
            faults = 0
            observer.ledger(nil)
          } catch is CancellationError {
          } catch {
            guard (error as? any DisposableError)?.disposition == .retry else { throw error }
            observer.ledger(error)
            faults += 1
            alarm.set(policy.delay(after: faults).seconds)
          }
        }
        turned()
        let isBusy = running.values.contains { $0 > 0 }
        if isStopping() || Task.isCancelled, !isBusy { break }
        if !isWaiting {
          isWaiting = true
          group.addTask {
            await signal.wait()
            return .signal
          }
        }
        switch try await group.next() {
        case .done(let kind): running[kind, default: 0] -= 1
        case .signal: isWaiting = false
        case nil: break
        }
      }
      group.cancelAll()
    }
  }

  private func start(
    in group: inout Tasks, _ running: inout [Kind: Int], _ isStopping: @escaping @Sendable () -> Bool
  ) async throws {
    for kind in Kind.allCases {
      let free = width - running[kind, default: 0]
      guard free > 0, !Task.isCancelled else { continue }
      let jobs = try await store.claimJobs(
        of: pipelines.active, stages: kind.stages, owner: owner, lease: leaseLength, limit: free)
      for job in jobs {
        running[kind, default: 0] += 1
        group.addTask {
          await perform(job, isStopping)
          return .done(kind)
        }
      }
    }
  }

  private func perform(_ job: Job, _ isStopping: @escaping @Sendable () -> Bool) async {
    await withSpan(job.stage.rawValue) { await perform(job, in: $0, isStopping) }
  }

  /// Runs one claimed job, saves its new state, and plans the jobs that follow.
  private func perform(_ job: Job, in span: any Span, _ isStopping: @escaping @Sendable () -> Bool) async {
    guard let context = pipelines[job.pipeline] else { return await release(job) }
    var event = ProgressEvent(
      pipeline: job.pipeline, job: job.id.rawValue, branch: job.stage.hasBranch ? job.scope : nil, stage: job.stage,
      scope: job.stage.hasBranch || job.scope.isEmpty ? nil : job.scope, state: .began)
    var planning = Planning(after: job.stage, nil)
    defer { event.describe(span) }
    do {
      let head = try await head(of: job)
      event.commit = head?.commit.rawValue
      observer.progress(event)
      event.state = .ended
      let outcome = try await withHeartbeat(job) { try await Self.stage(job, of: head, context) }
      let end: JobEvent =
        switch outcome.end {
        case .done: .succeed
        case .wait(let length): .snooze(until: try await store.now().addingTimeInterval(length.seconds))
        }
      try await store.move(job, by: end, changes: outcome.changes, findings: outcome.lasting)
      planning = Planning(after: job.stage, outcome)
      if !outcome.diagnostics.isEmpty { observer.found(job.pipeline, outcome.diagnostics) }
      event.detail = outcome.detail
      event.hasEffect = outcome.hasEffect
      // Reports how this run ended. The job may already be queued again because its inputs changed in the meantime.
      event.outcome = (end == .succeed ? JobState.Name.succeeded : .waiting).rawValue
      event.round = outcome.rounds.isEmpty ? nil : outcome.rounds.map(String.init).joined(separator: ",")
    } catch {
      event.state = .ended
      guard let end = await fail(job, error, &event, isStopping) else { return observer.progress(event) }
      event.outcome = end.state.name.rawValue
    }
    observer.progress(event)
    // Plans with the current definition, which may have changed in the meantime.
    if await planning.isDue(after: job, in: store), let current = pipelines[job.pipeline] { await plan(current) }
  }

  private func head(of job: Job) async throws -> Run? {
    guard job.stage.hasBranch else { return nil }
    return try await store.head(of: job.pipeline, branch: job.scope)
  }

  /// Saves the new state of a job that threw an error. If the store fails, the write is tried again, because a job that stays *running*
  /// would block its lane until the next start. A process that is stopping tries only once, and the next start recovers the job.
  /// - Returns: the job in its new state, or `nil` if it was not saved: the job no longer belongs to us, the error of the store is not
  ///   temporary, or the process is stopping.
  private func fail(
    _ job: Job, _ error: any Error, _ event: inout ProgressEvent, _ isStopping: @Sendable () -> Bool
  ) async -> Job? {
    event.outcome = "superseded"
    // The job was removed because it is no longer planned, or its lease was lost. The next run finds the job's problems again.
    if error is StoreConflict { return nil }
    let isInterrupted = error is CancellationError || Task.isCancelled
    var tries = 0
    while true {
      do {
        let now = try await store.now()
        let end =
          isInterrupted ? JobEvent.interrupt(at: now) : policy.event(for: error, attempts: job.attempts, now: now)
        // A failed job keeps its error. A job that is tried again shows the error as a finding until a later run ends without an
        // error, unless the error is expected at the start.
        let finding = Diagnostic(path: job.pipeline, severity: .error, message: String(describing: error))
        let isRetried = if case .retry = end { true } else { false }
        let isExpected = isRetried && (error as? any DisposableError)?.isExpectedAtStart == true
        let findings = isRetried && !isExpected ? [finding] : nil
        let moved = try await store.move(job, by: end, changes: [], findings: findings)
        if !isInterrupted {
          event.detail = String(describing: error)
        }
        if !isInterrupted, !isExpected {
          report(error, of: job, isRetried: moved.state.name == .queued)
        }
        return moved
      } catch is StoreConflict {
        return nil
      } catch let second {
        tries += 1
        if tries == 1 { report(second, of: job, isRetried: true) }
        event.outcome = JobState.Name.failed.rawValue
        event.detail = String(describing: second)
        guard (second as? any DisposableError)?.disposition == .retry, !isInterrupted else { return nil }
        guard await Self.sleep(policy.delay(after: tries), time, unless: isStopping) else { return nil }
      }
    }
  }

  /// Puts a job whose pipeline was removed in the meantime back into the queue.
  private func release(_ job: Job) async {
    do { _ = try await store.move(job, by: .interrupt(at: store.now()), changes: []) } catch {
      logger.debug("a job of a removed pipeline was not returned to the queue", metadata: ["error": "\(error)"])
    }
  }

  private func plan(_ context: PipelineContext) async {
    observer.planning(context.name, .began)
    defer { observer.planning(context.name, .ended) }
    do { try await context.reconciler.reconcile(context) } catch is CancellationError {} catch {
      // The jobs are planned again at the next look at the repository.
      observer.failed(
        StageFailure(
          pipeline: context.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
    }
  }

  private func report(_ error: any Error, of job: Job, isRetried: Bool) {
    let isVendors = job.stage == .push || job.stage == .pull
    observer.failed(
      StageFailure(
        pipeline: job.pipeline, branch: job.stage.hasBranch ? job.scope : nil, stage: job.stage,
        vendor: isVendors ? job.scope : nil, error: error, isRetried: isRetried, job: job.id.rawValue))
    if let error = error as? PipelineError, !error.diagnostics.isEmpty {
      observer.found(job.pipeline, error.diagnostics)
    } else if let fault = error as? InputFault {
      observer.found(job.pipeline, fault.diagnostics)
    }
  }

  /// Extends the job's lease while the stage runs. A lost lease cancels the stage.
  private func withHeartbeat(
    _ job: Job, _ body: @escaping @Sendable () async throws -> StageOutcome
  ) async throws -> StageOutcome {
    try await withThrowingTaskGroup(of: StageOutcome?.self) { group in
      group.addTask(executorPreference: executor) { try await body() }
      group.addTask {
        while !Task.isCancelled {
          do { try await time.sleep(leaseLength / 3) } catch { return nil }
          do { try await store.heartbeat(job, for: leaseLength) } catch let error where !(error is StoreConflict) {
            // If the store is busy, the next heartbeat still comes before the lease ends.
            continue
          }
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
}
