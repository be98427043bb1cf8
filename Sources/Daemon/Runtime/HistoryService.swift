import Pipeline
import ServiceLifecycle

/// Records the history while the daemon runs. A shutdown does not wait for it.
struct HistoryService: Service {
  let turns: HistoryTurns

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      do { try await turns.serve() } catch is CancellationError {}
    }
  }
}
