import Foundation
import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Returns for a text that only another branch had.
@Suite(.timeLimit(.minutes(10))) struct ForeignReturnTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext

  init() throws {
    pipeline = try TestPipeline()
    context = pipeline.context(
      TestPipeline.definition {
        $0.repository = RepositorySettings(
          url: "/birds.git", branches: ["main", "feature/*"].map { BranchPattern($0) })
      })
  }

  private func tree(_ text: String, de: String? = nil) -> FileTree {
    var tree = TestPipeline.tree(["greet"])
    var catalog = Catalog(path: TestPipeline.catalog, sourceLanguage: "en")
    catalog.entries["greet"] = CatalogEntry(translations: ["en": Translation(text)])
    if let de { catalog.entries["greet"]?.translations["de"] = Translation(de) }
    tree[TestPipeline.catalog] = FileTree.emptyCatalog
    tree.write(catalog)
    return tree
  }

  private func held() async throws -> [HeldUnit] { try await pipeline.store.heldUnits(of: TestPipeline.name) }

  private func outcomes() async throws -> [String: BranchOutcome.State] {
    let returned = try await pipeline.store.histories(of: "greet", in: TestPipeline.name, languages: [])
      .flatMap(\.versions).first { $0.text == "Hey" }?.returned.last
    return Dictionary(
      uniqueKeysWithValues: (returned?.outcomes ?? []).map { ($0.branch, $0.state) })
  }

  /// Commits “Hello” to main and “Hey” to feature/y. “Hey” is outstanding, and “Hello” is translated on main. Returns the commit on main.
  private func changeOnFeature() async throws -> CommitID {
    let main = pipeline.commit(tree("Hello", de: "Hallo"))
    try await pipeline.run(context)
    pipeline.commit(tree("Hey"), to: "feature/y", on: [main])
    try await pipeline.run(context)
    return main
  }

  @Test("after a branch was deleted, the translation of its text is passed over on the other branches")
  func deleted() async throws {
    let main = try await changeOnFeature()
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    pipeline.remote.move("feature/y", to: nil)
    // This branch is newer than the round.
    pipeline.commit(tree("Hello", de: "Hallo"), to: "feature/z", on: [main])
    try await pipeline.run(context)
    #expect(try await held().isEmpty)
    #expect(try await outcomes() == ["feature/y": .delivered, "feature/z": .passedOver, "main": .passedOver])

    // Main gets the deleted branch's text, and the known translation is delivered without sending the text again.
    pipeline.commit(tree("Hey"))
    try await pipeline.run(context)
    try await pipeline.run(context)
    #expect(pipeline.german("greet") == "He")
    #expect(pipeline.vendor.sentKeys == ["greet"])
  }

  @Test("a translation that returns after its branch was deleted is passed over too")
  func late() async throws {
    _ = try await changeOnFeature()
    pipeline.remote.move("feature/y", to: nil)
    try await pipeline.run(context)
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    #expect(try await held().isEmpty)
    #expect(try await outcomes() == ["main": .passedOver])
  }

  @Test("a deleted branch's translation is passed over on a branch whose text has changed since")
  func settledElsewhere() async throws {
    let main = pipeline.commit(tree("Hey"))
    pipeline.commit(tree("Hey"), to: "feature/y", on: [main])
    try await pipeline.run(context)
    pipeline.commit(tree("Hello"))
    try await pipeline.run(context)
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    pipeline.remote.move("feature/y", to: pipeline.remote.head(of: "l10n/feature/y"))
    try await pipeline.run(context)
    #expect(try await outcomes() == ["feature/y": .settled])
    pipeline.remote.move("feature/y", to: nil)
    try await pipeline.run(context)
    #expect(try await held().isEmpty)
    #expect(try await outcomes() == ["feature/y": .settled, "main": .passedOver])

    pipeline.commit(tree("Hey"))
    try await pipeline.run(context)
    try await pipeline.run(context)
    #expect(pipeline.german("greet") == "He")
  }

  @Test("the translation is held on a branch whose text changed after it was sent", arguments: [false, true])
  func own(isOld: Bool) async throws {
    pipeline.commit(tree("Hey"))
    try await pipeline.run(context)
    pipeline.commit(tree("Hello"))
    if isOld {
      // The earlier heads are no longer in the store.
      pipeline.clock.advance(by: 8 * 86_400)
      try await pipeline.run(context)
      try await pipeline.store.prune(of: TestPipeline.name, olderThan: pipeline.clock.now)
    }
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    #expect(try await held().map(\.reason) == [.sourceChanged("Hello")])
  }

  @Test("a translation of a text that was never sent is held on every branch until the branch with the text is deleted")
  func changedAtVendor() async throws {
    let main = pipeline.commit(tree("Hello"))
    pipeline.commit(tree("Hello"), to: "feature/y", on: [main])
    try await pipeline.run(context)
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    #expect(try await held().map(\.branch) == ["feature/y", "main"])
    pipeline.remote.move("feature/y", to: nil)
    try await pipeline.run(context)
    #expect(try await held().map(\.branch) == ["main"])
    #expect(try await pipeline.store.standings(of: TestPipeline.name)[TestPipeline.name]?.held == 1)
  }

  @Test(
    "a translation of the former source text is held until the new source text is translated", arguments: [true, false])
  func overtaken(isByVendor: Bool) async throws {
    pipeline.commit(tree("Hey"))
    try await pipeline.run(context)
    pipeline.commit(tree("Hello"))
    try await pipeline.run(context)
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    try await pipeline.run(context)
    #expect(try await held().map(\.text) == ["He"])
    if isByVendor {
      pipeline.vendor.give(["greet": "Hallo"], of: ["greet": "Hello"])
      try await pipeline.run(context)
      #expect(pipeline.german("greet") == "Hallo")
    } else {
      pipeline.commit(tree("Hello", de: "Guten Tag"))
    }
    try await pipeline.run(context)
    #expect(try await held().isEmpty)
    #expect(try await outcomes() == ["main": .passedOver])

    // The former text is committed again, and its translation is delivered.
    pipeline.commit(tree("Hey"))
    for _ in 0..<2 { try await pipeline.run(context) }
    #expect(pipeline.german("greet") == "He")
  }

  @Test("a translation of the former source text stays held if the branch has another translation of that text")
  func outdated() async throws {
    pipeline.commit(tree("Hey"))
    try await pipeline.run(context)
    pipeline.commit(tree("Hey", de: "Na"))
    try await pipeline.run(context)
    pipeline.commit(tree("Hello", de: "Na"))
    try await pipeline.run(context)
    pipeline.vendor.give(["greet": "He"], of: ["greet": "Hey"])
    for _ in 0..<2 { try await pipeline.run(context) }
    #expect(try await held().map(\.text) == ["He"])
  }
}
