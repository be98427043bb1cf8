private import Dispatch
private import Synchronization

/// The outcome of work on one thread, for which other threads can wait.
package final class AwaitedOutcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  package init() {}

  /// Sets the outcome. Must be called exactly once.
  package func end(_ outcome: Result<Value, any Error>) {
    result.withLock { $0 = outcome }
    isThere.signal()
  }

  /// Waits for the outcome and returns its value. The wait blocks the thread, so do not call this on Swift's cooperative pool.
  /// - Throws: the error with which the work ended.
  @Sendable package func value() throws -> Value {
    isThere.wait()
    // Wakes the next thread that waits.
    isThere.signal()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("work ended without an outcome") }
    return try result.get()
  }
}
