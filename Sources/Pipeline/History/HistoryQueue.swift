internal import Synchronization

/// The pipelines whose history may be incomplete, in the order in which they were added.
package final class HistoryQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    /// The pipelines whose repositories were checked since the start.
    var known: Set<String> = []
    /// The pipelines that will be added after a pause.
    var postponed: Set<String> = []
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

  /// Adds the pipeline after a pause, unless it is already waiting for the end of one.
  func add(_ pipeline: String, after pause: @Sendable () async throws -> Void) async throws {
    guard state.withLock({ $0.postponed.insert(pipeline).inserted }) else { return }
    defer { state.withLock { _ = $0.postponed.remove(pipeline) } }
    try await pause()
    add(pipeline)
  }

  func next() -> String? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }
}
