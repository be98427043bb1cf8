import FoundationEssentials
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import Synchronization
import TestSupport
import Testing
import Workspace

@testable import Pipeline

/// Whole rounds with several vendors: whom a unit goes to, and what is delivered.
struct VendorOrderTests {
  private let pipeline: TestPipeline
  private let first = TestVendor(name: "first")
  private let second = TestVendor(name: "second")

  init() throws { pipeline = try TestPipeline() }

  private func context(
    fallback: Bool = false, then: Bool = false, deliver: DeliverSettings = DeliverSettings(mode: .push),
    memory: MemorySettings? = nil, branches: [String]? = nil
  ) -> PipelineContext {
    let definition = TestPipeline.definition {
      if let branches { $0.repository.branches = branches.map { BranchPattern($0) } }
      $0.deliver = deliver
      $0.memory = memory
      $0.vendors = [
        VendorDefinition(
          kind: "memory", languages: ["de"], name: "first", fallback: fallback ? "second" : nil,
          patience: .seconds(3600), then: then ? "second" : nil),
        VendorDefinition(kind: "memory", name: "second"),
      ]
    }
    var context = pipeline.context(definition)
    context.vendors = zip(definition.vendors, [first, second]).map { ConfiguredVendor(definition: $0, vendor: $1) }
    if let memory {
      context.memory = RoundMemory()
      let complete = context
      context.vendors.append(
        ConfiguredVendor(
          definition: VendorDefinition(kind: "memory", languages: []),
          vendor: MemoryVendor(arrivesTranslated: memory.arrivesTranslated) {
            try await complete.translationMemory(for: $0)
          }))
    }
    return context
  }

  private func run(_ context: PipelineContext, times: Int = 1) async throws {
    for _ in 0..<times {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  /// A tree with these keys, each with its source text in code and catalog.
  private func tree(_ sources: [String: String], de: [String: String] = [:]) -> FileTree {
    var tree = TestPipeline.tree(sources.keys.sorted(), de: de)
    tree.setLines(
      sources.map { SourceLine(table: "Localizable", key: $0, value: $0 == $1 ? "" : $1) }, of: "App")
    guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return tree }
    for (key, source) in sources where key != source {
      catalog.entries[UnitKey(key)]?.translations["en"] = Translation(source)
    }
    tree.write(catalog)
    return tree
  }

  private func german(_ key: String) -> CatalogText? { CatalogText(pipeline, key) }

  /// The books over all rounds, as `sent/returned/outstanding/withdrawn`.
  private func books(_ vendor: String) async throws -> String {
    var sums = [0, 0, 0, 0]
    for account in try await pipeline.store.rounds(of: TestPipeline.name).flatMap(\.books)
    where account.vendor == vendor {
      #expect(account.isBalanced)
      for (place, count) in [account.sent, account.returned, account.outstanding, account.withdrawn].enumerated() {
        sums[place] += count
      }
    }
    return sums.map(String.init).joined(separator: "/")
  }

  // MARK: then

  @Test("a draft arrives at once as needs_review, and the answer of the next vendor replaces it")
  func draft() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys.isEmpty)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Entwurf", .needsReview))
    // Only what was drafted goes on.
    #expect(second.sentKeys == ["a"])
    second.give(["a": "Fertig"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Fertig", .translated))
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys == ["a"])
    #expect(try await books("first") == "2/1/1/0")
    #expect(try await books("second") == "1/1/0/0")
  }

  @Test("a draft that comes after the answer of the next vendor is passed over")
  func lateDraft() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    second.give(["a": "Fertig"])
    try await run(context, times: 2)
    first.give(["a": "Noch ein Entwurf"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Fertig", .translated))
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    #expect(try await pipeline.store.returnedUnits(of: TestPipeline.name, branch: "main").isEmpty)
  }

  @Test("drafts and answers that come together are delivered once, with the answers")
  func together() async throws {
    let context = context(then: true, deliver: DeliverSettings(mode: .branch))
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    #expect(pipeline.german("a") == "Entwurf" && second.sentKeys == ["a"])
    second.give(["a": "Fertig"])
    first.give(["a": "Anderer Entwurf"])
    try await run(context, times: 2)
    #expect(pipeline.german("a") == "Fertig")
  }

  @Test("what a person finished is not sent on")
  func finishedByPerson() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    first.give(["a": "Entwurf", "b": "Entwurf b"])
    // The person commits while the drafts are on their way.
    pipeline.commit(TestPipeline.tree(["a", "b"], de: ["a": "Person"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["b"])
    #expect(german("a") == CatalogText("Person", .translated))
  }

  @Test("a changed source text begins with the first vendor again, and its draft replaces the old answer")
  func changedSource() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    second.give(["a": "Fertig"])
    try await run(context, times: 2)
    var tree = try #require(pipeline.remote.tree(of: "main"))
    tree.setLines([SourceLine(table: "Localizable", key: "a", value: "new source")], of: "App")
    pipeline.commit(tree)
    try await run(context)
    #expect(first.sentKeys == ["a", "a"] && second.sentKeys == ["a"])
    first.give(["a": "Neuer Entwurf"], of: ["a": "new source"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Neuer Entwurf", .needsReview))
    #expect(second.sentKeys == ["a", "a"])
  }

  @Test("what the first vendor refuses goes on without a draft")
  func refusedDraft() async throws {
    let context = context(then: true)
    first.refuse(["a": "too rude"])
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["a"])
    #expect(first.withdrawn.isEmpty)
    #expect(try await books("first") == "2/0/1/1")
    second.give(["a": "Fertig"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Fertig", .translated))
    #expect(first.sentKeys == ["a", "b"])
  }

  @Test("the answer of the next vendor also replaces the draft of a branch that people made with it")
  func draftOnNewBranch() async throws {
    let context = context(then: true, branches: ["main", "release/*"])
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    first.give(["a": "Entwurf", "b": "Entwurf b"])
    try await run(context, times: 2)
    // The release branch begins with the drafts; a person corrects one of them there.
    var release = try #require(pipeline.remote.tree(of: "main"))
    var catalog = try #require(release.catalog(at: TestPipeline.catalog))
    catalog.entries["b"]?.translations["de"] = Translation("Person")
    release.write(catalog)
    pipeline.commit(release, to: "release/1", on: pipeline.remote.head(of: "main").map { [$0] })
    second.give(["a": "Fertig", "b": "Fertig b"])
    try await run(context, times: 3)
    #expect(second.sentKeys == ["a", "b"])
    #expect(pipeline.german("a", on: "main") == "Fertig" && pipeline.german("b", on: "main") == "Fertig b")
    #expect(pipeline.german("a", on: "release/1") == "Fertig" && pipeline.german("b", on: "release/1") == "Person")
  }

  @Test("with `when: complete` a draft completes a language")
  func complete() async throws {
    let context = context(then: true, deliver: DeliverSettings(mode: .push, when: .complete))
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    #expect(german("a") == nil)
    first.give(["b": "Entwurf b"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Entwurf", .needsReview))
    #expect(second.sentKeys.sorted() == ["a", "b"])
  }

  // MARK: fallback

  @Test("what a vendor refuses goes to its fallback, and stays there")
  func refused() async throws {
    let context = context(fallback: true)
    first.refuse(["a": "cannot"])
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context, times: 3)
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys == ["a"])
    second.give(["a": "A"])
    first.give(["b": "B"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("A", .translated) && german("b") == CatalogText("B", .translated))
    #expect(try await books("first") == "2/1/0/1")
    #expect(try await books("second") == "1/1/0/0")
  }

  @Test("without another vendor a refused unit stays outstanding")
  func refusedByTheLast() async throws {
    let context = context(fallback: true)
    first.refuse(["a": "cannot"])
    second.refuse(["a": "neither can I"])
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context, times: 4)
    #expect(try await books("first") == "1/0/0/1")
    #expect(try await books("second") == "1/0/1/0")
  }

  private struct Failure: DisposableError {
    var refusesLanguage = false
    var disposition: Disposition { refusesLanguage ? .permanent : .retryAfter(.zero) }
  }

  @Test("a language that a vendor does not have goes to its fallback, without waiting")
  func unknownLanguage() async throws {
    let context = context(fallback: true)
    first.willPush = { throw Failure(refusesLanguage: true) }
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["a"])
    #expect(try await books("first") == "1/0/0/1")
    #expect(try await pipeline.store.jobs(of: TestPipeline.name).allSatisfy { $0.failingSince == nil })
  }

  @Test("a vendor that fails for longer than it may loses its units to its fallback, and gets new ones when it works")
  func failing() async throws {
    let context = context(fallback: true)
    pipeline.commit(TestPipeline.tree(["a"]))
    first.willPush = { throw Failure() }
    first.willFind = { throw Failure() }
    try await run(context, times: 3)
    #expect(second.sentKeys.isEmpty)
    #expect(try await books("first") == "1/0/1/0")
    pipeline.clock.advance(by: 3600)
    try await run(context, times: 3)
    #expect(second.sentKeys == ["a"])
    #expect(try await books("first") == "1/0/0/1")
    // New strings go to the fallback as well, as long as the first vendor fails.
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["a", "b"] && first.sentKeys.isEmpty)
    first.willPush = {}
    first.willFind = {}
    try await run(context, times: 2)
    pipeline.commit(TestPipeline.tree(["a", "b", "c"]))
    try await run(context, times: 2)
    #expect(first.sentKeys == ["c"] && second.sentKeys == ["a", "b"])
    second.give(["a": "A"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("A", .translated))
  }

  // MARK: The glossary

  @Test("a returned text that lacks a term is reported, or held where the pipeline says so", arguments: [false, true])
  func terms(isHeld: Bool) async throws {
    var context = context()
    context.definition.glossary = GlossarySettings(file: "t.tbx", missing: isHeld ? .hold : .report)
    context.readTerms = { _ in TermCheck(["de": [.init(source: "Bird", targets: ["Vogel"])]]) }
    pipeline.commit(TestPipeline.tree(["A bird", "Bird feeder"]))
    try await run(context)
    first.give(["A bird": "Ein Spatz", "Bird feeder": "Vogelhaus"])
    let found = Mutex<[String]>([])
    try await pipeline.run(
      context, isThorough: true,
      observer: WorkerObserver(found: { _, diagnostics in
        found.withLock { $0 += diagnostics.map(\.message) }
      }))
    try await run(context)
    #expect(german("Bird feeder") == CatalogText("Vogelhaus", .translated))
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    if isHeld {
      #expect(german("A bird") == nil)
      #expect(held.map(\.reason) == [.termMissing("“Bird” is “Vogel”")])
      // Without the rule it is delivered.
      context.definition.glossary = nil
      context.readTerms = nil
      try await run(context, times: 2)
    } else {
      #expect(held.isEmpty)
      #expect(found.withLock { $0 }.contains { $0.contains("“Bird” is “Vogel”") })
    }
    #expect(german("A bird") == CatalogText("Ein Spatz", .translated))
  }

  // MARK: The translation memory

  @Test("a text that was translated before is filled, and sent to nobody", arguments: [false, true])
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

  @Test("what vendors returned before is remembered after its string is gone")
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

  @Test("what the memory no longer has when it is asked goes to a vendor")
  func forgotten() async throws {
    var context = context(memory: MemorySettings())
    context.vendors[2].vendor = MemoryVendor(arrivesTranslated: false) { _ in .init() }
    pipeline.commit(tree(["old": "Birds", "new": "Birds"], de: ["old": "Vögel"]))
    try await run(context, times: 3)
    #expect(first.sentKeys == ["new"])
    #expect(try await books("memory") == "1/0/0/1")
  }
}

/// A German text on the main branch with its state.
private struct CatalogText: Equatable {
  var text: String
  var state: TranslationState

  init(_ text: String, _ state: TranslationState) {
    self.text = text
    self.state = state
  }

  init?(_ pipeline: TestPipeline, _ key: String) {
    guard
      let translation = pipeline.remote.tree(of: "main")?.catalog(at: TestPipeline.catalog)?.entries[UnitKey(key)]?
        .translations["de"], let leaf = translation.leaves.first?.leaf
    else { return nil }
    self.init(leaf.words.plain, leaf.state)
  }
}
