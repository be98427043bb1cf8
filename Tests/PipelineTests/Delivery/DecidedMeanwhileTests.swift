import LedgerStore
import Localization
import SQLiteStore
import Synchronization
import Testing

@testable import Pipeline

/// Decisions that people make while a merge runs.
@Suite(.timeLimit(.minutes(10))) struct DecidedMeanwhileTests {
  @Test("a held unit that a person accepts during a merge is delivered and not held again")
  func taken() async throws {
    let pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["%lld birds"]))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["%lld birds": "Vögel"])
    try await pipeline.run(pipeline.context())
    let held = try #require(try await pipeline.store.heldUnits(of: TestPipeline.name).first)
    #expect(held.reason?.code == "placeholdersDiffer")

    // A person accepts the held unit after the merge of a new commit has read the unit, and before the result of the merge is stored.
    pipeline.commit(TestPipeline.tree(["%lld birds"], other: ["Notes.md": []]))
    let hasRead = Mutex(false)
    let isTaken = Mutex(false)
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in
        if name == "returnedUnits" { hasRead.withLock { $0 = true } }
        // Only one job runs at a time, so the next result to be stored is that of the merge.
        guard name == "move", hasRead.withLock({ $0 }), isTaken.withLock({ !Self.exchange(&$0) }) else { return }
        try await pipeline.store.overrule("placeholdersDiffer", for: held.id, on: "main")
      })
    var context = pipeline.context(store: store)
    context.people = pipeline.store
    pipeline.registry.set(context)
    _ = try await Watcher(context: context, observer: WorkerObserver()).look(isThorough: false)
    try await pipeline.store.wake(TestPipeline.name, stage: nil, scope: nil)
    try await pipeline.worker(store: store, width: 1).drain()
    #expect(isTaken.withLock { $0 })
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    #expect(pipeline.german("%lld birds") == "Vögel")
  }

  private static func exchange(_ flag: inout Bool) -> Bool {
    defer { flag = true }
    return flag
  }
}
