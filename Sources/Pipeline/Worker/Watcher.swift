import FoundationEssentials
import Localization
private import Synchronization

/// Polls the repository of one pipeline, listens to the pipeline's vendors, and updates the pipeline's jobs after changes.
package final class Watcher: Sendable {
  private let context: PipelineContext
  private let observer: WorkerObserver
  private let last = Mutex<WatchStage.Look?>(nil)
  /// The pipeline's watch fault in the store. The outer optional is `nil` until the first look.
  private let noted = Mutex<String??>(nil)
  /// The branches that were reported because their names are not UTF-8.
  private let unreadable = Mutex<Set<String>>([])
  /// The branches that were reported because `deliver.branch` includes their names.
  private let excluded = Mutex<Set<String>>([])

  package init(context: PipelineContext, observer: WorkerObserver) {
    self.context = context
    self.observer = observer
  }

  /// Checks the repository once, and reports the look as a stage that begins and ends.
  /// - Parameter isThorough: whether to plan jobs even if nothing changed, and to retry jobs that failed permanently.
  package func look(isThorough: Bool) async throws -> WatchStage.Look {
    var event = ProgressEvent(pipeline: context.name, stage: .watch, state: .began)
    observer.progress(event)
    event.state = .ended
    do {
      let look = try await WatchStage.look(context, previous: isThorough ? nil : last.withLock { $0 })
      let isChanged = last.withLock { $0?.branches != look.branches } || !context.reconciler.knows(look.branches)
      if isThorough || isChanged {
        try await context.reconciler.reconcile(context, retriesFailures: isThorough)
      }
      last.withLock { $0 = look }
      try await note(nil)
      try await reportUnreadable()
      if isThorough || isChanged { try await reportExcluded(look) }
      event.outcome = JobState.Name.succeeded.rawValue
      let branches = look.watched == 1 ? "1 branch" : "\(look.watched) branches"
      event.detail = "\(branches), \(look.withNewCommit) with a new commit"
      event.commit = look.newCommit?.rawValue
      observer.progress(event)
      return look
    } catch {
      let isInterrupted = error is CancellationError || Task.isCancelled
      event.outcome = (isInterrupted ? JobState.Name.queued : .failed).rawValue
      event.detail = isInterrupted ? nil : String(describing: error)
      observer.progress(event)
      // If the store failed, saving the fault fails too. Only the original error is thrown.
      if !isInterrupted { try? await note(event.detail) }
      throw error
    }
  }

  /// Saves the reason why the repository cannot be read; `nil` if it can be read again. `dragoman rounds` and the API show it.
  private func note(_ fault: String?) async throws {
    guard noted.withLock({ $0 }) != .some(fault) else { return }
    try await context.store.setWatchFault(fault, of: context.name)
    noted.withLock { $0 = .some(fault) }
  }

  /// Returns the names that are not in `known`, and replaces `known` by all names, so each name is reported once.
  private static func unreported(_ names: Set<String>, _ known: borrowing Mutex<Set<String>>) -> Set<String> {
    known.withLock { known in
      defer { known = names }
      return names.subtracting(known)
    }
  }

  /// Reports once each branch that the pipeline would watch but whose name is not UTF-8.
  private func reportUnreadable() async throws {
    let names = Set(try await context.mirror.unreadableBranches())
      .filter { context.definition.watches($0, defaultBranch: nil) }
    let new = Self.unreported(names, unreadable)
    guard !new.isEmpty else { return }
    observer.found(
      context.name,
      new.sorted().map { name in
        Diagnostic(
          path: context.name, severity: .warning, message: "branch \(name) is skipped: its name is not UTF-8",
          hint: "rename the branch to a name in UTF-8")
      })
  }

  /// Reports once each branch that matches a watched pattern but is not watched, because `deliver.branch` includes its name. Branches to which
  /// this pipeline delivered earlier are left out.
  private func reportExcluded(_ look: WatchStage.Look) async throws {
    let definition = context.definition
    let names = Set(definition.excludedByDelivery(among: look.branches.map(\.name), defaultBranch: nil))
    let targets =
      names.isSubset(of: excluded.withLock { $0 })
      ? [] : try await context.store.deliveries(of: context.name, since: .distantPast).map(\.target)
    let new = Self.unreported(names, excluded).subtracting(targets)
    guard !new.isEmpty else { return }
    observer.found(
      context.name,
      new.sorted().map { name in
        Diagnostic(
          path: context.name, severity: .warning,
          message: "branch \(name) is not watched, because deliver.branch (\(definition.deliver.branch)) includes it",
          hint: "set another deliver.branch, such as l10n/{branch}; delete the branch if it is an old delivery branch")
      })
  }

  /// Polls the repository and listens to the vendors until the task is cancelled or `isStopping` returns true. A repository that does not
  /// respond is tried again at growing intervals, unless the pipeline file sets a fixed interval.
  ///
  /// The first look happens at a random time within the first interval, and within 5 s at most. This spreads the load of many pipelines.
  /// - Parameter jitter: a random number from 0 to 1, by which the time until the first look is multiplied.
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
    // The sum of the sleep times since the last thorough look. A jump of the system clock affects it only if a request ended a sleep early.
    var sinceThorough = PollInterval.longest
    while !isStopping() {
      if let looks = context.looks, looks.isPaused {
        sinceThorough += try await looks.wait(atMost: PollInterval.longest, time: context.time)
        continue
      }
      let hasEvent = context.looks?.takeEvent() ?? false
      let isAsked = context.looks?.takeQuestion() ?? false
      let isThorough = isAsked || sinceThorough >= PollInterval.longest
      do {
        let look = try await look(isThorough: isThorough)
        // The event may be about a pull request, which the branches do not show.
        if hasEvent, context.definition.reviewsPullRequests {
          try await context.store.wake(context.name, stage: .review, scope: nil)
          context.signal.ring()
        }
        if isThorough { sinceThorough = .zero }
        if isThorough { try await tidy() }
        if interval.looked(foundSomething: look.moved > 0 && !isAsked, afterEvent: hasEvent) { reportLostEvents() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // An operation that was interrupted because the daemon is stopping has not failed.
        try Task.checkCancellation()
        observer.failed(
          StageFailure(
            pipeline: context.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
        interval.failed()
      }
      sinceThorough += try await pause(interval.current, afterEvent: hasEvent || isAsked)
    }
  }

  /// Waits for the next look.
  /// - Returns: the time that passed.
  private func pause(_ interval: Duration, afterEvent: Bool) async throws -> Duration {
    guard let looks = context.looks else {
      try await context.time.sleep(interval)
      return interval
    }
    // If many events arrive at once, they trigger at most five looks a second.
    let gap = afterEvent ? min(interval, Self.eventGap) : .zero
    if gap > .zero { try await context.time.sleep(gap) }
    return try await gap + looks.wait(atMost: interval - gap, time: context.time)
  }

  private func reportLostEvents() {
    let last = context.looks?.lastEvent.map { $0.formatted(.iso8601) } ?? "unknown"
    observer.found(
      context.name,
      [
        Diagnostic(
          path: context.name, severity: .warning,
          message: "polling found a commit without a webhook event; the last event arrived at \(last)",
          hint:
            "check the deliveries of the webhook on the git server. Until an event arrives, Dragoman polls more often")
      ])
  }

  /// The minimum time between two looks that events trigger. It is short because a person may push immediately after one of our pushes, and
  /// the event of our push arrives first.
  private static let eventGap = Duration.milliseconds(200)

  /// Removes data that is no longer needed from the mirror, the ledger and memory.
  private func tidy() async throws {
    try await context.snapshots.maintain()
    try await context.store.prune(
      of: context.name, olderThan: context.store.now().addingTimeInterval(-Run.kept.seconds))
    context.snapshots.forget()
  }
}
