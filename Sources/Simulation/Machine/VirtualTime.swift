package import FoundationEssentials
import Localization
import Pipeline
internal import Synchronization

/// A simulated time, which passes only when no task is runnable.
///
/// `elapsed` never decreases. The clock that programs read is `elapsed` plus an offset, which can change at any time.
package final class VirtualTime: Sendable {
  private struct Timer {
    var due: Duration
    var sequence: Int
    var continuation: UnsafeContinuation<Void, Never>
  }

  private struct State {
    var elapsed = Duration.zero
    var offset = Duration.zero
    var sequence = 0
    /// The timers in descending order. The next timer is the last one.
    var timers: [Timer] = []
  }

  private let state = Mutex(State())
  private let start: Date

  package init(start: Date = Date(timeIntervalSince1970: 1_700_000_000)) { self.start = start }

  package var elapsed: Duration { state.withLock { $0.elapsed } }

  /// The time that the machine's clock shows.
  package var now: Date {
    let (elapsed, offset) = state.withLock { ($0.elapsed, $0.offset) }
    return start.addingTimeInterval((elapsed + offset).seconds)
  }

  /// Sets the machine's clock forward or backward. Sleeping tasks are not affected.
  package func jump(by duration: Duration) { state.withLock { $0.offset += duration } }

  /// Suspends the task for a duration. If the task is cancelled, it wakes immediately.
  package func sleep(_ duration: Duration) async {
    let number = state.withLock { state in
      state.sequence += 1
      return state.sequence
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isCancelled = Task.isCancelled
        let wakes = state.withLock { state in
          guard !isCancelled else { return true }
          let timer = Timer(
            due: state.elapsed + max(duration, .zero), sequence: number, continuation: continuation)
          let place = state.timers.firstIndex { ($0.due, $0.sequence) < (timer.due, number) } ?? state.timers.count
          state.timers.insert(timer, at: place)
          return false
        }
        if wakes { continuation.resume() }
      }
    } onCancel: {
      let timer: Timer? = state.withLock { state in
        guard let place = state.timers.firstIndex(where: { $0.sequence == number }) else { return nil }
        return state.timers.remove(at: place)
      }
      timer?.continuation.resume()
    }
  }

  /// Advances to the earliest timer and wakes its task.
  /// - Returns: whether a task was woken; `false` if no task sleeps, or if no task is due by `limit`.
  func advance(limit: Duration?) -> Bool {
    let timer: Timer? = state.withLock { state in
      guard let next = state.timers.last else { return nil }
      if let limit, next.due > limit { return nil }
      state.timers.removeLast()
      state.elapsed = max(state.elapsed, next.due)
      return next
    }
    timer?.continuation.resume()
    return timer != nil
  }
}
