import Pipeline
import ServiceLifecycle

/// A service that records the history while the daemon runs. A shutdown cancels its work.
struct HistoryService: Service {
  let turns: HistoryTurns

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      do { try await turns.serve() } catch is CancellationError {}
    }
  }
}
