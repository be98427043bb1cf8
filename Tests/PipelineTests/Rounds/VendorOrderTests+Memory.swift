import LedgerStore
import Localization
import Synchronization
import Testing
import Workspace

@testable import Pipeline

/// The glossary and the translation memory of a pipeline.
extension VendorOrderTests {
  @Test("a returned text that lacks a term is reported, or held if the pipeline requires it", arguments: [false, true])
  func terms(isHeld: Bool) async throws {
    var context = context()
    context.definition.glossary = GlossarySettings(file: "t.tbx", missing: isHeld ? .hold : .report)
    context.readTerms = { _ in TermCheck(["de": [.init(source: "Bird", targets: ["Vogel"])]]) }
    pipeline.commit(TestPipeline.tree(["A bird", "Bird feeder"]))
    try await run(context)
    first.give(["A bird": "Ein Spatz", "Bird feeder": "Vogelhaus"])
    let found = try await pipeline.findings(context, isThorough: true)
    try await run(context)
    #expect(german("Bird feeder") == CatalogText("Vogelhaus", .translated))
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    if isHeld {
      #expect(german("A bird") == nil)
      #expect(held.map(\.reason) == [.termMissing("“Bird” should be “Vogel”")])
      // Without the glossary, the text is delivered.
      context.definition.glossary = nil
      context.readTerms = nil
      try await run(context, times: 2)
    } else {
      #expect(held.isEmpty)
      #expect(found.contains { $0.contains("“Bird” should be “Vogel”") })
    }
    #expect(german("A bird") == CatalogText("Ein Spatz", .translated))
  }

  @Test(
    "a unit held because of a term is reviewed again after the glossary changes, without a commit or a return")
  func changedGlossary() async throws {
    let file = Mutex(("1", "Vogel"))
    var context = context()
    context.definition.glossary = GlossarySettings(file: "t.tbx", missing: .hold)
    context.readTerms = { _ in
      TermCheck(["de": [.init(source: "Bird", targets: [file.withLock { $0.1 }])]])
    }
    context.glossaryDigest = { file.withLock { $0.0 } }
    pipeline.commit(TestPipeline.tree(["A bird"]))
    try await run(context)
    first.give(["A bird": "Ein Spatz"])
    try await run(context, times: 2)
    #expect(german("A bird") == nil)
    file.withLock { $0 = ("2", "Spatz") }
    try await run(context)
    #expect(german("A bird") == CatalogText("Ein Spatz", .translated))
  }

  @Test(
    "a text that was translated before is filled from the translation memory and not sent", arguments: [false, true])
  func memory(arrivesTranslated: Bool) async throws {
    let context = context(memory: MemorySettings(arrivesTranslated: arrivesTranslated))
    pipeline.commit(tree(["old": "Birds", "new": "Birds", "other": "Fish"], de: ["old": "Vögel"]))
    try await run(context, times: 2)
    #expect(first.sentKeys == ["other"])
    #expect(german("new") == CatalogText("Vögel", arrivesTranslated ? .translated : .needsReview))
    #expect(try await books("memory") == "1/1/0/0")
    try await run(context, times: 2)
    #expect(first.sentKeys == ["other"])
  }

  @Test("a text is sent to a vendor if its known translation would be held, for example because of its placeholders")
  func unusable() async throws {
    let context = context(memory: MemorySettings())
    pipeline.commit(tree(["old": "%lld birds", "new": "%lld birds"], de: ["old": "Vögel"]))
    try await run(context, times: 2)
    #expect(first.sentKeys == ["new"])
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a returned translation is remembered after its string was removed")
  func returnedBefore() async throws {
    let context = context(memory: MemorySettings())
    pipeline.commit(TestPipeline.tree(["Birds"]))
    try await run(context)
    first.give(["Birds": "Vögel"])
    try await run(context, times: 2)
    pipeline.commit(TestPipeline.tree(["Fish"]))
    try await run(context)
    pipeline.commit(tree(["Fish": "Fish", "key": "Birds"]))
    try await run(context, times: 2)
    #expect(first.sentKeys == ["Birds", "Fish"])
    #expect(german("key") == CatalogText("Vögel", .needsReview))
  }

  @Test("a unit that is no longer in the translation memory is sent to a vendor")
  func forgotten() async throws {
    var context = context(memory: MemorySettings())
    context.vendors[2].vendor = MemoryVendor(arrivesTranslated: false) { _ in .init() }
    pipeline.commit(tree(["old": "Birds", "new": "Birds"], de: ["old": "Vögel"]))
    try await run(context, times: 3)
    #expect(first.sentKeys == ["new"])
    #expect(try await books("memory") == "1/0/0/1")
  }
}
