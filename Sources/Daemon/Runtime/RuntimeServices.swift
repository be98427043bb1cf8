import Pipeline
import ServiceLifecycle
import SwiftParsing

// The parts of a running daemon, as services of one group.

struct WorkerService: Service {
  let worker: Worker
  /// Wakes an idle worker when the process is stopping.
  let signal: WorkSignal

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await worker.serve(isStopping: { Task.isShuttingDownGracefully })
    } onGracefulShutdown: {
      signal.ring()
    }
  }
}

struct PulseService: Service {
  let pulse: Pulse
  let time: TimeSource
  func run() async throws {
    // systemd does not watch a service that it stops.
    try await cancelWhenGracefulShutdown {
      do { try await pulse.run(time: time) } catch is CancellationError {}
    }
  }
}

/// Returns memory to the system that work of the last minutes needed.
struct MemoryService: Service {
  let time: TimeSource
  private static let interval = Duration.seconds(300)

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      do {
        while true {
          try await time.sleep(Self.interval)
          Allocation.giveBack()
        }
      } catch is CancellationError {}
    }
  }
}

struct NotifierService: Service {
  let notifier: Notifier
  let registry: PipelineRegistry
  let time: TimeSource

  func run() async throws {
    // A message that is on its way when the daemon stops is sent again by the next one, with the same id.
    try await cancelWhenGracefulShutdown {
      do {
        while true {
          await notifier.turn(registry.definitions)
          try await time.sleep(Notifier.interval)
        }
      } catch is CancellationError {}
    }
  }
}

struct SupervisorService: Service {
  let supervisor: PipelineSupervisor
  func run() async throws {
    // The wait for the next look need not finish.
    try await cancelWhenGracefulShutdown {
      do { try await supervisor.run() } catch is CancellationError {}
    }
  }
}
