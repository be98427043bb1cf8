import Foundation
import LedgerStore
import Localization
import SQLiteStore
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct ReconcilerTests {
  private let pipeline: TestPipeline

  init() throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
  }

  @Test("any number of requests during a pass cause one more pass, and the requests return immediately")
  func coalesced() async throws {
    let gate = Gate()
    let store = ForwardingStore(
      store: pipeline.store, will: { name in if name == "arm" { try await gate.enter() } })
    let context = pipeline.context(store: store)
    try await pipeline.heads(context)
    let first = Task { try await context.reconciler.reconcile(context) }
    await gate.isReached()
    for _ in 0..<3 { try await context.reconciler.reconcile(context) }
    gate.open()
    try await first.value
    #expect(store.calls["arm"] == 2)
  }

  @Test("a request to retry failures during a pass is kept for the next pass")
  func retries() async throws {
    let gate = Gate()
    let store = ForwardingStore(
      store: pipeline.store, will: { name in if name == "arm" { try await gate.enter() } })
    let context = pipeline.context(store: store)
    try await pipeline.heads(context)
    try await pipeline.context().reconciler.reconcile(pipeline.context())
    let stages: Set<Stage> = [.extract]
    let job = try #require(
      try await pipeline.store.claimJobs(of: ["birds"], stages: stages, owner: "me", lease: .seconds(60), limit: 1)
        .first)
    try await pipeline.store.move(
      job, by: .fail(FailureRecord(message: "no", at: pipeline.clock.now)), changes: [])
    let first = Task { try await context.reconciler.reconcile(context) }
    await gate.isReached()
    try await context.reconciler.reconcile(context, retriesFailures: true)
    gate.open()
    try await first.value
    #expect(try await pipeline.store.jobs(of: "birds").first { $0.stage == .extract }?.state.name == .queued)
  }

  @Test("the next request after a failed pass starts a new pass")
  func failure() async throws {
    let isBroken = Log<Void>()
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in
        guard name == "arm", isBroken.elements.isEmpty else { return }
        isBroken.add(())
        throw StoreError(.busy, operation: "arm", detail: "busy")
      })
    let context = pipeline.context(store: store)
    try await pipeline.heads(context)
    await #expect(throws: StoreError.self) { try await context.reconciler.reconcile(context) }
    try await context.reconciler.reconcile(context)
    #expect(try await !pipeline.store.jobs(of: "birds").isEmpty)
  }

  @Test("every pass plans for the current definition, whoever makes the request")
  func inForce() async throws {
    let present = pipeline.context()
    var old = pipeline.context()
    old.definition.vendors = []
    old.vendors = []
    old.inForce = { present }
    try await pipeline.heads(old)
    try await old.reconciler.reconcile(old)
    // The pass has rung the signal that wakes the worker.
    await pipeline.registry.signal.wait()
    #expect(try await pipeline.store.jobs(of: "birds").contains { $0.stage == .pull })
  }
}
