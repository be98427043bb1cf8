import FoundationEssentials
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Held returns that people drop or edit.
@Suite(.timeLimit(.minutes(10))) struct DroppedReturnTests {
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  private func run(_ context: PipelineContext, times: Int = 1) async throws {
    for _ in 0..<times {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  private func held() async throws -> [HeldUnit] { try await pipeline.store.heldUnits(of: TestPipeline.name) }

  /// Delivers a translation of “Feed”, which a person merges into main and then removes from main. Returns the held unit.
  private func remove(_ context: PipelineContext) async throws -> HeldUnit {
    let first = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    if context.definition.repository.branches.count > 1 {
      pipeline.commit(TestPipeline.tree(["Feed", "Fly"], other: ["NOTES.md": []]), to: "a-feature", on: [first])
    }
    try await run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen"])
    try await run(context, times: 2)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern", "Fly": "Fliegen"]))
    try await run(context)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]))
    try await run(context)
    let held = try await held()
    #expect(held.map(\.text) == ["Füttern"] && held.first?.reason?.removal != nil)
    return try #require(held.first)
  }

  @Test("after a person drops a removed translation, its new answer is delivered, even with the same text")
  func removed() async throws {
    let context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .branch) })
    let unit = try await remove(context)
    try await pipeline.store.drop(unit.id, on: "main")
    try await run(context)
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Feed", "Fly"])
    pipeline.vendor.give(["Feed": "Füttern"])
    try await run(context, times: 2)
    #expect(try await held().isEmpty)
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(pipeline.vendor.sentKeys.count == 3)
  }

  @Test("a removed translation that a person dropped is sent again, even if another branch has the answer")
  func otherBranch() async throws {
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = ["a-feature", "main"].map { BranchPattern($0) }
        $0.deliver = DeliverSettings(mode: .branch)
      })
    let unit = try await remove(context)
    #expect(pipeline.german("Feed", on: "l10n/a-feature") == "Füttern")
    try await pipeline.store.drop(unit.id, on: "main")
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Feed", "Fly"])
    pipeline.vendor.give(["Feed": "Speisen"])
    try await run(context, times: 2)
    #expect(pipeline.german("Feed") == "Speisen")
  }

  @Test("a vendor's repeated text does not replace a person's edit; a vendor's correction does")
  func edited() async throws {
    let context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .branch) })
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    try await run(context)
    pipeline.vendor.give(["Feed": "Füttern %@", "Fly": "Fliegen"])
    try await run(context)
    let unit = try #require(try await held().first)
    var stored = try #require(try await pipeline.store.returnedUnit(unit.id)).unit
    stored.units[0].target = ExchangeTarget(.text("Speisen"), state: "translated")
    let bundle = NewBundle(
      vendor: "v", reference: NewBundle.editedBy + "Ann", digest: "edited", received: pipeline.clock.now, review: nil,
      returnedUnits: [stored])
    let outcome = try #require(
      try await pipeline.store.returnedUnits(of: TestPipeline.name, branch: "main").first { $0.id == unit.id }?.outcome)
    try await pipeline.store.record(
      [
        .receive(bundle), .acknowledged(vendor: "v", digest: "edited"), .outcomes([outcome.replaced], branch: "main"),
        .planAgain,
      ], of: TestPipeline.name)
    pipeline.vendor.give(["Feed": "Füttern %@"])
    try await run(context, times: 2)
    #expect(try await held().isEmpty)
    #expect(pipeline.german("Feed") == "Speisen")
    pipeline.vendor.give(["Feed": "Füttern"])
    try await run(context, times: 2)
    #expect(pipeline.german("Feed") == "Füttern")
  }
}
