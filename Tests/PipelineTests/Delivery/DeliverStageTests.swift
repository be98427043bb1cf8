import LedgerStore
import Localization
import SQLiteStore
import Simulation
import Synchronization
import Testing

@testable import Pipeline

/// Deliveries whose push is refused, or whose branch is moved or deleted.
@Suite(.timeLimit(.minutes(10))) struct DeliverStageTests {
  private let pipeline: TestPipeline

  init() async throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Feed": "Füttern"])
  }

  @Test("a refused push is reported and retried every 15 minutes without a restart")
  func refused() async throws {
    pipeline.remote.refuse(TestPipeline.target, saying: "protected branch")
    let failures = Log<String>()
    try await pipeline.run(pipeline.context(), observer: WorkerObserver(failed: { failures.add($0.description) }))
    #expect(failures.elements.count == 1)
    #expect(failures.elements.first?.contains("protected branch") == true)
    #expect(failures.elements.first?.contains("or set another deliver.branch") == true, "\(failures.elements)")
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == nil)
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    try await pipeline.run(pipeline.context(), isThorough: true)
    #expect(pipeline.german("Feed") == "Füttern")
  }

  @Test("the warning that a delivery branch is protected ends after a successful push to the branch")
  func protectionEnds() async throws {
    let forge = OnePullRequestForge()
    forge.pushObstacle.withLock { $0 = "it is a protected branch" }
    var context = pipeline.context()
    context.forge = forge
    func warnings() async throws -> [String] {
      try await pipeline.store.jobs(of: TestPipeline.name).flatMap(\.findings).map(\.message)
        .filter { $0.hasPrefix("translations will be pushed to") }
    }
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    pipeline.remote.refuse(TestPipeline.target, saying: "no")
    try await pipeline.run(context)
    #expect(try await warnings() == ["translations will be pushed to l10n/main, but it is a protected branch"])
    // Only the failed push is tried again. `run` would run all jobs again.
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    _ = try await Watcher(context: context, observer: WorkerObserver()).look(isThorough: true)
    try await pipeline.worker().drain()
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(try await warnings() == [])
  }

  @Test("the message for a refused push with mode: push suggests the other modes")
  func refusedOnBase() async throws {
    pipeline.remote.refuse("main", saying: "protected branch")
    let failures = Log<String>()
    try await pipeline.run(
      pipeline.context(TestPipeline.definition { $0.deliver.mode = .push }),
      observer: WorkerObserver(failed: { failures.add($0.description) }))
    #expect(
      failures.elements.first?.contains("or set deliver.mode: branch or deliver.mode: pull-request") == true,
      "\(failures.elements)")
  }

  @Test(
    "a delivery that waits for its push is made again without catalogs when the pipeline file changes to catalogs: leave"
  )
  func policyChanged() async throws {
    let committing = TestPipeline.definition { $0.catalogs = .commit }
    var tree = TestPipeline.tree(["Feed"])
    tree.setLines(["Feed", "Water"].map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    pipeline.commit(tree)
    pipeline.remote.refuse(TestPipeline.target, saying: "protected branch")
    try await pipeline.run(pipeline.context(committing))
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    try await pipeline.run(pipeline.context(), isThorough: true)
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(pipeline.remote.tree(of: TestPipeline.target)?.catalog(at: TestPipeline.catalog)?.entries["Water"] == nil)
  }

  @Test("with mode: push, a branch that a person reset since the last poll is not moved")
  func setBack() async throws {
    let context = pipeline.context(TestPipeline.definition { $0.deliver.mode = .push })
    let before = try #require(pipeline.remote.head(of: "main"))
    pipeline.commit(TestPipeline.tree(["Feed"], other: ["Notes.md": []]))
    pipeline.registry.set(context)
    _ = try await pipeline.heads(context)
    pipeline.remote.move("main", to: before)
    try await pipeline.store.wake(TestPipeline.name, stage: nil, scope: nil)
    try await pipeline.worker().drain()
    #expect(pipeline.remote.head(of: "main") == before)
    try await pipeline.run(context)
    #expect(pipeline.german("Feed", on: "main") == "Füttern")
    #expect(pipeline.remote.tree(of: "main")?["Notes.md"] == nil)
  }

  @Test("after a refused push and the loss of the mirror, the commits are made again from the ledger")
  func mirrorGone() async throws {
    pipeline.remote.refuse(TestPipeline.target, saying: "protected branch")
    try await pipeline.run(pipeline.context())
    pipeline.mirrorFolder.delete()
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    try await pipeline.run(pipeline.context(), isThorough: true)
    #expect(pipeline.german("Feed") == "Füttern")
  }

  @Test("a delivery whose branch was deleted unmerged is delivered again, without sending anything again")
  func deleted() async throws {
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == "Füttern")
    pipeline.remote.move(TestPipeline.target, to: nil)
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(pipeline.vendor.sentKeys == ["Feed"])
  }

  @Test(
    "a former delivery branch is reported once, with the number of other people's commits", arguments: [false, true])
  func formerBranch(hasOthers: Bool) async throws {
    try await pipeline.run(pipeline.context())
    if hasOthers {
      pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Fütterung"]), to: TestPipeline.target)
    }
    let context = pipeline.context(TestPipeline.definition { $0.deliver.branch = "texts/{branch}" })
    #expect(
      try await pipeline.findings(context, isThorough: true) == [
        "the translations of main are now delivered to texts/main; l10n/main still exists"
          + (hasOthers ? ", with 1 commit by somebody else, which texts/main lacks" : "")
      ])
    #expect(pipeline.german("Feed", on: "texts/main") == "Füttern")
    #expect(try await pipeline.findings(context, isThorough: true) == [])
  }
}
