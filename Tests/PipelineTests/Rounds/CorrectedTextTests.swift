import FoundationEssentials
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Delivered translations that a person corrects in the repository, and whose string is removed and added again.
@Suite(.timeLimit(.minutes(10))) struct CorrectedTextTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext
  private let correction: CommitID

  /// Delivers a translation of “Feed” to main, where a person corrects it.
  init() async throws {
    pipeline = try TestPipeline()
    context = pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = ["main", "release"].map { BranchPattern($0) }
        $0.deliver = DeliverSettings(mode: .push)
      })
    let first = pipeline.commit(TestPipeline.tree(["Trip"]))
    pipeline.remote.move("release", to: first)
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"]))
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Feed": "Füttern", "Trip": "Reise"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    try #require(pipeline.german("Feed", on: "main") == "Füttern")
    correction = pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Feed": "Futter geben", "Trip": "Reise"]))
    try await run()
    try #require(pipeline.german("Feed", on: "main") == "Futter geben")
  }

  /// Returns the files of the main branch with another source text and translation of “Feed”.
  private func tree(source: String, de: String) throws -> FileTree {
    var tree = try #require(pipeline.remote.tree(of: "main"))
    var catalog = try #require(tree.catalog(at: TestPipeline.catalog))
    catalog.entries["Feed"]?.translations["de"] = Translation(de)
    catalog.entries["Feed"]?.translations["en"] = source == "Feed" ? nil : Translation(source)
    tree.write(catalog)
    tree.setLines(
      ["Feed", "Trip"].map { key in
        SourceLine(table: "Localizable", key: key, value: key == "Feed" && source != "Feed" ? source : "")
      }, of: "App")
    return tree
  }

  private func run() async throws {
    for _ in 0..<2 {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  /// Checks that the returned text is held on a branch and not delivered there, and that each text was sent only once.
  private func expectHeld(on branch: String) async throws {
    #expect(pipeline.german("Feed", on: branch) == nil)
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.branch) == [branch] && held.map(\.text) == ["Füttern"])
    #expect(held.first?.reason == .removed(HoldReason.Removal(commit: correction.rawValue, author: "Person")))
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Trip"])
  }

  @Test("the returned text is not delivered again when the string is deleted and added again")
  func deletedAndAdded() async throws {
    pipeline.commit(TestPipeline.tree(["Trip"], de: ["Trip": "Reise"]))
    try await run()
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Trip": "Reise"]))
    try await run()
    try await expectHeld(on: "main")
  }

  @Test(
    "the returned text is not restored if its source text changed for a while and had its own translation"
  )
  func sourceCameBack() async throws {
    pipeline.commit(try tree(source: "Feed the birds", de: "Futter geben"))
    try await run()
    pipeline.vendor.give(["Feed": "Vögel füttern"], of: ["Feed": "Feed the birds"])
    try await run()
    #expect(pipeline.german("Feed", on: "main") == "Vögel füttern")
    pipeline.commit(try tree(source: "Feed", de: "Vögel füttern"))
    try await run()
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.text) == ["Füttern"] && held.first?.reason?.removal?.commit == correction.rawValue)
    #expect(pipeline.german("Feed", on: "main") == "Vögel füttern")
  }

  @Test("the returned text is not delivered to another branch that gets the string later")
  func laterBranch() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Trip": "Reise"]), to: "release")
    try await run()
    try await expectHeld(on: "release")
    #expect(pipeline.german("Feed", on: "main") == "Futter geben")
    // A merge of the main branch brings the correction to this branch.
    pipeline.commit(
      TestPipeline.tree(["Feed", "Trip"], de: ["Feed": "Futter geben", "Trip": "Reise"]), to: "release",
      on: ["release", "main"].compactMap { pipeline.remote.head(of: $0) })
    try await run()
    #expect(pipeline.german("Feed", on: "release") == "Futter geben")
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Trip"])
  }

  @Test("the returned text is delivered to another branch if the correction was undone")
  func undone() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Feed": "Füttern", "Trip": "Reise"]))
    try await run()
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Trip": "Reise"]), to: "release")
    try await run()
    #expect(pipeline.german("Feed", on: "release") == "Füttern")
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a correction by the vendor is delivered to another branch that gets the string later")
  func correctedByVendor() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Feed": "Füttern", "Trip": "Reise"]))
    try await run()
    pipeline.vendor.give(["Feed": "Speisen"])
    try await run()
    #expect(pipeline.german("Feed", on: "main") == "Speisen")
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Trip": "Reise"]), to: "release")
    try await run()
    #expect(pipeline.german("Feed", on: "release") == "Speisen")
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a returned text that a person's merge marked for review keeps the mark")
  func markedInMerge() async throws {
    // Main has the returned text again, and the merge only changes its state.
    let merged = try await conflict {
      $0.entries["Feed"]?.translations["de"] = Translation("Füttern").inState(.needsReview)
    }
    #expect(try text() == StringUnit(state: .needsReview, value: "Füttern"))
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.reason?.removal?.commit) == [merged.rawValue])
  }

  @Test("a returned text that a merge replaced with the other side's text is delivered again")
  func lostInMerge() async throws {
    _ = try await conflict { $0.entries["Feed"]?.translations["de"] = nil }
    #expect(try text() == StringUnit(state: .translated, value: "Füttern"))
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  private func text() throws -> StringUnit? {
    try #require(pipeline.remote.tree(of: "main"))
      .translation(of: UnitID(catalog: TestPipeline.catalog, key: "Feed"), in: "de")
  }

  /// Undoes the correction, merges a branch without the translation into main, and runs a round. The merge has main's catalog, modified by
  /// `change`. Returns the merge commit.
  private func conflict(_ change: (inout Catalog) -> Void) async throws -> CommitID {
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"], de: ["Feed": "Füttern", "Trip": "Reise"]))
    try await run()
    let side = pipeline.commit(
      TestPipeline.tree(["Feed", "Trip"], de: ["Trip": "Reise"]), to: "side", on: [])
    var tree = try #require(pipeline.remote.tree(of: "main"))
    var catalog = try #require(tree.catalog(at: TestPipeline.catalog))
    change(&catalog)
    tree.write(catalog)
    let merged = pipeline.commit(tree, on: [try #require(pipeline.remote.head(of: "main")), side])
    try await run()
    return merged
  }
}
