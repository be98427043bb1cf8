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

  @Test("a vendor that gives the text again that a person edited brings nothing new; one that corrects it does")
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
