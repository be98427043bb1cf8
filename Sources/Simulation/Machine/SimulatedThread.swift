internal import CSimulatedMachine
internal import Synchronization

/// An executor that runs tasks on the calling thread in the order in which they become runnable, and advances the time when no task is runnable. The
/// same tasks therefore always run in the same order.
package enum SimulatedThread {
  /// The error if no task is runnable or sleeping, although the body has not ended.
  package struct Deadlock: Error {}

  private final class Box<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs the body to its end. Tasks of the body that have not ended by then never continue.
  package static func run<Value: Sendable>(
    on time: VirtualTime, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    simulated_executor_begin()
    defer { simulated_executor_end() }
    let box = Box<Value>()
    Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      box.result.withLock { $0 = result }
    }
    while true {
      while simulated_executor_run_one() {}
      if let result = box.result.withLock({ $0 }) { return try result.get() }
      guard time.advance(limit: nil) else { throw Deadlock() }
    }
  }
}
