import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Rounds in which a delivered translation disappears from the watched branch.
struct RemovalSearchTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext
  private let keys = ["Feed", "Trip"]
  private let unit = UnitID(catalog: TestPipeline.catalog, key: "Feed")

  /// Sends, translates and delivers two strings to the watched branch.
  init() async throws {
    pipeline = try TestPipeline()
    context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .push) })
    pipeline.commit(TestPipeline.tree(keys))
    try await run()
    pipeline.vendor.give(["Feed": "Füttern", "Trip": "Reise"])
    try await run(times: 2)
    #expect(german == "Füttern")
  }

  private func run(times: Int = 1) async throws {
    for _ in 0..<times {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  private var german: String? { pipeline.german("Feed", on: "main") }
  private var delivered: FileTree { get throws { try #require(pipeline.remote.tree(of: "main")) } }

  /// Returns the files of the watched branch with another translation of “Feed”.
  private func tree(_ translation: Translation?, source: String? = nil) throws -> FileTree {
    var tree = try delivered
    var catalog = try #require(tree.catalog(at: TestPipeline.catalog))
    catalog.entries["Feed"]?.translations["de"] = translation
    if let source { catalog.entries["Feed"]?.translations["en"] = source == "Feed" ? nil : Translation(source) }
    tree.write(catalog)
    if let source {
      tree.setLines(
        keys.map { SourceLine(table: "Localizable", key: $0, value: $0 == "Feed" && source != "Feed" ? source : "") },
        of: "App")
    }
    return tree
  }

  private func held() async throws -> [HeldUnit] {
    try await pipeline.store.heldUnits(of: TestPipeline.name)
  }

  /// Checks that the text stays removed, and that its unit is neither sent again nor lost.
  private func expectRemoved(by commit: CommitID) async throws {
    let held = try await held()
    #expect(held.map(\.unit) == [unit] && held.map(\.text) == ["Füttern"])
    #expect(held.first?.reason == .removed(HoldReason.Removal(commit: commit.rawValue, author: "Person")))
    #expect(pipeline.vendor.sentKeys.sorted() == keys)
    #expect(pipeline.german("Trip", on: "main") == "Reise")
  }

  @Test("a text that a person removes is held, and stays removed after further commits")
  func removed() async throws {
    let removal = pipeline.commit(try tree(nil))
    try await run(times: 2)
    #expect(german == nil)
    try await expectRemoved(by: removal)

    var more = try delivered
    more[TreePath(trusted: "NOTES.md")] = Array("Notes".utf8)
    pipeline.commit(more)
    try await run(times: 2)
    #expect(german == nil)
    try await expectRemoved(by: removal)
  }

  @Test("a text that a person marks as needing review keeps the mark")
  func needsReview() async throws {
    let removal = pipeline.commit(try tree(Translation("Füttern").inState(.needsReview)))
    try await run(times: 2)
    let text = try delivered.translation(of: unit, in: "de")
    #expect(text == StringUnit(state: .needsReview, value: "Füttern"))
    try await expectRemoved(by: removal)
  }

  @Test("a removed text that the vendor returns again stays removed, but another text is delivered")
  func returnedAgain() async throws {
    let removal = pipeline.commit(try tree(nil))
    try await run(times: 2)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await run(times: 2)
    #expect(german == nil)
    #expect(try await held().contains { $0.reason?.removal?.commit == removal.rawValue })
    pipeline.vendor.give(["Feed": "Futter geben"])
    try await run(times: 2)
    #expect(german == "Futter geben")
  }

  @Test("a removed text is no longer held once a person restores it")
  func putBack() async throws {
    pipeline.commit(try tree(nil))
    try await run(times: 2)
    pipeline.commit(try tree(Translation("Füttern")))
    try await run(times: 2)
    #expect(german == "Füttern")
    #expect(try await held().isEmpty)
  }

  @Test("a removed text is not delivered to a branch that was created after the removal", arguments: [true, false])
  func newBranch(isKnownBefore: Bool) async throws {
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = ["main", "release"].map { BranchPattern($0) }
        $0.deliver = DeliverSettings(mode: .push)
      })
    let removal = pipeline.commit(try tree(nil))
    if isKnownBefore { try await run(times: 2) }
    pipeline.remote.move("release", to: removal)
    for _ in 0..<2 {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
    #expect(pipeline.german("Feed", on: "release") == nil)
    #expect(Set(try await held().map(\.branch)) == ["main", "release"])
    #expect(pipeline.vendor.sentKeys.sorted() == keys)
  }

  @Test("a removed text is not delivered to a later branch, even if the clock was set back before the removal")
  func clockSetBack() async throws {
    var files = try delivered
    files.setLines((keys + ["Swim"]).map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    pipeline.commit(files)
    pipeline.clock.advance(by: 86_400)
    try await run()
    pipeline.vendor.give(["Swim": "Schwimmen"])
    try await run(times: 2)
    #expect(pipeline.german("Swim", on: "main") == "Schwimmen")
    pipeline.clock.advance(by: -86_400)
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = ["main", "release"].map { BranchPattern($0) }
        $0.deliver = DeliverSettings(mode: .push)
      })
    files = try delivered
    var catalog = try #require(files.catalog(at: TestPipeline.catalog))
    catalog.entries["Swim"]?.translations["de"] = nil
    files.write(catalog)
    pipeline.remote.move("release", to: pipeline.commit(files))
    for _ in 0..<2 {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
    #expect(pipeline.german("Swim", on: "release") == nil)
    #expect(Set(try await held().map(\.branch)) == ["main", "release"])
  }

  @Test("a removed text stays removed after its catalog was renamed")
  func renamed() async throws {
    let removal = pipeline.commit(try tree(nil))
    let new = ProjectPlaces.catalog("Birds", of: "App")
    var files = try delivered
    files[new] = files[TestPipeline.catalog]
    files[TestPipeline.catalog] = nil
    files.setLines(keys.map { SourceLine(table: "Birds", key: $0) }, of: "App")
    pipeline.commit(files)
    try await run(times: 2)
    #expect(try delivered.translation(of: UnitID(catalog: new, key: "Feed"), in: "de") == nil)
    #expect(try await held().map(\.reason?.removal?.commit) == [removal.rawValue])
  }

  @Test("a removed text stays removed when the removal is rebased, or made in two commits of one push")
  func rebased() async throws {
    let before = try #require(pipeline.remote.head(of: "main"))
    let files = try tree(nil)
    pipeline.commit(files)
    try await run(times: 2)
    let removal = pipeline.commit(files, on: [before], message: "The same, amended")
    try await run(times: 2)
    #expect(german == nil)
    try await expectRemoved(by: removal)

    let marked = pipeline.commit(try tree(Translation("Füttern").inState(.needsReview)), on: [before])
    let deleted = pipeline.commit(try tree(nil), on: [marked])
    try await run(times: 2)
    #expect(german == nil)
    try await expectRemoved(by: deleted)
  }

  @Test("a text that was accepted and then removed again is held again")
  func removedTwice() async throws {
    var context = context
    context.people = pipeline.store
    func run() async throws {
      for _ in 0..<2 {
        try await pipeline.run(context, isThorough: true)
        pipeline.clock.advance(by: 60)
      }
    }
    pipeline.commit(try tree(nil))
    try await run()
    let unit = try #require(try await held().first)
    try await pipeline.store.overrule("removed", for: unit.id, on: "main")
    try await run()
    #expect(german == "Füttern")
    let removal = pipeline.commit(try tree(nil))
    try await run()
    #expect(german == nil)
    try await expectRemoved(by: removal)
  }

  @Test("with when: complete, a removed text does not delay other translations of its language")
  func complete() async throws {
    let context = pipeline.context(
      TestPipeline.definition { $0.deliver = DeliverSettings(mode: .push, when: .complete) })
    let removal = pipeline.commit(try tree(nil))
    var files = try delivered
    files.setLines((keys + ["Swim"]).map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    pipeline.commit(files)
    for _ in 0..<3 {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
    pipeline.vendor.give(["Swim": "Schwimmen"])
    for _ in 0..<2 {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
    #expect(pipeline.german("Swim", on: "main") == "Schwimmen" && german == nil)
    #expect(try await held().map(\.reason?.removal?.commit) == [removal.rawValue])
  }

  @Test("a removed text is delivered again when a force-push drops the removal")
  func undone() async throws {
    let before = try #require(pipeline.remote.head(of: "main"))
    let first = try #require(pipeline.history[before]?.info.parents.first)
    pipeline.commit(try tree(nil))
    try await run(times: 2)
    #expect(german == nil)
    pipeline.commit(TestPipeline.tree(keys), on: [first])
    try await run(times: 2)
    #expect(german == "Füttern")
    #expect(try await held().isEmpty)
  }

  @Test("a text that a merge lost is delivered again")
  func merged() async throws {
    let delivery = try #require(pipeline.remote.head(of: "main"))
    let base = try #require(pipeline.history[delivery]?.info.parents.first)
    var other = TestPipeline.tree(keys)
    other[TreePath(trusted: "NOTES.md")] = Array("Notes".utf8)
    let side = pipeline.commit(other, to: "side", on: [base])
    pipeline.commit(other, on: [delivery, side])
    #expect(german == nil)
    try await run(times: 2)
    #expect(german == "Füttern")
    #expect(try await held().isEmpty)
  }

  @Test("a text that needed review only while its source text was different is delivered again")
  func sourceCameBack() async throws {
    pipeline.commit(try tree(Translation("Füttern").inState(.needsReview), source: "Feed the birds"))
    pipeline.commit(try tree(Translation("Füttern").inState(.needsReview), source: "Feed"))
    try await run(times: 2)
    let text = try delivered.translation(of: unit, in: "de")
    #expect(text == StringUnit(state: .translated, value: "Füttern"))
    #expect(try await held().isEmpty)
  }

  @Test("beyond the limits of the search, a removed text counts as lost")
  func limits() async throws {
    let removal = pipeline.commit(try tree(nil))
    let heads = try await pipeline.heads(context)
    let head = try #require(heads.first)
    let snapshot = try await context.snapshots.snapshot(of: removal)
    let subject = RemovalSearch.Subject(
      id: ReturnedUnitID(rawValue: 1), unit: unit, language: "de", isOurs: { $0 == Translation("Füttern") })
    func found(_ limits: HistoryLimits) async throws -> Int {
      try await RemovalSearch(head: head, snapshot: snapshot, [:], limits: limits, context).removed(among: [subject])
        .count
    }
    #expect(try await found(HistoryLimits()) == 1)
    #expect(try await found(HistoryLimits(commits: 0)) == 0)
    #expect(try await found(HistoryLimits(readings: 1)) == 0)
  }
}
