private import Synchronization

/// A timer that rings a `WorkSignal` after a delay. Setting the timer again replaces a delay that has not ended.
final class Alarm: Sendable {
  private let signal: WorkSignal
  private let time: TimeSource
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(signal: WorkSignal, time: TimeSource) {
    self.signal = signal
    self.time = time
  }

  /// Sets the time at which the signal rings.
  /// - Parameter seconds: the delay from now, in seconds; `nil` turns the timer off.
  func set(_ seconds: Double?) {
    let new = seconds.map { seconds in
      Task { [signal, time] in
        do { try await time.sleep(.seconds(max(seconds, 0.001))) } catch { return }
        signal.ring()
      }
    }
    let old = task.withLock { task in
      defer { task = new }
      return task
    }
    old?.cancel()
  }

  func cancel() { set(nil) }
}
