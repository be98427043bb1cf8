import LedgerStore
import Localization
import Pipeline
import Simulation
import Testing

/// Source texts that change while a finished translation keeps its state in the catalog.
struct OutdatedTranslationTests {
  private let bench: VendorOrderTests

  init() throws { bench = try VendorOrderTests() }

  /// Commits a source text.
  /// - Parameter de: the German translation; `nil` if there is no German translation.
  private func commit(_ source: String, de: String?) {
    bench.pipeline.commit(bench.tree(["a": source, "b": "B"], de: ["a": de, "b": "Be"].compactMapValues(\.self)))
  }

  @Test("an outdated translation is sent again once, with the former translation, and the return replaces it")
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

  @Test("with deliver.when: complete, a held return delays its language")
  func heldAnswer() async throws {
    let context = bench.context(deliver: DeliverSettings(mode: .push, when: .complete))
    func commit(_ source: String, more: [String] = []) {
      let sources = Dictionary(uniqueKeysWithValues: (["b"] + more).map { ($0, "\($0)!") })
      bench.pipeline.commit(
        bench.tree(sources.merging(["a": source]) { $1 }, de: ["a": "%lld Nester", "b": "Be"]))
    }
    commit("%lld nests")
    try await bench.run(context)
    commit("%lld nesting boxes", more: ["c"])
    try await bench.run(context)
    #expect(Set(bench.first.sentKeys) == ["a", "c"])
    let sources = ["a": "%lld nesting boxes", "c": "c!"]
    bench.first.give(["a": "Nistkästen", "c": "Ce"], of: sources)
    try await bench.run(context, times: 2)
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).map(\.unit.key) == ["a"])
    #expect(bench.german("c") == nil)
    bench.first.give(["a": "%lld Nistkästen"], of: sources)
    try await bench.run(context, times: 2)
    #expect(bench.german("a") == CatalogText("%lld Nistkästen", .translated))
    #expect(bench.german("c") == CatalogText("Ce", .translated))
  }

  @Test("a return equal to the former translation settles the unit")
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
    "a translation is not outdated if it changes with its source text or if the source text changes back"
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

  @Test("a vendor that takes over gets the outdated translation even if no text has changed since")
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

  /// Returns the context of a pipeline with a returned translation that waits on the delivery branch.
  private func returned() async throws -> PipelineContext {
    let context = bench.context(deliver: DeliverSettings(mode: .branch))
    commit("Nest", de: nil)
    try await bench.run(context)
    bench.first.give(["a": "Nest (de)"], of: ["a": "Nest"])
    try await bench.run(context, times: 2)
    #expect(bench.pipeline.german("a") == "Nest (de)")
    return context
  }

  @Test("an outdated translation is resent if its source text changed before the delivery was polled")
  func beforeALook() async throws {
    let context = try await returned()
    commit("Nest", de: "Nest (de)")
    commit("Nesting box", de: "Nest (de)")
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == ["a", "a"])
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    try await bench.run(context, times: 2)
    #expect(bench.pipeline.german("a") == "Nistkasten")
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a return replaces an outdated translation if its delivery was merged after the source text had changed")
  func mergedLate() async throws {
    let context = try await returned()
    commit("Nesting box", de: nil)
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a", "a"])
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    commit("Nesting box", de: "Nest (de)")
    try await bench.run(context, times: 3)
    #expect(bench.pipeline.german("a") == "Nistkasten")
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    #expect(bench.first.sentKeys == ["a", "a"])
  }

  @Test("the earlier return is delivered again if the source text changes back before the delivery was polled")
  func changedBack() async throws {
    let context = try await returned()
    commit("Nest", de: "Nest (de)")
    try await bench.run(context)
    commit("Nesting box", de: "Nest (de)")
    try await bench.run(context)
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    try await bench.run(context)
    #expect(bench.pipeline.german("a") == "Nistkasten")
    commit("Nest", de: "Nistkasten")
    try await bench.run(context, times: 2)
    #expect(bench.pipeline.german("a") == "Nest (de)")
    #expect(bench.first.sentKeys == ["a", "a"])
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("comparing the same commits again does not change a translation's source text")
  func comparedAgain() async throws {
    let context = bench.context(deliver: DeliverSettings(mode: .branch))
    func answer(_ target: String, to source: String) async throws {
      commit(source, de: "Nest")
      try await bench.run(context)
      bench.first.give(["a": target], of: ["a": source])
      try await bench.run(context, times: 3)
      let outdated = try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name)
      #expect(!outdated.isEmpty && Set(outdated.map(\.origin)).count == 1)
      #expect(bench.pipeline.german("a") == target)
    }
    commit("Nest", de: "Nest")
    try await bench.run(context)
    try await answer("Nistkasten", to: "Nesting box")
    try await answer("Vogelhaus", to: "Bird house")
    try await answer("Nistkasten", to: "Nesting box")
    #expect(bench.first.sentKeys == ["a", "a"])
  }

  @Test("a translation whose source text changed back stays current when the same commits are compared again")
  func comparedAgainAfterChangingBack() async throws {
    let context = bench.context(deliver: DeliverSettings(mode: .branch))
    func commit(_ a: String, _ b: String) {
      bench.pipeline.commit(bench.tree(["a": a, "b": b], de: ["a": "Nest", "b": "Be"]))
    }
    commit("Nest", "B")
    try await bench.run(context)
    commit("Nesting box", "B")
    try await bench.run(context)
    commit("Nest", "C")
    try await bench.run(context)
    try await bench.pipeline.store.record([.planAgain], of: TestPipeline.name)
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a", "b"])
    #expect(
      try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name).map(\.unit.key) == ["b"])
  }

  @Test("a translation that a person keeps for a new source text is not sent again")
  func kept() async throws {
    let context = try await returned()
    commit("Nest", de: "Nest (de)")
    try await bench.run(context)
    var tree = bench.tree(["a": "A nest", "b": "B"], de: ["a": "Nest (de)", "b": "Be"])
    func set(_ state: TranslationState) {
      guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return }
      catalog.entries["a"]?.translations["de"] = Translation("Nest (de)").inState(state)
      tree.write(catalog)
      bench.pipeline.commit(tree)
    }
    set(.needsReview)
    set(.translated)
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a", "a"], "an editor that sets no marks makes the same changes")
    set(.needsReview)
    try await bench.run(context)
    set(.translated)
    try await bench.run(context)
    #expect(try await bench.pipeline.store.outdatedTranslations(of: TestPipeline.name).isEmpty)
  }

  @Test("an outdated translation is found after restoring a ledger from before its return", arguments: [false, true])
  func restored(isAnsweredToo: Bool) async throws {
    let context = bench.context()
    commit("Nest", de: nil)
    try await bench.run(context)
    // The ledger lacks the return and its delivery, which was merged after the source text had changed.
    commit("Nesting box", de: "Nest (de)")
    try await bench.run(context)
    #expect(bench.first.sentKeys == ["a"])
    if isAnsweredToo {
      commit("Nesting box", de: nil)
      try await bench.run(context)
      bench.first.give(["a": "Nest (de)"], of: ["a": "Nesting box"])
      try await bench.run(context, times: 2)
    }
    let sent = bench.first.sentKeys
    bench.first.give(["a": "Nest (de)"], of: ["a": "Nest"])
    try await bench.run(context, times: 2)
    #expect(bench.first.sentKeys == sent + (isAnsweredToo ? [] : ["a"]))
    bench.first.give(["a": "Nistkasten"], of: ["a": "Nesting box"])
    try await bench.run(context, times: 2)
    #expect(bench.german("a") == CatalogText("Nistkasten", .translated))
  }

  @Test(
    "an outdated translation from a delivery is found if another branch has the former source text",
    arguments: ["Translations for main: de (#7)", "Nests\n\n    L10n-Round: birds/1", "Translate the nest"])
  func restoredBeside(message: String) async throws {
    let context = bench.context(branches: ["main", "release/*"])
    commit("Nest", de: nil)
    bench.pipeline.remote.move("release/1", to: bench.pipeline.remote.head(of: "main"))
    try await bench.run(context)
    commit("Nesting box", de: nil)
    let tree = bench.tree(["a": "Nesting box", "b": "B"], de: ["a": "Nest (de)", "b": "Be"])
    bench.pipeline.commit(tree, message: message)
    try await bench.run(context)
    bench.first.give(["a": "Nest (de)"], of: ["a": "Nest"])
    try await bench.run(context, times: 3)
    #expect(bench.first.sentKeys == (message.hasPrefix("Translate") ? ["a"] : ["a", "a"]))
  }

  @Test(
    "an outdated translation from a delivery is found by the bundle's source text after the ledger was lost",
    arguments: [
      ("Nest", "Translations for main: de (#7)"), ("Nesting  box\n", "Translations for main: de"), ("Nest", "X"),
    ])
  func lost(source: String, message: String) async throws {
    let context = bench.context()
    let text = source == "Nest" ? "Nesting box" : "Nesting  box"
    commit(text, de: nil)
    let tree = bench.tree(["a": text, "b": "B"], de: ["a": "Nest (de)", "b": "Be"])
    bench.pipeline.commit(tree, message: message)
    try await bench.run(context)
    bench.first.give(["a": "Nest (de)"], of: ["a": source])
    try await bench.run(context, times: 3)
    #expect(bench.first.sentKeys == (source == "Nest" && message != "X" ? ["a"] : []))
    bench.first.give(["a": "Nistkasten"], of: ["a": text])
    try await bench.run(context, times: 2)
    #expect(bench.german("a") == CatalogText(bench.first.sentKeys.isEmpty ? "Nest (de)" : "Nistkasten", .translated))
  }
}
