internal import Daemon
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import Pipeline

/// The routes `/healthz`, `/readyz` and `/metrics`.
struct ProbeRoutes: Sendable {
  let daemon: RunningDaemon

  /// The time limit for the store in `/readyz`, in seconds. The limit is slightly shorter than the usual time limit of probes.
  private static let patience = 4

  private struct State: Encodable {
    var status: String
    var pipelines: Int?
    /// The number of paused pipelines.
    var paused: Int?
    /// The number of pipeline files that are not used because of faults.
    var faultyFiles: Int?
  }

  func add(to router: Router<some RequestContext>) {
    router.get("/healthz") { _, _ in health() }
    router.get("/readyz") { _, _ in await readiness() }
    router.get("/metrics") { _, _ in try await metrics() }
  }

  private func health() -> Response {
    // A loop that has not made its first pass is still starting, so it does not count as hanging.
    if let (loop, pause) = daemon.measurements.hang(longerThan: Pulse.longestPause) {
      let what =
        switch loop {
        case .supervisor: "the pipeline files were last checked \(Int(pause.seconds)) seconds ago"
        case .worker: "the worker last looked for work \(Int(pause.seconds)) seconds ago"
        }
      return ServerResponse.problem(.serviceUnavailable, "hangs", "\(what). Restart Dragoman if this continues")
    }
    return ServerResponse.json(.ok, State(status: "ok"))
  }

  private func readiness() async -> Response {
    guard daemon.measurements.hasStarted else {
      return ServerResponse.problem(.serviceUnavailable, "starting", "the pipelines are being set up")
    }
    do {
      // The daemon is ready even if pipelines are paused or files have faults.
      let running = daemon.pipelines
      let paused = Set(try await TimeLimit.seconds(Self.patience) { try await daemon.paused() }).intersection(running)
        .count
      return ServerResponse.json(
        .ok,
        State(
          status: "ready", pipelines: running.count, paused: paused, faultyFiles: daemon.fileFaults.count))
    } catch {
      return ServerResponse.problem(.serviceUnavailable, "store", "the store cannot be read: \(error)")
    }
  }

  private func metrics() async throws -> Response {
    do {
      let text = try await DaemonMetrics(daemon: daemon).text()
      return ServerResponse.text(.ok, text, type: "text/plain; version=0.0.4; charset=utf-8")
    } catch {
      return ServerResponse.problem(.serviceUnavailable, "store", "the store cannot be read: \(error)")
    }
  }
}
