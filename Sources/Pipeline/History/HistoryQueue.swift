internal import Synchronization

/// The pipelines whose history may be incomplete, in the order in which they were added.
package final class HistoryQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    /// The pipelines whose repositories were checked since the start.
    var known: Set<String> = []
  }

  private let state = Mutex(State())
  let signal = WorkSignal()

  package init() {}

  /// Adds the event's pipeline if the event reports the first successful check of the repository, or a successful extraction of a commit.
  package func note(_ event: ProgressEvent) {
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
