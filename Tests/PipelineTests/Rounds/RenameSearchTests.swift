import Localization
import Simulation
import Testing

@testable import Pipeline

struct RenameSearchTests {
  private static let new = ProjectPlaces.catalog("Interface", of: "App")
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  private func ledger(_ commit: CommitID) -> SentLedger {
    SentLedger(sources: [
      SourceRecord(
        id: SourceID(rawValue: 1), unit: UnitID(catalog: TestPipeline.catalog, key: "Feed"),
        pin: PinDigest(Made.pin("Feed")), commit: commit)
    ])
  }

  private func renames(in ledger: SentLedger, others: [Snapshot?] = []) async throws -> [RenameSearch.Rename] {
    let context = pipeline.context()
    let snapshot = try await context.snapshots.snapshot(of: pipeline.head(context).commit)
    return try await RenameSearch(heads: [snapshot] + others, mirror: pipeline.mirror).renames(in: ledger)
  }

  private var moved: FileTree {
    var tree = TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"])
    tree[Self.new] = tree[TestPipeline.catalog]
    tree[TestPipeline.catalog] = nil
    return tree
  }

  @Test("a catalog that no branch has any more is found by git's rename detection")
  func found() async throws {
    let first = pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]))
    pipeline.commit(moved)
    #expect(
      try await renames(in: ledger(first)) == [RenameSearch.Rename(old: TestPipeline.catalog, new: Self.new)])
  }

  @Test("a table that was converted to a String Catalog counts as renamed", arguments: ["strings", "stringsdict"])
  func converted(ending: String) async throws {
    let table = TestPipeline.catalog.parent.appending("en.lproj").appending("Localizable.\(ending)")
    var ledger = ledger(pipeline.commit(TestPipeline.tree(["Feed"])))
    ledger.sources[0].unit = UnitID(catalog: table, key: "Feed")
    #expect(try await renames(in: ledger) == [RenameSearch.Rename(old: table, new: TestPipeline.catalog)])
    ledger.sources[0].unit = UnitID(catalog: table.parent.appending("Other.\(ending)"), key: "Feed")
    #expect(try await renames(in: ledger).isEmpty)
  }

  private func sources(_ commits: [CommitID]) -> SentLedger {
    SentLedger(
      sources: commits.enumerated().map { number, commit in
        SourceRecord(
          id: SourceID(rawValue: Int64(number + 1)),
          unit: UnitID(catalog: TestPipeline.catalog, key: UnitKey("Key \(number)")),
          pin: PinDigest(Made.pin(UnitKey("Key \(number)"))), commit: commit)
      })
  }

  @Test(
    "the rename of a catalog that grew since it was first sent is found, whatever the order of its units in the ledger")
  func grown() async throws {
    let first = pipeline.commit(TestPipeline.tree(["Feed"]))
    let keys = (0..<40).map { "Key \($0)" }
    var grown = TestPipeline.tree(keys, de: Dictionary(uniqueKeysWithValues: keys.map { ($0, "Schlüssel \($0)") }))
    let second = pipeline.commit(grown)
    grown[Self.new] = grown[TestPipeline.catalog]
    grown[TestPipeline.catalog] = nil
    pipeline.commit(grown)
    let rename = [RenameSearch.Rename(old: TestPipeline.catalog, new: Self.new)]
    #expect(try await renames(in: sources([first])).isEmpty)
    var ledger = sources([first, second])
    #expect(try await renames(in: ledger) == rename)
    ledger.sources.reverse()
    #expect(try await renames(in: ledger) == rename)
  }

  @Test(
    "the commit before the head is compared first, because the catalog may have been small when its units were sent")
  func before() async throws {
    let first = pipeline.commit(TestPipeline.tree(["Feed"]))
    let keys = (0..<40).map { "Key \($0)" }
    var grown = TestPipeline.tree(keys)
    let second = pipeline.commit(grown)
    grown[Self.new] = grown[TestPipeline.catalog]
    grown[TestPipeline.catalog] = nil
    pipeline.commit(grown)
    let context = pipeline.context()
    let snapshot = try await context.snapshots.snapshot(of: pipeline.head(context).commit)
    let search = RenameSearch(heads: [snapshot], mirror: pipeline.mirror, previous: { _ in second })
    #expect(
      try await search.renames(in: sources([first])) == [RenameSearch.Rename(old: TestPipeline.catalog, new: Self.new)])
  }

  @Test(
    "later commits are compared one by one, to find a rename that adds many strings or is followed by another rename"
  )
  func stepByStep() async throws {
    let first = pipeline.commit(TestPipeline.tree(["Feed"]))
    let keys = (0..<40).map { "Key \($0)" }
    var tree = TestPipeline.tree(["Feed"] + keys)
    pipeline.commit(tree)
    let middle = ProjectPlaces.catalog("Middle", of: "App")
    tree[middle] = tree[TestPipeline.catalog]
    tree[TestPipeline.catalog] = nil
    pipeline.commit(tree)
    tree[Self.new] = tree[middle]
    tree[middle] = nil
    pipeline.commit(tree)
    let context = pipeline.context()
    let snapshot = try await context.snapshots.snapshot(of: pipeline.head(context).commit)
    let search = RenameSearch(heads: [snapshot], mirror: pipeline.mirror, previous: { _ in first })
    #expect(
      try await search.renames(in: sources([first])) == [RenameSearch.Rename(old: TestPipeline.catalog, new: Self.new)])
  }

  @Test("a catalog that a branch still has was not renamed; if a branch is unreadable, no rename is assumed")
  func uncertain() async throws {
    let first = pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]))
    #expect(try await renames(in: ledger(first)).isEmpty)
    pipeline.commit(moved)
    #expect(try await renames(in: ledger(first), others: [nil]).isEmpty)
    #expect(try await renames(in: ledger(first), others: [Made.snapshot(["Feed": ""])]).isEmpty)
  }

  @Test("a commit that no longer exists after a force-push is skipped without an error")
  func commitGone() async throws {
    pipeline.commit(moved)
    #expect(try await renames(in: ledger(Made.id("9"))).isEmpty)
  }

  @Test("a catalog that has its former name again counts as renamed back, even if git lacks the commits")
  func setBack() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]))
    let context = pipeline.context()
    let snapshot = try await context.snapshots.snapshot(of: pipeline.head(context).commit)
    var sent = ledger(Made.id("9"))
    sent.sources[0].unit = UnitID(catalog: Self.new, key: "Feed")
    let middle = ProjectPlaces.catalog("Middle", of: "App")
    let search = RenameSearch(
      heads: [snapshot], mirror: pipeline.mirror, known: [TestPipeline.catalog: middle, middle: Self.new])
    #expect(
      try await search.renames(in: sent) == [RenameSearch.Rename(old: Self.new, new: TestPipeline.catalog)])
  }
}
