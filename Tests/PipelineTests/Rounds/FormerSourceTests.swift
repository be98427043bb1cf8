import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Translations that were committed before their source texts changed in a later commit of the same poll.
struct FormerSourceTests {
  private let bench: VendorOrderTests
  private let context: PipelineContext

  init() throws {
    bench = try VendorOrderTests()
    context = bench.context()
  }

  private func tree(_ source: String, de: String?) -> FileTree {
    bench.tree(["a": source, "b": "B"], de: ["a": de, "b": "Be"].compactMapValues(\.self))
  }

  @discardableResult
  private func commit(_ source: String, de: String?, on parents: [CommitID]? = nil) -> CommitID {
    bench.pipeline.commit(tree(source, de: de), on: parents)
  }

  private func outdated() async throws -> [UnitKey] {
    try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name).map(\.unit.key)
  }

  @Test("translations of a former source text are outdated, and new returns replace them")
  func translatedByHand() async throws {
    commit("Nest", de: nil)
    try await bench.run(context)
    commit("Nest", de: "Nest")
    commit("Nesting box", de: "Nest")
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == ["a", "a"])
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    try await bench.run(context, times: 2)
    #expect(bench.german("a") == CatalogText("Nistkasten", .translated))
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a new string's translations are outdated if its source text changed before the same poll")
  func newString() async throws {
    bench.pipeline.commit(bench.tree(["b": "B"], de: ["b": "Be"]))
    try await bench.run(context)
    commit("Nest", de: "Nest")
    commit("Nesting box", de: "Nest")
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == ["a"])
  }

  @Test("translations are outdated if the key changed after the source text", arguments: [true, false])
  func renamedKey(isMerged: Bool) async throws {
    let base = bench.pipeline.commit(bench.tree(["b": "B"], de: ["b": "Be"]))
    try await bench.run(context)
    let former = commit("Nest", de: "Nest")
    let changed = commit("Nesting box", de: "Nest", on: [former])
    let renamed = bench.tree(["c": "Nesting box", "b": "B"], de: ["c": "Nest", "b": "Be"])
    if isMerged {
      let side = bench.pipeline.commit(renamed, to: "side", on: [changed])
      bench.pipeline.commit(renamed, on: [base, side])
    } else {
      bench.pipeline.commit(renamed, on: [changed])
    }
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == ["c"])
  }

  @Test(
    "translations count for the current source text if two changed keys could come from the former one"
  )
  func sameWords() async throws {
    bench.pipeline.commit(bench.tree(["b": "B"], de: ["b": "Be"]))
    try await bench.run(context)
    commit("Nest", de: "Nest")
    commit("Nesting box", de: "Nest")
    bench.pipeline.commit(
      bench.tree(
        ["c": "Nesting box", "d": "Nesting box", "b": "B"], de: ["c": "Nest", "d": "Nest", "b": "Be"]))
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys.isEmpty)
  }

  @Test("translations are not outdated if another string keeps the former source text")
  func copiedKey() async throws {
    bench.pipeline.commit(bench.tree(["b": "B"], de: ["b": "Be"]))
    try await bench.run(context)
    commit("Nest", de: "Nest")
    bench.pipeline.commit(
      bench.tree(["a": "Nest", "b": "B", "c": "Nesting box"], de: ["a": "Nest", "b": "Be", "c": "Nest"]))
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys.isEmpty)
  }

  @Test("translations are outdated if a merge combined them with a source text from another branch")
  func merged() async throws {
    let base = commit("Nest", de: nil)
    try await bench.run(context)
    let side = bench.pipeline.commit(tree("Nest", de: "Nest"), to: "side", on: [base])
    let main = commit("Nesting box", de: nil)
    commit("Nesting box", de: "Nest", on: [main, side])
    try await bench.run(context, times: 2)
    #expect(try await outdated() == ["a"])
  }

  @Test(
    "translations of the former source text on another branch are outdated if merged after the new one was polled"
  )
  func mergedLater() async throws {
    let base = commit("Nest", de: nil)
    try await bench.run(context)
    let side = bench.pipeline.commit(tree("Nest", de: "Nest"), to: "side", on: [base])
    let main = commit("Nesting box", de: nil)
    try await bench.run(context)
    commit("Nesting box", de: "Nest", on: [main, side])
    try await bench.run(context, times: 2)
    #expect(try await outdated() == ["a"])
  }

  @Test("a translation is not outdated if it came with or after the source text on one branch of a merge")
  func translatedAfterwards() async throws {
    let base = commit("Nest", de: nil)
    try await bench.run(context)
    commit("Nesting box", de: nil)
    let after = commit("Nesting box", de: "Nistkasten")
    try await bench.run(context, times: 2)
    #expect(try await outdated().isEmpty)
    let side = bench.pipeline.commit(tree("Bird house", de: "Vogelhaus"), to: "side", on: [base])
    commit("Bird house", de: "Vogelhaus", on: [after, side])
    commit("Bird house", de: "Vogelhaus")
    try await bench.run(context, times: 2)
    #expect(try await outdated().isEmpty)
    #expect(bench.first.sentKeys == ["a"])
  }

  @Test("translations count for the current source text beyond the limits of the search")
  func limits() async throws {
    commit("Nest", de: nil)
    try await bench.run(context)
    commit("Nest", de: "Nest")
    commit("Nesting box", de: "Nest")
    try await bench.pipeline.heads(context)
    let heads = try await WatchedHeads.load(context)
    let comparison = try #require(try await HeadComparison.compare(heads, renames: [:], context).first)
    let snapshot = try #require(heads.first?.snapshot)
    func found(_ limits: HistoryLimits) async throws -> Int {
      try await FormerSources(renames: [:], limits: limits, context: context).found(in: comparison, of: snapshot).count
    }
    #expect(try await found(HistoryLimits()) == 1)
    #expect(try await found(HistoryLimits(commits: 1)) == 0)
    #expect(try await found(HistoryLimits(readings: 1)) == 0)
  }
}
