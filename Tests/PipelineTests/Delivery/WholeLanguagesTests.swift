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

  /// Runs the pipeline once.
  /// - Returns: the findings.
  private func run() async throws -> [String] {
    pipeline.clock.advance(by: 60)
    return try await pipeline.findings(context, isThorough: true)
  }

  private func held() async throws -> [String] {
    try await pipeline.store.heldUnits(of: TestPipeline.name).map(\.unit.key.text)
  }

  @Test("a held unit that a person has translated does not delay the delivery of its language")
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

  @Test("an answer to an older source text does not replace a held answer that a person dropped")
  func overtaken() async throws {
    func commit(_ source: String, de: [String: String] = [:]) {
      var tree = TestPipeline.tree(["%lld birds", "Feed", "Fly"], de: de)
      tree.setLines(
        [
          SourceLine(table: "Localizable", key: "Feed", value: source), SourceLine(table: "Localizable", key: "Fly"),
          SourceLine(table: "Localizable", key: "%lld birds"),
        ], of: "App")
      guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return }
      catalog.entries["Feed"]?.translations["en"] = Translation(source)
      tree.write(catalog)
      pipeline.commit(tree)
    }
    commit("Feed it")
    _ = try await run()
    pipeline.vendor.give(["Feed": "Füttere es"], of: ["Feed": "Feed it"])
    _ = try await run()
    commit("Feed them")
    _ = try await run()
    commit("Feed them", de: ["Feed": "Von Hand"])
    _ = try await run()
    pipeline.vendor.give(
      ["Feed": "Füttere sie", "Fly": "Fliegen", "%lld birds": "Vögel"], of: ["Feed": "Feed them"])
    _ = try await run() + run()
    let units = try await pipeline.store.heldUnits(of: TestPipeline.name)
    let unit = try #require(units.first { $0.unit.key == "Feed" })
    #expect(unit.text == "Füttere sie" && unit.reason?.code == "changedInRepository")
    try await pipeline.store.drop(unit.id, on: "main")
    _ = try await run() + run()
    #expect(try await held() == ["%lld birds"])
    pipeline.vendor.give(["%lld birds": "%lld Vögel"])
    _ = try await run() + run()
    #expect(try await held().isEmpty)
    #expect(pipeline.german("Fly", on: "main") == "Fliegen" && pipeline.german("Feed", on: "main") == "Von Hand")
  }

  @Test("a held unit without a translation delays its language, and a finding reports the delay")
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
