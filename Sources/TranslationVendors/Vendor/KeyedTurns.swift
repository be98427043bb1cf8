/// Serial queues, one for each key. They are used for work that reads, changes and writes something, and must not be interrupted by other work with
/// the same key.
package actor KeyedTurns {
  /// The queues of this process.
  package static let shared = KeyedTurns()
  private var last: [String: (number: Int, end: Task<Void, Never>)] = [:]
  private var number = 0

  package init() {}

  /// Runs work after all earlier work with the same key has finished. Throws the error of the work, or `CancellationError` if the task is cancelled
  /// before the work starts.
  package func run<Result: Sendable>(
    _ key: String, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    number += 1
    let own = number
    let before = last[key]?.end
    let work = Task {
      await before?.value
      try Task.checkCancellation()
      return try await body()
    }
    last[key] = (own, Task { _ = await work.result })
    defer { if last[key]?.number == own { last[key] = nil } }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
