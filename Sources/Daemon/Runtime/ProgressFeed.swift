package import Pipeline
private import Synchronization

/// A feed of the progress of stages, for all listeners. The last events are kept, so a listener that soon reconnects misses no event.
package final class ProgressFeed: Sendable {
  /// An event with its number. Numbers begin with 1 at the start of the process.
  package struct Numbered: Hashable, Sendable {
    package var number: Int
    package var event: ProgressEvent
  }

  /// The minimum number of recent events that are kept. A listener that is further behind misses the oldest events.
  package static let kept = 1000
  /// The maximum number of listeners.
  package static let mostListeners = 64

  private struct State {
    var last = 0
    var recent: [Numbered] = []
    var listeners: [Int: AsyncStream<Numbered>.Continuation] = [:]
    var nextListener = 0
  }

  private let state = Mutex(State())
  /// A lock that is held while listeners receive an event, so all listeners receive the events in order. `state` must not be locked at the same time,
  /// because this could cause a deadlock: a listener whose task is cancelled removes itself from `state` while the task is locked, and `yield` locks
  /// the task to wake it.
  private let order = Mutex(())

  package init() {}

  func note(_ event: ProgressEvent) {
    order.withLock { _ in
      let (numbered, listeners) = state.withLock { state in
        state.last += 1
        let numbered = Numbered(number: state.last, event: event)
        state.recent.append(numbered)
        // Old events are removed in groups, because removing from the front moves all other elements.
        if state.recent.count >= 2 * Self.kept { state.recent.removeFirst(Self.kept) }
        return (numbered, Array(state.listeners.values))
      }
      for listener in listeners { listener.yield(numbered) }
    }
  }

  /// Returns a stream of the events after a given event.
  /// - Parameter number: the number of the last event that the listener has received; `nil` for only new events.
  /// - Returns: `nil` if there are too many listeners.
  package func listen(after number: Int?) -> AsyncStream<Numbered>? {
    state.withLock { state in
      guard state.listeners.count < Self.mostListeners else { return nil }
      let (stream, continuation) = AsyncStream<Numbered>.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
      // A number that is too high is from before a restart, so all kept events are new to this listener.
      if let number {
        for event in state.recent where number > state.last || event.number > number { continuation.yield(event) }
      }
      let id = state.nextListener
      state.nextListener += 1
      state.listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[id] = nil }
      }
      return stream
    }
  }
}
