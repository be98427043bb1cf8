import LedgerStore
import Localization
import Pipeline
import Testing

/// Source texts that change beside a finished translation, without a word in the catalog.
struct OutdatedTranslationTests {
  private let bench: VendorOrderTests

  init() throws { bench = try VendorOrderTests() }

  private func commit(_ source: String, de: String) {
    bench.pipeline.commit(bench.tree(["a": source, "b": "B"], de: ["a": de, "b": "Be"]))
  }

  @Test("is sent again once, with the former translation to check, and its answer replaces that")
  func changed() async throws {
    let context = bench.context()
    commit("Nest", de: "Nest")
    try await bench.run(context)
    #expect(bench.first.sentKeys.isEmpty)
    commit("Nesting box", de: "Nest")
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == ["a"])
    let sent = bench.first.shipments.flatMap(\.files).flatMap(\.units).map(\.target)
    #expect(sent == [ExchangeTarget(.text("Nest"), state: "needs-review-l10n")])
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    try await bench.run(context, times: 2)
    #expect(bench.german("a") == CatalogText("Nistkasten", .translated))
    #expect(bench.first.sentKeys == ["a"])
    #expect(try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name).isEmpty)
    #expect(try await bench.books("first") == "1/1/0/0")
  }

  @Test("an answer that is the former translation settles it")
  func confirmed() async throws {
    let context = bench.context()
    commit("Nest", de: "Nest")
    try await bench.run(context)
    commit("A nest", de: "Nest")
    try await bench.run(context)
    bench.first.give(["a": "Nest"], of: ["a": "A nest"])
    try await bench.run(context, times: 3)
    #expect(bench.first.sentKeys == ["a"])
    #expect(bench.german("a") == CatalogText("Nest", .translated))
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test(
    "a translation that changes with its source text is not outdated, and neither is one whose source text changes back"
  )
  func together() async throws {
    let context = bench.context()
    commit("Nest", de: "Nest")
    try await bench.run(context)
    commit("Bird house", de: "Vogelhaus")
    try await bench.run(context)
    #expect(bench.first.sentKeys.isEmpty)
    commit("Nest", de: "Vogelhaus")
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a"])
    commit("Bird house", de: "Vogelhaus")
    try await bench.run(context)
    #expect(try await bench.books("first") == "1/0/0/0", "superseded")
    #expect(try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name).isEmpty)
  }

  @Test("a vendor that takes over gets it, although nothing changed since")
  func takenOver() async throws {
    let context = bench.context(fallback: true)
    commit("Nest", de: "Nest")
    try await bench.run(context)
    commit("Nesting box", de: "Nest")
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a"] && bench.second.sentKeys.isEmpty)
    bench.first.refuse(["a": "too hard"])
    try await bench.run(context, times: 3)
    #expect(bench.first.sentKeys == ["a"] && bench.second.sentKeys == ["a"])
  }
}
