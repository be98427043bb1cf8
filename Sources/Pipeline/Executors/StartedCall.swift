private import Dispatch
private import Synchronization

/// A call that runs on a thread of a pool while the thread that started it does other work.
package final class StartedCall<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  fileprivate init() {}

  fileprivate func run(_ body: () throws -> Value) {
    let value = Result { try body() }
    result.withLock { $0 = value }
    end.signal()
  }

  /// Waits for the end of the call. This blocks, so it must not be called on Swift's cooperative pool.
  /// - Throws: what the call threw.
  package func value() throws -> Value {
    end.wait()
    end.signal()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("a call ended without a result") }
    return try value.get()
  }
}

extension BlockingPool {
  /// Starts a call on a thread of the pool.
  package func start<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> StartedCall<Value> {
    let call = StartedCall<Value>()
    submit { call.run(body) }
    return call
  }
}
