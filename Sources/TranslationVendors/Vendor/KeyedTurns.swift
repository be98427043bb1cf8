/// A queue for each key that runs one piece of work at a time: for places that are read, changed and written as a whole.
package actor KeyedTurns {
  /// The turns of the process.
  package static let shared = KeyedTurns()
  private var last: [String: (number: Int, end: Task<Void, Never>)] = [:]
  private var number = 0

  package init() {}

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
