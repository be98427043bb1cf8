/// Waits for an effect of another process.
package enum OtherProcess {
  /// Checks every 10 ms: a task that only yields would take the processor from the process that it waits for.
  /// - Returns: whether the condition held within five minutes. That is enough for the busiest machine, so no test depends on its speed.
  package static func wait(until condition: () async throws -> Bool) async rethrows -> Bool {
    try await wait(while: { true }, until: condition)
  }

  /// - Returns: whether the condition held within five minutes and before the server ended.
  static func wait(for server: SupervisedChild, until condition: () async throws -> Bool) async rethrows -> Bool {
    try await wait(while: { !server.hasEnded }, until: condition)
  }

  private static func wait(
    while isPossible: () -> Bool, until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end, !Task.isCancelled, isPossible() {
      if try await condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    // On a busy machine, this task may have slept through the rest of the time.
    guard isPossible() else { return false }
    return try await condition()
  }
}
