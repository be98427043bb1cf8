import Pipeline
import ServiceLifecycle
import SwiftParsing

// The services of a running daemon. They run in one service group.

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
    // The pulse can end now, because systemd's watchdog does not watch a service that is stopping.
    try await cancelWhenGracefulShutdown {
      do { try await pulse.run(time: time) } catch is CancellationError {}
    }
  }
}

/// A service that returns unused memory to the operating system every five minutes.
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
    // If a message is being sent when this daemon stops, the next daemon sends it again with the same id.
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
    // The supervisor is cancelled at once, even while it waits for the next check.
    try await cancelWhenGracefulShutdown {
      do { try await supervisor.run() } catch is CancellationError {}
    }
  }
}
