import LedgerStore
import Localization
import Pipeline
import Simulation
import TestSupport
import Testing

/// Deliveries with `when: complete`.
struct WholeLanguagesTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext

  init() throws {
    pipeline = try TestPipeline()
    context = pipeline.context(
      TestPipeline.definition { $0.deliver = DeliverSettings(mode: .push, when: .complete) })
  }

  /// - Returns: what was found.
  private func run() async throws -> [String] {
    pipeline.clock.advance(by: 60)
    return try await pipeline.findings(context, isThorough: true)
  }

  private func held() async throws -> [String] {
    try await pipeline.store.heldUnits(of: TestPipeline.name).map(\.unit.key.text)
  }

  @Test("a held unit that a person has translated keeps nothing waiting")
  func translatedByPerson() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"]))
    _ = try await run()
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Von Hand"]))
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen", "Swim": "Schwimmen"])
    let found = try await run() + run()
    #expect(try await held() == ["Feed"])
    #expect(pipeline.german("Fly", on: "main") == "Fliegen" && pipeline.german("Swim", on: "main") == "Schwimmen")
    #expect(pipeline.german("Feed", on: "main") == "Von Hand")
    #expect(!found.contains { $0.contains("deliver.when") }, "\(found)")
  }

  @Test("a held unit that nobody has translated keeps its language waiting, and the findings say so")
  func missing() async throws {
    let keys = ["%lld birds", "Fly", "Swim"]
    pipeline.commit(TestPipeline.tree(keys))
    _ = try await run()
    pipeline.vendor.give(["%lld birds": "Vögel", "Fly": "Fliegen", "Swim": "Schwimmen"])
    let found = try await run()
    #expect(try await held() == ["%lld birds"])
    #expect(pipeline.german("Fly", on: "main") == nil)
    #expect(
      found.contains("2 translations into de wait, because deliver.when is complete and 1 unit is held"), "\(found)")
    pipeline.commit(TestPipeline.tree(keys, de: ["%lld birds": "%lld Vögel"]))
    _ = try await run() + run()
    #expect(pipeline.german("Fly", on: "main") == "Fliegen" && pipeline.german("Swim", on: "main") == "Schwimmen")
    #expect(pipeline.german("%lld birds", on: "main") == "%lld Vögel")
  }
}
