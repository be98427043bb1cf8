import Localization
import Pipeline
import ServiceLifecycle
import Synchronization

/// The pipelines whose history may be incomplete, in order.
final class HistoryQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    /// The pipelines that were looked at since the start.
    var known: Set<String> = []
  }

  private let state = Mutex(State())
  let signal = WorkSignal()

  /// Adds a pipeline after its first look, and after each commit that was extracted.
  func note(_ event: ProgressEvent) {
    guard event.state == .ended, event.outcome == JobState.Name.succeeded.rawValue else { return }
    switch event.stage {
    case .extract: add(event.pipeline)
    case .watch:
      if state.withLock({ $0.known.insert(event.pipeline).inserted }) { add(event.pipeline) }
    default: break
    }
  }

  func add(_ pipeline: String) {
    state.withLock { if !$0.waiting.contains(pipeline) { $0.waiting.append(pipeline) } }
    signal.ring()
  }

  func next() -> String? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }
}

/// Records what commits changed, one commit at a time for the whole process, while no stage reads commits. Pipelines take turns, so a push
/// to one does not wait for the long history of another.
struct HistoryService: Service {
  /// How many commits of a pipeline are recorded before the next one has its turn.
  static let turnLimit = 20
  /// How many commits `run --once` records.
  static let onceLimit = 100
  private static let breath = Duration.milliseconds(100)
  private static let retry = Duration.seconds(60)

  let recorder: HistoryRecorder
  let queue: HistoryQueue
  let registry: PipelineRegistry
  let time: TimeSource
  let report: @Sendable (_ pipeline: String, _ text: String) -> Void

  func run() async throws {
    // A record that was not written is made again by the next process.
    try await cancelWhenGracefulShutdown {
      do { try await work() } catch is CancellationError {}
    }
  }

  private func work() async throws {
    var failing: [String: String] = [:]
    var recorded: [String: Int] = [:]
    while true {
      try Task.checkCancellation()
      guard let name = queue.next() else {
        await queue.signal.wait()
        continue
      }
      guard let context = registry[name] else { continue }
      do {
        let turn = try await recorder.turn(context, limit: Self.turnLimit)
        if failing.removeValue(forKey: name) != nil { report(name, "history: working again") }
        recorded[name, default: 0] += turn.recorded
        guard turn.hasMore else {
          // The commits of a usual push are not worth a log line.
          if let count = recorded.removeValue(forKey: name), count > Self.turnLimit {
            report(name, "history: \(count) commits recorded")
          }
          continue
        }
        queue.add(name)
        if turn.recorded == 0 { try await time.sleep(Self.breath) }
      } catch let error as CancellationError {
        throw error
      } catch {
        if failing[name] != "\(error)" { report(name, "history: error: \(error) (will be retried)") }
        failing[name] = "\(error)"
        // A commit that cannot be read must not keep the thread busy. The next extraction brings its turn forward.
        if (error as? any DisposableError)?.disposition == .retry {
          try await time.sleep(Self.retry)
          queue.add(name)
        }
      }
    }
  }
}
