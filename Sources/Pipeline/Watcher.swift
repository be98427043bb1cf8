import FoundationEssentials

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

/// Polls one pipeline's repository, and now and then its vendors.
package struct Watcher: Sendable {
  private let context: PipelineContext
  private let observer: WorkerObserver

  package init(context: PipelineContext, observer: WorkerObserver) {
    self.context = context
    self.observer = observer
  }

  /// One look, told as a stage that begins and ends.
  package func look(isThorough: Bool) async throws -> WatchStage.Look {
    var event = ProgressEvent(pipeline: context.name, stage: .watch, state: .began)
    observer.progress(event)
    event.state = .ended
    do {
      let look = try await WatchStage.look(context)
      try await WatchStage.repair(context, heads: look.heads, isThorough: isThorough)
      event.outcome = JobState.Name.succeeded.rawValue
      let branches = look.heads.count == 1 ? "1 branch" : "\(look.heads.count) branches"
      event.detail = "\(branches), \(look.moved.count) with a new commit"
      observer.progress(event)
      return look
    } catch {
      event.outcome = JobState.Name.failed.rawValue
      event.detail = String(describing: error)
      observer.progress(event)
      throw error
    }
  }

  /// Looks until cancelled or told to stop. A repository that does not answer is asked again, ever rarer.
  package func serve(isStopping: @escaping @Sendable () -> Bool) async throws {
    var interval = PollInterval(fixed: context.definition.repository.poll)
    var lastThorough: Date?
    while !isStopping() {
      let now = context.time.now()
      let isThorough = lastThorough.map { now.timeIntervalSince($0) >= PollInterval.longest.seconds } ?? true
      do {
        let look = try await look(isThorough: isThorough)
        if isThorough { lastThorough = now }
        interval.looked(foundSomething: !look.moved.isEmpty)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        observer.failed(
          StageFailure(
            pipeline: context.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
        interval.looked(foundSomething: false)
      }
      try await context.time.sleep(interval.current)
    }
  }
}
