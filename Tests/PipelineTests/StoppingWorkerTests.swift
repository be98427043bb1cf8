import Foundation
import LedgerStore
import Localization
import SQLiteStore
import TestSupport
import Testing

@testable import Pipeline

/// The work of a worker after a stage, when its process is stopping.
@Suite(.timeLimit(.minutes(10))) struct StoppingWorkerTests {
  private let pipeline: TestPipeline

  init() throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
  }

  /// Creates the pipeline's jobs for the current heads.
  private func prepare() async throws {
    let context = pipeline.context()
    pipeline.registry.set(context)
    try await pipeline.heads(context)
    try await context.reconciler.reconcile(context)
  }

  @Test("the result of a job is not written again and again to a full disk while the process is stopping")
  func fullStore() async throws {
    try await prepare()
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in
        if name == "move" { throw StoreError(.full, operation: "save a job", detail: "the disk is full") }
      })
    let waits = Log<Duration>()
    let worker = Worker(
      pipelines: pipeline.registry, store: store, owner: "me", width: 1, executor: nil,
      time: TimeSource(
        now: { [clock = pipeline.clock] in clock.now },
        sleep: { wait in
          // Heartbeats wait until the stage ends.
          if wait >= .seconds(30) { return try await Task.sleep(for: .seconds(3600)) }
          waits.add(wait)
          if waits.elements.count > 9 { throw CancellationError() }
        }),
      observer: WorkerObserver(), logger: .silent)
    // The process is asked to stop during the first wait for the next attempt.
    try await worker.drain(isStopping: { !waits.elements.isEmpty })
    #expect(waits.elements.count == 1)
    #expect(store.calls["move"] == 2)
    // The next start recovers the job.
    #expect(try await pipeline.store.jobs(of: "birds").first { $0.stage == .extract }?.state.name == .running)
  }

  @Test("planning is reported between the end of a stage and the end of the run")
  func planning() async throws {
    try await prepare()
    let events = Log<String>()
    let worker = pipeline.worker(
      observer: WorkerObserver(
        progress: { events.add("\($0.stage.rawValue) \($0.state.rawValue)") },
        planning: { events.add("planning \($0) \($1.rawValue)") }))
    try await worker.drain(isStopping: { !events.elements.isEmpty })
    #expect(
      events.elements == ["extract began", "extract ended", "planning birds began", "planning birds ended"])
  }
}
