package import Pipeline

/// A regular pulse, which wakes the worker. As long as neither the worker nor the supervisor hangs, it also reports to the service manager that the
/// daemon works.
///
/// Only these two loops are checked, because they serve all pipelines. A single pipeline that hangs must not cause a restart of all others.
package struct Pulse: Sendable {
  /// The interval at which the worker is woken, unless the service manager requires a shorter interval.
  private static let interval = Duration.seconds(20)
  /// The time without a pass after which a loop counts as hanging. The supervisor checks the pipeline files every two seconds, and the worker makes a
  /// pass at each pulse.
  package static let longestPause = Duration.seconds(120)

  private let measurements: RunMeasurements
  private let signal: WorkSignal
  private let manager: ServiceManager?

  package init(measurements: RunMeasurements, signal: WorkSignal, manager: ServiceManager?) {
    self.measurements = measurements
    self.signal = signal
    self.manager = manager
  }

  /// The interval between pulses. It is at most a quarter of the time that the service manager allows, so one lost message has no effect.
  package var interval: Duration { min(Self.interval, (manager?.watchdog ?? .seconds(3600)) / 4) }

  /// Wakes the worker. If the service manager watches the daemon and no loop hangs, also reports that the daemon works.
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
