import LedgerStore
import Localization
import Simulation
import Testing

@testable import Pipeline

/// Returns that people accept although their source text differs from the source text that was sent, and strings with an empty source text.
@Suite(.timeLimit(.minutes(10))) struct TakenReturnTests {
  @Test("an accepted return with an edited source text answers the outstanding string")
  func editedSource() async throws {
    let pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Fly", "Feed"]))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Fly": "Fliege"], of: ["Fly": "Fly!"])
    try await pipeline.run(pipeline.context())
    let held = try #require(try await pipeline.store.heldUnits(of: TestPipeline.name).first)
    #expect(held.reason?.code == "sourceChanged")
    #expect(try await outstanding(pipeline) == 2)

    try await pipeline.store.overrule("sourceChanged", for: held.id, on: "main")
    var context = pipeline.context()
    context.people = pipeline.store
    try await pipeline.run(context)
    #expect(pipeline.german("Fly") == "Fliege")
    #expect(try await outstanding(pipeline) == 1)
    // Nothing is resent once the translation is on the branch.
    let sent = pipeline.vendor.sentKeys
    pipeline.commit(TestPipeline.tree(["Fly", "Feed"], de: ["Fly": "Fliege"]))
    try await pipeline.run(context)
    #expect(pipeline.vendor.sentKeys == sent)
    #expect(try await outstanding(pipeline) == 1)
  }

  @Test("a text that a person accepts for one of two branches answers that branch's source text")
  func branches() async throws {
    let pipeline = try TestPipeline()
    let both = pipeline.context(
      TestPipeline.definition {
        $0.repository = RepositorySettings(
          url: "/birds.git", branches: ["main", "next"].map { BranchPattern($0) })
      })
    let main = pipeline.commit(TestPipeline.tree(["Fly"]))
    pipeline.commit(tree(["Fly": "Fly off"]), to: "next", on: [main])
    try await pipeline.run(both)
    try await pipeline.run(both)
    #expect(try await outstanding(pipeline) == 2)
    pipeline.vendor.give(["Fly": "Fliege"], of: ["Fly": "Fly!"])
    try await pipeline.run(both)
    let held = try #require(try await pipeline.store.heldUnits(of: TestPipeline.name).first { $0.branch == "next" })
    try await pipeline.store.overrule("sourceChanged", for: held.id, on: "next")
    var context = both
    context.people = pipeline.store
    try await pipeline.run(context)
    #expect(pipeline.german("Fly", on: "l10n/next") == "Fliege")
    let left = try await context.outstandingParts(at: context.vendors[0]).flatMap { $0.part.shipment.files }
    #expect(left.flatMap(\.units).map(\.source) == [.text("Fly")])
  }

  @Test("a string with an empty source text is not sent")
  func emptySource() async throws {
    let pipeline = try TestPipeline()
    pipeline.commit(tree(["Fly": "Fly", "Nothing": ""]))
    try await pipeline.run(pipeline.context())
    #expect(pipeline.vendor.sentKeys == ["Fly"])
    #expect(try await outstanding(pipeline) == 1)
    // The string is sent once its source text is not empty.
    pipeline.commit(tree(["Fly": "Fly", "Nothing": "Something"]))
    try await pipeline.run(pipeline.context())
    #expect(pipeline.vendor.sentKeys == ["Fly", "Nothing"])
  }

  /// Returns the project with these source texts by key.
  private func tree(_ texts: [String: String]) -> FileTree {
    var tree = TestPipeline.tree(Array(texts.keys))
    var catalog = Catalog(path: TestPipeline.catalog, sourceLanguage: "en")
    for (key, text) in texts {
      catalog.entries[UnitKey(key)] = CatalogEntry(translations: ["en": Translation(text)])
    }
    tree[TestPipeline.catalog] = FileTree.emptyCatalog
    tree.write(catalog)
    return tree
  }

  private func outstanding(_ pipeline: TestPipeline) async throws -> Int {
    try await pipeline.store.pendingWork(of: TestPipeline.name).vendors[pipeline.vendor.name]?.outstanding ?? 0
  }
}
