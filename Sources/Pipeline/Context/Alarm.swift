private import Synchronization

/// An alarm that rings a signal after a delay. Setting the alarm again replaces a delay that has not ended.
final class Alarm: Sendable {
  private let signal: WorkSignal
  private let time: TimeSource
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(signal: WorkSignal, time: TimeSource) {
    self.signal = signal
    self.time = time
  }

  /// - Parameter seconds: the delay from now, in seconds; `nil` turns the alarm off.
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
