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

/// Whole rounds with several vendors: which vendor gets a unit, and what is delivered. The tests of this file are about `then`.
struct VendorOrderTests {
  let pipeline: TestPipeline
  let first = TestVendor(name: "first")
  let second = TestVendor(name: "second")

  init() throws { pipeline = try TestPipeline() }

  func context(
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

  func run(_ context: PipelineContext, times: Int = 1) async throws {
    for _ in 0..<times {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  /// Returns a tree with these keys, each with its source text in code and catalog.
  func tree(_ sources: [String: String], de: [String: String] = [:]) -> FileTree {
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

  func german(_ key: String) -> CatalogText? { CatalogText(pipeline, key) }

  /// Returns the books of all rounds as `sent/returned/outstanding/withdrawn`.
  func books(_ vendor: String) async throws -> String {
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

  @Test("a draft is delivered immediately as needs_review, and the next vendor's translation replaces it")
  func draft() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys.isEmpty)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Entwurf", .needsReview))
    // Only drafted units go to the next vendor.
    #expect(second.sentKeys == ["a"])
    second.give(["a": "Fertig"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("Fertig", .translated))
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys == ["a"])
    #expect(try await books("first") == "2/1/1/0")
    #expect(try await books("second") == "1/1/0/0")
  }

  @Test("a draft that arrives after the next vendor's translation is passed over")
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

  @Test("if drafts and final translations arrive together, only the final translations are delivered")
  func together() async throws {
    let context = context(then: true, deliver: DeliverSettings(mode: .branch))
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context)
    first.give(["a": "Entwurf"])
    try await run(context, times: 2)
    #expect(pipeline.german("a") == "Entwurf" && second.sentKeys == ["a"])
    // The draft is only on the delivery branch, but is still sent to the next vendor.
    let sent = second.shipments.flatMap(\.files).flatMap(\.units).map(\.target)
    #expect(sent == [ExchangeTarget(.text("Entwurf"), state: "needs-review-l10n")])
    second.give(["a": "Fertig"])
    first.give(["a": "Anderer Entwurf"])
    try await run(context, times: 2)
    #expect(pipeline.german("a") == "Fertig")
  }

  @Test("a unit that a person finished is not sent to the next vendor")
  func finishedByPerson() async throws {
    let context = context(then: true)
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    first.give(["a": "Entwurf", "b": "Entwurf b"])
    // A person commits while the drafts are outstanding.
    pipeline.commit(TestPipeline.tree(["a", "b"], de: ["a": "Person"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["b"])
    #expect(german("a") == CatalogText("Person", .translated))
  }

  @Test("a unit with a changed source text goes to the first vendor again, and its draft replaces the old translation")
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

  @Test("a unit that the first vendor refuses goes to the next vendor without a draft")
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

  @Test("the next vendor's translation also replaces the draft on a branch created after the draft")
  func draftOnNewBranch() async throws {
    let context = context(then: true, branches: ["main", "release/*"])
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context)
    first.give(["a": "Entwurf", "b": "Entwurf b"])
    try await run(context, times: 2)
    // The release branch starts with the drafts, and a person corrects one draft on this branch.
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
}

/// A German text on the main branch, with its state.
struct CatalogText: Equatable {
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
