package import FoundationEssentials
private import Synchronization

/// Requests by webhooks and people to check a pipeline's repository before its next poll, and whether the pipeline is paused. Requests that
/// arrive before the next check are combined.
package final class LookRequests: Sendable {
  private struct State {
    var hasEvent = false
    var isAsked = false
    var isPaused = false
    var lastEvent: Date?
  }

  private let state = Mutex(State())
  private let signal = WorkSignal()

  package init() {}

  /// Records that the server of the repository sent a verified webhook event about a change.
  package func noteEvent(at now: Date) {
    state.withLock { state in
      state.hasEvent = true
      state.lastEvent = now
    }
    signal.ring()
  }

  /// Records that a person requested a check. Such a check also retries failed jobs.
  package func ask() {
    state.withLock { $0.isAsked = true }
    signal.ring()
  }

  /// Returns whether a person has requested a check, or the pipeline was resumed, since the last call.
  func takeQuestion() -> Bool {
    state.withLock { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
  }

  package var isPaused: Bool { state.withLock(\.isPaused) }

  /// Pauses or resumes the pipeline. The repository is not checked during a pause; the first check after the pause also retries failed
  /// jobs.
  func setPaused(_ isPaused: Bool) {
    let isChanged = state.withLock { state in
      guard state.isPaused != isPaused else { return false }
      state.isPaused = isPaused
      state.isAsked = state.isAsked || !isPaused
      return true
    }
    if isChanged { signal.ring() }
  }

  /// The time of the last webhook event; `nil` if none has arrived since the start of the process.
  package var lastEvent: Date? { state.withLock(\.lastEvent) }

  /// Returns whether a webhook event has arrived since the last call.
  func takeEvent() -> Bool {
    state.withLock { state in
      defer { state.hasEvent = false }
      return state.hasEvent
    }
  }

  /// Waits until the next request, or until the pipeline is paused or resumed, for at most `limit`.
  /// - Returns: the time that passed, from zero to `limit`. A jump of the clock affects the result only if the wait ended before `limit`.
  func wait(atMost limit: Duration, time: TimeSource) async throws -> Duration {
    let start = time.now()
    let isOver = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await time.sleep(limit)
        return true
      }
      group.addTask { [signal] in
        await signal.wait()
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? true
    }
    try Task.checkCancellation()
    return isOver ? limit : min(limit, max(.zero, .seconds(time.now().timeIntervalSince(start))))
  }
}
