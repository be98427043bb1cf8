internal import Daemon
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import Pipeline

/// `/healthz`, `/readyz` and `/metrics`.
struct ProbeRoutes: Sendable {
  let daemon: RunningDaemon

  /// The supervisor checks the pipeline files every two seconds. A daemon that did not for so long hangs.
  private static let longestPause = Duration.seconds(120)

  private struct State: Encodable {
    var status: String
    var pipelines: Int?
  }

  func add(to router: Router<some RequestContext>) {
    router.get("/healthz") { _, _ in health() }
    router.get("/readyz") { _, _ in await readiness() }
    router.get("/metrics") { _, _ in try await metrics() }
  }

  private func health() -> Response {
    // Before the first check the daemon is starting, which is no reason to restart it.
    if let pause = daemon.measurements.sinceCheck, pause > Self.longestPause {
      return Answer.problem(
        .serviceUnavailable, "hangs",
        "the pipeline files were last checked \(Int(pause.seconds)) seconds ago. Restart Dragoman if this continues")
    }
    return Answer.json(.ok, State(status: "ok"))
  }

  private func readiness() async -> Response {
    guard daemon.measurements.sinceCheck != nil else {
      return Answer.problem(.serviceUnavailable, "starting", "the pipelines are being set up")
    }
    do {
      _ = try await daemon.store.pipelines()
    } catch {
      return Answer.problem(.serviceUnavailable, "store", "the store cannot be read: \(error)")
    }
    return Answer.json(.ok, State(status: "ready", pipelines: daemon.pipelines.count))
  }

  private func metrics() async throws -> Response {
    do {
      let text = try await DaemonMetrics(daemon: daemon).text()
      return Answer.text(.ok, text, type: "text/plain; version=0.0.4; charset=utf-8")
    } catch {
      return Answer.problem(.serviceUnavailable, "store", "the store cannot be read: \(error)")
    }
  }
}
