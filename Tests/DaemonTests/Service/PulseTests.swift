import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct PulseTests {
  private final class Clock: Sendable {
    let time = Mutex(Duration.zero)
    func pass(_ duration: Duration) { time.withLock { $0 += duration } }
  }

  private let clock = Clock()
  private let measurements: RunMeasurements
  private let signal = WorkSignal()
  private let socket: NotifySocket

  init() throws {
    measurements = RunMeasurements(clock: { [clock] in clock.time.withLock { $0 } })
    socket = try NotifySocket()
  }

  private func pulse(watchdog: String?, _ more: [String: String] = [:]) -> Pulse {
    var environment = ["NOTIFY_SOCKET": socket.path].merging(more) { $1 }
    environment["WATCHDOG_USEC"] = watchdog
    return Pulse(
      measurements: measurements, signal: signal, manager: ServiceManager(environment: environment))
  }

  @Test("the watchdog is notified while both loops run, but not while one of them hangs")
  func watchdog() throws {
    let pulse = pulse(watchdog: "60000000")
    #expect(pulse.interval == .seconds(15))
    // Before their first iteration, the loops count as starting.
    pulse.beat()
    #expect(socket.received() == ["WATCHDOG=1"])
    measurements.noteCheck()
    measurements.noteTurn()
    clock.pass(.seconds(60))
    pulse.beat()
    #expect(socket.received() == ["WATCHDOG=1"])
    clock.pass(.seconds(1))
    measurements.noteCheck()
    pulse.beat()
    #expect(socket.received() == [])
    #expect(measurements.hang(longerThan: .seconds(60))?.loop == .worker)
    measurements.noteTurn()
    pulse.beat()
    #expect(socket.received() == ["WATCHDOG=1"])
    clock.pass(.seconds(61))
    measurements.noteTurn()
    pulse.beat()
    #expect(socket.received() == [])
    #expect(measurements.hang(longerThan: .seconds(60))?.loop == .supervisor)
  }

  @Test("each pulse wakes the worker, with or without a watchdog")
  func wakes() async throws {
    let pulse = pulse(watchdog: nil)
    #expect(pulse.interval == .seconds(20))
    pulse.beat()
    // The wait ends immediately, because the pulse has set the signal.
    await signal.wait()
    #expect(socket.received() == [])
  }

  @Test("the watchdog of another process and invalid intervals are ignored", arguments: ["0", "-1", "soon", ""])
  func othersWatchdog(_ interval: String) throws {
    #expect(pulse(watchdog: interval).interval == .seconds(20))
    #expect(pulse(watchdog: "60000000", ["WATCHDOG_PID": "1"]).interval == .seconds(20))
  }

  @Test("without a service manager, or with an invalid socket, no notification is sent")
  func noManager() {
    #expect(ServiceManager(environment: [:]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "run/notify"]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 200)]) == nil)
    // A missing socket causes no error.
    ServiceManager(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"])?.note(.alive)
  }

  @Test("a notification can be sent to an abstract socket")
  func abstractName() throws {
    let socket = try NotifySocket(isAbstract: true)
    try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.path])).note(.ready(pipelines: 1))
    #expect(socket.received() == ["READY=1\nSTATUS=1 pipeline runs"])
  }
}
