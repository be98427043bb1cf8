import Synchronization

/// A request by the system or a person to stop a single run.
final class StopRequest: Sendable {
  private let signal = Mutex<Int32?>(nil)
  private let gate = StartGate()

  var isRequested: Bool { signal.withLock { $0 != nil } }

  func request(_ number: Int32) {
    signal.withLock { $0 = $0 ?? number }
    gate.open()
  }

  /// - Throws: `RunInterruption` after the request.
  func check() throws {
    if let number = signal.withLock({ $0 }) { throw RunInterruption(signal: number) }
  }

  /// Runs a body, and cancels it some time after the request.
  /// - Throws: the errors of the body; `RunInterruption` if it was cancelled because of the request.
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

/// A single run was stopped by a signal before its work was done. The next run continues from there.
package struct RunInterruption: Error {
  package let signal: Int32

  /// The exit code that shells report for a process ended by a signal.
  package var exitCode: Int32 { 128 + signal }
}
