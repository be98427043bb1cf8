import LedgerStore
import Localization
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

@Suite("Statuses of commits", .timeLimit(.minutes(10))) struct ReportStageTests {
  @Test(
    "the delivery branch of a frozen branch gets the freeze status, which fails if a person commits a new string to it",
    arguments: [false, true])
  func frozenDelivery(keepsStatusesByBranch: Bool) async throws {
    let (pipeline, forge) = (
      try TestPipeline(), OnePullRequestForge(keepsStatusesByBranch: keepsStatusesByBranch)
    )
    var context = pipeline.context(
      TestPipeline.definition {
        $0.deliver.mode = .pullRequest
        $0.deliver.statuses = [.freeze]
        $0.rounds.freeze = [BranchPattern("main")]
      })
    context.forge = forge
    context.history = pipeline.store
    let main = pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let delivered = try #require(forge.statuses.withLock { $0[tip] })
    #expect(delivered.branch == TestPipeline.target && delivered.status.isGood, "\(delivered)")
    #expect(delivered.status.text == "main is frozen, and this pull request has no new strings")
    #expect(forge.statuses.withLock { $0[main] }?.branch == "main")

    let late = pipeline.commit(
      TestPipeline.tree(["Feed", "Late"], de: ["Feed": "Füttern"]), to: TestPipeline.target)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    let changed = try #require(forge.statuses.withLock { $0[late] })
    #expect(!changed.status.isGood && changed.status.text.contains("“Late”"), "\(changed)")
  }
}
