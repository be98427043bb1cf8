/// A wait for an effect of another process.
package enum OtherProcess {
  /// Waits until a condition holds, and checks it every 10 ms. A task that only yields would take processor time from the process for which it waits.
  /// The wait ends early if the task is cancelled.
  /// - Returns: whether the condition held within five minutes. This limit is so long that no test depends on the machine's speed.
  package static func wait(until condition: () async throws -> Bool) async rethrows -> Bool {
    try await wait(while: { true }, until: condition)
  }

  /// Waits for an effect of a server.
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
    // On a busy machine, the condition may have become true since the last check, because this task did not run.
    guard isPossible() else { return false }
    return try await condition()
  }
}
