private import Dispatch
private import Synchronization

/// Waits on a thread for asynchronous work.
package enum BlockingWait {
  /// Runs `body` in a task and blocks until it ends, so it must not be called on Swift's cooperative pool.
  package static func value<Value: Sendable>(of body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Outcome<Value>()
    Task.detached {
      do { result.end(.success(try await body())) } catch { result.end(.failure(error)) }
    }
    return try result.wait()
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func end(_ result: Result<Value, any Error>) {
      value.withLock { $0 = result }
      isThere.signal()
    }

    func wait() throws -> Value {
      isThere.wait()
      guard let result = value.withLock({ $0 }) else { preconditionFailure("a task ended without a result") }
      return try result.get()
    }
  }
}
