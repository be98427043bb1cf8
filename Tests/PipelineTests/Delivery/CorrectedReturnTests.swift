import LedgerStore
import Localization
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Returned texts that people corrected in a delivery and then squashed into the watched branch.
@Suite(.timeLimit(.minutes(10))) struct CorrectedReturnTests {
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  /// Delivers two texts to the delivery branch. A person then commits other texts to the watched branch in a single commit, and may delete the
  /// delivery branch.
  /// - Returns: the reasons of the held units.
  private func held(squashing texts: [String: String], deletesBranch: Bool = true) async throws -> [HoldReason?] {
    let context = pipeline.context()
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen"])
    try await pipeline.run(context)
    #expect(pipeline.german("Feed") == "Füttern" && pipeline.german("Fly") == "Fliegen")
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: texts))
    if deletesBranch { pipeline.remote.move(TestPipeline.target, to: nil) }
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    return try await pipeline.store.heldUnits(of: TestPipeline.name).map(\.reason)
  }

  @Test("corrected returns are settled if the other texts of the delivery are on the branch", arguments: [true, false])
  func squashed(deletesBranch: Bool) async throws {
    #expect(try await held(squashing: ["Feed": "Vögel füttern", "Fly": "Fliegen"], deletesBranch: deletesBranch) == [])
    #expect(try await pipeline.deliveries().allSatisfy { $0.state == .settled || $0.state == .abandoned })
    #expect(pipeline.german("Feed", on: "main") == "Vögel füttern")
  }

  @Test("corrected returns are held if no other text of the delivery is on the branch")
  func independent() async throws {
    #expect(try await held(squashing: ["Feed": "Vögel füttern"]) == [.changedInRepository("Vögel füttern")])
    #expect(pipeline.german("Fly") == "Fliegen")
  }

  @Test(
    "the corrected return of a pull request with a single text is settled if the forge reports it as merged",
    arguments: [true, false])
  func merged(isMerged: Bool) async throws {
    let forge = OnePullRequestForge()
    var context = pipeline.context(TestPipeline.definition { $0.deliver.mode = .pullRequest })
    context.forge = forge
    pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    if isMerged { forge.pull.withLock { $0?.state = .merged } }
    pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Vögel füttern"]))
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty == isMerged)
  }
}
