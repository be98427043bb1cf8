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
    // systemd's watchdog does not watch a service that is stopping.
    try await cancelWhenGracefulShutdown {
      do { try await pulse.run(time: time) } catch is CancellationError {}
    }
  }
}

/// Returns memory to the system that the work of the last minutes no longer needs.
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
    // The next daemon repeats a message that is being sent when this one stops, with the same id.
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
    // The wait for the next poll need not finish.
    try await cancelWhenGracefulShutdown {
      do { try await supervisor.run() } catch is CancellationError {}
    }
  }
}
