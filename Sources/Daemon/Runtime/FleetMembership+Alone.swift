import Localization
import Pipeline

/// Support for `run --once` on a database. The run's process joins the fleet as a worker and holds its pipelines until the run ends. If other workers
/// exist when the run begins, the run is refused.
extension FleetMembership {
  /// Runs a closure that needs all of the given pipelines. Jobs that a killed run left in the state running return to the queue.
  /// - Throws: `PipelineError` if the database has other workers, or if the pipelines are not free within 10 seconds.
  func alone<Result: Sendable>(
    with pipelines: Set<String>, _ ledger: any Store, _ body: () async throws -> Result
  ) async throws -> Result {
    try await store.succeed(worker)
    try await refuse()
    let membership = Task { [self] in await run(ledger, jobs: {}, pipelines: {}) }
    do {
      var attempts = 0
      while !pipelines.isSubset(of: try await store.attend(worker, wanted: pipelines, lease: lease).keys) {
        // Another run began at the same time, or a command is changing a pipeline.
        try await refuse()
        attempts += 1
        guard attempts < 40 else {
          throw PipelineError(
            .refused, operation: "run once", detail: "the pipelines are being changed in the database",
            disposition: .retry)
        }
        try await time.sleep(.milliseconds(250))
      }
      let result = try await body()
      await end(membership)
      return result
    } catch {
      await end(membership)
      throw error
    }
  }

  private func end(_ membership: Task<Void, Never>) async {
    membership.cancel()
    await membership.value
  }

  private func refuse() async throws {
    let others = try await store.workers().filter { $0.name != worker.name }
    guard !others.isEmpty else { return }
    throw PipelineError(
      .refused, operation: "run once",
      detail:
        "workers run the pipelines of this database: \(others.map(\.name).joined(separator: ", ")). Stop them first",
      disposition: .askPerson)
  }
}
