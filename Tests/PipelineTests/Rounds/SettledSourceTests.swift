import LedgerStore
import Localization
import Pipeline
import Simulation
import Testing

/// The source texts that platforms should have of strings that no vendor has to translate.
@Suite(.timeLimit(.minutes(10))) struct SettledSourceTests {
  private let unit = UnitID(catalog: TestPipeline.catalog, key: "Feed")

  private func sources(_ context: PipelineContext) async throws -> [ExchangeText?] {
    try await context.settledSources(of: [unit]).flatMap(\.units).map(\.source)
  }

  @Test("are those on which all branches agree, of units that are not out")
  func settled() async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository = RepositorySettings(url: "/birds.git", branches: ["main", "next"].map { BranchPattern($0) })
      })
    let main = pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(context)
    #expect(try await sources(context).isEmpty, "it is out")
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    #expect(try await sources(context) == [.text("Feed")])
    var other = TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"])
    other.setLines([SourceLine(table: "Localizable", key: "Feed", value: "Feed it")], of: "App")
    pipeline.commit(other, to: "next", on: [main])
    try await pipeline.heads(context)
    #expect(try await sources(context).isEmpty, "the branches differ")
    pipeline.commit(TestPipeline.tree([]))
    pipeline.commit(TestPipeline.tree([]), to: "next")
    try await pipeline.heads(context)
    #expect(try await sources(context).isEmpty, "no branch has it")
  }
}
