import Synchronization

/// A request, made by a signal, to stop a single run or a daemon.
final class StopRequest: Sendable {
  private let signal = Mutex<Int32?>(nil)
  private let gate = StartGate()

  var isRequested: Bool { signal.withLock { $0 != nil } }

  func request(_ number: Int32) {
    signal.withLock { $0 = $0 ?? number }
    gate.open()
  }

  /// Throws `RunInterruption` if a stop was requested.
  func check() throws {
    if let number = signal.withLock({ $0 }) { throw RunInterruption(signal: number) }
  }

  /// Runs a closure, and cancels it when the grace period after a request to stop is over.
  /// - Throws: the errors of the closure; `RunInterruption` if the closure was cancelled because of the request.
  func run<Value: Sendable>(
    cancellingAfter grace: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask { [gate] in
          try await gate.wait()
          try await Task.sleep(for: grace)
          return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else { throw CancellationError() }
        return value
      }
    } catch let error as CancellationError {
      try check()
      throw error
    }
  }
}

/// The error for a single run that a signal stopped before its work was done. The next run continues its work.
package struct RunInterruption: Error {
  package let signal: Int32

  /// The exit code that shells report for a process that was killed by the signal.
  package var exitCode: Int32 { 128 + signal }
}
