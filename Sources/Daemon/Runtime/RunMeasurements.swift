internal import Localization
package import Pipeline
private import Synchronization

/// Counters of the work that a daemon has done since its start. All members may be called from several tasks.
package final class RunMeasurements: Sendable {
  /// A histogram of the durations of stages.
  package struct Durations: Hashable, Sendable {
    /// The upper limits of the buckets, in seconds, ascending. One more bucket has no limit.
    package static let limits = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800]

    /// The number of stages in each bucket. The last bucket contains the stages above all limits.
    package private(set) var counts = [Int](repeating: 0, count: limits.count + 1)
    /// The sum of the durations, in seconds.
    package private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      counts[Self.limits.firstIndex { seconds <= $0 } ?? Self.limits.count] += 1
      sum += seconds
    }
  }

  /// The labels of the counter for ended stages. `vendor` is set only for the stages push and pull.
  package struct StageEnd: Hashable, Sendable {
    package var pipeline: String
    package var stage: Stage
    package var vendor: String?
    package var outcome: String
  }

  /// The labels of the counter for HTTP requests to vendors and forges. The status is `nil` if there was no response.
  package struct RequestResult: Hashable, Sendable {
    package var host: String
    package var status: Int?
  }

  /// The labels of the counter for requests to webhooks.
  package struct WebhookResult: Hashable, Sendable {
    package var pipeline: String
    package var result: String
  }

  package struct Figures: Sendable {
    package fileprivate(set) var durations: [Stage: Durations] = [:]
    package fileprivate(set) var ends: [StageEnd: Int] = [:]
    package fileprivate(set) var requests: [RequestResult: Int] = [:]
    package fileprivate(set) var webhooks: [WebhookResult: Int] = [:]
  }

  private struct Topic: Hashable {
    var pipeline: String
    var stage: Stage
    var about: String?
  }

  private struct State {
    var figures = Figures()
    var began: [Topic: Duration] = [:]
    var lastCheck: Duration?
    var lastTurn: Duration?
  }

  private let state = Mutex(State())
  private let clock: @Sendable () -> Duration

  /// - Parameter clock: returns the time since some fixed instant; it never goes backwards.
  package init(clock: @escaping @Sendable () -> Duration = RunMeasurements.machineClock()) { self.clock = clock }

  /// Returns a clock that starts now.
  package static func machineClock() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }

  package var figures: Figures { state.withLock(\.figures) }

  /// A loop of the daemon that serves all pipelines.
  package enum Loop: Hashable, Sendable {
    /// The supervisor checks the pipeline files every few seconds.
    case supervisor
    /// The worker makes a pass at least at each ``Pulse``.
    case worker
  }

  /// Whether the supervisor has checked the pipeline files at least once.
  package var hasStarted: Bool { state.withLock { $0.lastCheck != nil } }

  /// Returns the loop that has made no pass for longer than a limit, and the time since its last pass; `nil` if there is no such loop. A loop that
  /// has not made its first pass is still starting and does not count.
  package func hang(longerThan limit: Duration) -> (loop: Loop, pause: Duration)? {
    let now = clock()
    let (check, turn) = state.withLock { ($0.lastCheck, $0.lastTurn) }
    for (loop, last) in [(Loop.supervisor, check), (.worker, turn)] {
      if let last, now - last > limit { return (loop, now - last) }
    }
    return nil
  }

  package func noteCheck() {
    let now = clock()
    state.withLock { $0.lastCheck = now }
  }

  package func noteTurn() {
    let now = clock()
    state.withLock { $0.lastTurn = now }
  }

  package func note(_ event: ProgressEvent) {
    let topic = Topic(pipeline: event.pipeline, stage: event.stage, about: event.scope ?? event.branch)
    let now = clock()
    state.withLock { state in
      guard event.state == .ended else {
        state.began[topic] = now
        return
      }
      let end = StageEnd(
        pipeline: event.pipeline, stage: event.stage, vendor: event.stage.hasVendor ? event.scope : nil,
        outcome: event.outcome ?? "unknown")
      state.figures.ends[end, default: 0] += 1
      guard let began = state.began.removeValue(forKey: topic) else { return }
      state.figures.durations[event.stage, default: Durations()].add((now - began).seconds)
    }
  }

  package func noteRequest(to host: String, status: Int?) {
    state.withLock { $0.figures.requests[RequestResult(host: host, status: status), default: 0] += 1 }
  }

  /// Counts a request to a webhook.
  /// - Parameters:
  ///   - pipeline: the name of an existing pipeline, never a name from the request.
  ///   - result: one of a few fixed words.
  package func noteWebhook(of pipeline: String, _ result: String) {
    state.withLock { $0.figures.webhooks[WebhookResult(pipeline: pipeline, result: result), default: 0] += 1 }
  }
}

extension Stage {
  /// Whether the stage has one job for each vendor.
  fileprivate var hasVendor: Bool { self == .push || self == .pull }
}
