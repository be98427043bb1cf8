import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Delivered texts that people drop on the delivery branch before it is merged.
@Suite(.timeLimit(.minutes(10))) struct DroppedDeliveryTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext

  /// Delivers two texts to the delivery branch.
  init() async throws {
    pipeline = try TestPipeline()
    context = pipeline.context()
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen"])
    try await pipeline.run(context)
    #expect(pipeline.german("Feed") == "Füttern" && pipeline.german("Fly") == "Fliegen")
  }

  private func held() async throws -> [HeldUnit] { try await pipeline.store.heldUnits(of: TestPipeline.name) }

  @Test(
    "dropped texts are held with commit and author, and delivered once a person accepts them or deletes the branch",
    arguments: [true, false])
  func removed(deletesBranch: Bool) async throws {
    let commit = pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]), to: TestPipeline.target)
    for _ in 0..<2 { try await pipeline.run(context) }
    let unit = try #require(try await held().first)
    #expect(unit.unit.key == "Feed" && unit.reason?.removal?.commit == commit.rawValue)
    #expect(unit.reason?.removal?.author == "Person")
    #expect(try await held().count == 1 && pipeline.german("Feed") == nil && pipeline.german("Fly") == "Fliegen")
    if deletesBranch {
      pipeline.remote.move(TestPipeline.target, to: nil)
    } else {
      try await pipeline.store.overrule("removed", for: unit.id, on: "main")
    }
    for _ in 0..<2 { try await pipeline.run(context) }
    #expect(try await held().isEmpty && pipeline.german("Feed") == "Füttern" && pipeline.german("Fly") == "Fliegen")
  }

  @Test("dropped texts are delivered again if a merge took the other side's catalog")
  func merged() async throws {
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let main = pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], other: [TreePath(trusted: "NOTES.md"): Array("x".utf8)]))
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], other: [TreePath(trusted: "NOTES.md"): Array("x".utf8)]),
      to: TestPipeline.target, on: [tip, main])
    for _ in 0..<2 { try await pipeline.run(context) }
    #expect(try await held().isEmpty)
    #expect(pipeline.german("Feed") == "Füttern" && pipeline.german("Fly") == "Fliegen")
  }

  @Test("dropped texts are held at once if the delivery was merged and reverted between two polls")
  func reverted() async throws {
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let main = try #require(pipeline.remote.head(of: "main"))
    let merge = pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern", "Fly": "Fliegen"]), on: [main, tip])
    let revert = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]), on: [merge])
    try await pipeline.run(context)
    #expect(try await held().map(\.reason?.removal?.commit) == [revert.rawValue, revert.rawValue])
  }

  @Test("dropped texts that a person translated differently are not delivered")
  func replaced() async throws {
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Vögel füttern", "Fly": "Fliegen"]), to: TestPipeline.target)
    for _ in 0..<2 { try await pipeline.run(context) }
    #expect(try await held().isEmpty && pipeline.german("Feed") == "Vögel füttern")
  }
}
