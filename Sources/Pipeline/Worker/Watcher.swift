import FoundationEssentials
import Localization
private import Synchronization

/// How often a repository is looked at: soon after something came, ever rarer while nothing does.
package struct PollInterval: Hashable, Sendable {
  /// The fixed interval of the pipeline file; `nil`: adaptive.
  private let fixed: Duration?
  package private(set) var current: Duration

  package static let shortest = Duration.seconds(15)
  package static let longest = Duration.seconds(900)

  package init(fixed: Duration?) {
    self.fixed = fixed
    current = fixed ?? Self.shortest
  }

  /// After a look.
  package mutating func looked(foundSomething: Bool) {
    guard fixed == nil else { return }
    current = foundSomething ? Self.shortest : min(current * 3 / 2, Self.longest)
  }
}

/// Polls one pipeline's repository, and brings the pipeline's jobs in step with what it finds.
package final class Watcher: Sendable {
  private let context: PipelineContext
  private let observer: WorkerObserver
  private let last = Mutex<WatchStage.Look?>(nil)
  /// What the store says about why nothing is watched: known after the first look.
  private let noted = Mutex<String??>(nil)

  package init(context: PipelineContext, observer: WorkerObserver) {
    self.context = context
    self.observer = observer
  }

  /// One look, shown as a stage that begins and ends.
  /// - Parameter isThorough: whether jobs are planned although nothing changed, and those that failed for good are tried again.
  package func look(isThorough: Bool) async throws -> WatchStage.Look {
    var event = ProgressEvent(pipeline: context.name, stage: .watch, state: .began)
    observer.progress(event)
    event.state = .ended
    do {
      let look = try await WatchStage.look(context, previous: isThorough ? nil : last.withLock { $0 })
      let isChanged = last.withLock { $0?.branches != look.branches }
      if isThorough || isChanged {
        try await context.reconciler.reconcile(context, retriesFailures: isThorough)
      }
      last.withLock { $0 = look }
      try await note(nil)
      event.outcome = JobState.Name.succeeded.rawValue
      let branches = look.watched == 1 ? "1 branch" : "\(look.watched) branches"
      event.detail = "\(branches), \(look.moved) with a new commit"
      observer.progress(event)
      return look
    } catch {
      event.outcome = JobState.Name.failed.rawValue
      event.detail = String(describing: error)
      observer.progress(event)
      // Where the store is what failed, its own error says so.
      if !(error is CancellationError) { try? await note(event.detail) }
      throw error
    }
  }

  /// Writes down why the repository cannot be looked at, or that it can be again: people are shown it beside the books.
  private func note(_ fault: String?) async throws {
    guard noted.withLock({ $0 }) != .some(fault) else { return }
    try await context.store.setWatchFault(fault, of: context.name)
    noted.withLock { $0 = .some(fault) }
  }

  /// Looks until cancelled or told to stop. A repository that does not answer is asked again, ever rarer.
  ///
  /// The first look comes at a random instant of the first interval, 5 s at most, so that many pipelines do not all begin at once.
  package func serve(jitter: Double, isStopping: @escaping @Sendable () -> Bool) async throws {
    let listener = VendorListener(context: context)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await listener.run() }
      defer { group.cancelAll() }
      try await poll(jitter: jitter, isStopping: isStopping)
    }
  }

  private func poll(jitter: Double, isStopping: @escaping @Sendable () -> Bool) async throws {
    var interval = PollInterval(fixed: context.definition.repository.poll)
    try await context.time.sleep(min(interval.current, .seconds(5)) * min(max(jitter, 0), 1))
    // Passed time is counted by what was slept, so that a clock that jumps changes nothing.
    var sinceThorough = PollInterval.longest
    while !isStopping() {
      let isThorough = sinceThorough >= PollInterval.longest
      do {
        let look = try await look(isThorough: isThorough)
        if isThorough { sinceThorough = .zero }
        if isThorough { try await tidy() }
        interval.looked(foundSomething: look.moved > 0)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        observer.failed(
          StageFailure(
            pipeline: context.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
        interval.looked(foundSomething: false)
      }
      try await context.time.sleep(interval.current)
      sinceThorough += interval.current
    }
  }

  /// Removes what is not needed any more from mirror, ledger and memory.
  private func tidy() async throws {
    try await context.mirror.maintain()
    try await context.store.prune(
      of: context.name, olderThan: context.store.now().addingTimeInterval(-Self.keptHeads.seconds))
    context.snapshots.forget()
  }

  /// How long commits that are no heads any more are remembered.
  private static let keptHeads = Duration.seconds(7 * 86_400)
}
