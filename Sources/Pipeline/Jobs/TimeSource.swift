package import FoundationEssentials

/// A source of the current time, and a way to wait. Tests and the simulation replace it.
package struct TimeSource: Sendable {
  package var now: @Sendable () -> Date
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's clock.
  package static let system = TimeSource(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
