private import Localization

/// A blocking wait of a thread for asynchronous work.
package enum BlockingWait {
  /// Runs `body` in a task and blocks until the task ends, so it must not be called on Swift's cooperative pool.
  package static func value<Value: Sendable>(of body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = AwaitedOutcome<Value>()
    Task.detached {
      do { outcome.end(.success(try await body())) } catch { outcome.end(.failure(error)) }
    }
    return try outcome.value()
  }
}
