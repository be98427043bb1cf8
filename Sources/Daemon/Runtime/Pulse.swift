package import Pipeline

/// Wakes the worker regularly, and reports to the service manager that the daemon works while both the worker and the supervisor do.
///
/// One pipeline that hangs is not a reason to restart the others: only the two loops that serve all pipelines count.
package struct Pulse: Sendable {
  /// How often the worker is woken if no service manager needs it more often.
  private static let interval = Duration.seconds(20)
  /// The supervisor checks the pipeline files every two seconds and the worker makes a pass at each pulse. A loop without a pass for
  /// this long counts as hanging.
  package static let longestPause = Duration.seconds(120)

  private let measurements: RunMeasurements
  private let signal: WorkSignal
  private let manager: ServiceManager?

  package init(measurements: RunMeasurements, signal: WorkSignal, manager: ServiceManager?) {
    self.measurements = measurements
    self.signal = signal
    self.manager = manager
  }

  /// At most a quarter of the time that the service manager allows, so that one lost message has no effect.
  package var interval: Duration { min(Self.interval, (manager?.watchdog ?? .seconds(3600)) / 4) }

  /// Wakes the worker, and reports that the daemon works if nothing hangs.
  package func beat() {
    signal.ring()
    guard let manager, let watchdog = manager.watchdog else { return }
    if measurements.hang(longerThan: min(watchdog, Self.longestPause)) == nil { manager.note(.alive) }
  }

  package func run(time: TimeSource) async throws {
    while true {
      beat()
      try await time.sleep(interval)
    }
  }
}
