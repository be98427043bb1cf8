import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Merges into a delivery branch whose commits are missing from the ledger, because the ledger was lost or restored.
@Suite(.timeLimit(.minutes(10))) struct LostLedgerMergeTests {
  private let pipeline: TestPipeline
  private let main: CommitID
  /// The commit of our delivery of “Feed”.
  private let own: CommitInfo

  init() async throws {
    pipeline = try TestPipeline()
    main = try await pipeline.deliverFeed()
    own = try await pipeline.mirror.commit(try #require(pipeline.remote.head(of: TestPipeline.target)))
  }

  /// A way in which a person copies our commit with another text.
  struct Copy: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout CommitInfo) -> Void = { _ in }
    var files: [TreePath: [UInt8]] = [:]

    static let all = [
      Copy(testDescription: "with an author of their own") { $0.author = .person },
      Copy(testDescription: "amended, rebased or picked") { $0.committer = .person },
      Copy(testDescription: "amended by a program with our name") { $0.committer.seconds += 1 },
      Copy(testDescription: "with the trailers of another pipeline") {
        $0.message = $0.message.replacing("birds/", with: "finches/")
      },
      Copy(testDescription: "made for a commit that it does not follow") {
        $0.message = $0.message.replacing("L10n-Source: ", with: "L10n-Source: f")
      },
      Copy(testDescription: "without trailers") { $0.message = "Translate 1 string into de" },
      Copy(testDescription: "with other files", files: [TreePath(trusted: "NOTES.md"): Array("Mine".utf8)]),
    ]
  }

  /// Replaces our commit on the delivery branch with a copy.
  private func replace(by copy: Copy) {
    var info = own
    copy.change(&info)
    let commit = pipeline.history.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Fütterung"], other: copy.files), parents: [main],
      message: info.message, author: info.author, committer: info.committer)
    pipeline.remote.move(TestPipeline.target, to: commit.id)
  }

  /// Removes “Feed” from the watched branch, adds “Swim”, and makes the vendor return the translation of “Swim”.
  /// - Returns: the findings.
  private func removeFeed(_ pipeline: TestPipeline) async throws -> [String] {
    pipeline.commit(TestPipeline.tree(["Fly", "Swim"]))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Swim": "Schwimmen"])
    return try await pipeline.findings(pipeline.context())
  }

  @Test("a removed string that only our own commits translated is merged without a conflict")
  func ours() async throws {
    let pipeline = try TestPipeline(losingLedgerOf: pipeline)
    #expect(try await removeFeed(pipeline).isEmpty)
    #expect(pipeline.german("Swim") == "Schwimmen" && pipeline.german("Feed") == nil)
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    #expect(pipeline.history.isAncestor(own.id, of: tip), "our commit was overwritten")
  }

  @Test("other people's commits on the delivery branch are kept")
  func others() async throws {
    let pipeline = try TestPipeline(losingLedgerOf: pipeline)
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern", "Fly": "Fliegen"]), to: TestPipeline.target)
    #expect(try await removeFeed(pipeline).isEmpty)
    #expect(pipeline.german("Swim") == "Schwimmen" && pipeline.german("Fly") == "Fliegen")
  }

  @Test("a person's copy of our commit is not treated as ours", arguments: Copy.all)
  func copied(_ copy: Copy) async throws {
    replace(by: copy)
    let pipeline = try TestPipeline(losingLedgerOf: pipeline)
    #expect(try await removeFeed(pipeline).contains { $0.contains("conflict") && $0.contains("Feed") })
    #expect(pipeline.german("Feed") == "Fütterung" && pipeline.german("Swim") == nil)
  }

  @Test("while the ledger has our commit, a copy that replaced it is not treated as ours")
  func ledgerKnows() async throws {
    replace(by: Copy(testDescription: ""))
    #expect(try await removeFeed(pipeline).contains { $0.contains("conflict") && $0.contains("Feed") })
    #expect(pipeline.german("Feed") == "Fütterung" && pipeline.german("Swim") == nil)
  }

  @Test(
    "a new return replaces our waiting translation of the former source text, but not a person's edit of it",
    arguments: [false, true])
  func restored(isCorrected: Bool) async throws {
    let former = try TestPipeline()
    former.commit(tree(source: "Feed"))
    try await former.run(former.context())
    let backup = try former.backUp()
    former.vendor.give(["Feed": "Füttern"])
    try await former.run(former.context())
    #expect(former.german("Feed") == "Füttern")
    if isCorrected { former.commit(tree(source: "Feed", de: "Von Ada"), to: TestPipeline.target) }
    former.commit(tree(source: "Feed birds"))

    let pipeline = try TestPipeline(restoring: backup, of: former)
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(pipeline.context())
    #expect(pipeline.vendor.sentKeys == ["Feed"])
    pipeline.vendor.give(["Feed": "Vögel füttern"], of: ["Feed": "Feed birds"])
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == (isCorrected ? "Von Ada" : "Vögel füttern"))
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).count == (isCorrected ? 1 : 0))
  }

  private func tree(source: String, de: String? = nil) -> FileTree {
    var tree = TestPipeline.tree(["Feed"])
    var catalog = Catalog(path: TestPipeline.catalog, sourceLanguage: "en")
    catalog.entries["Feed"] = CatalogEntry(translations: ["en": Translation(source)])
    if let de { catalog.entries["Feed"]?.translations["de"] = Translation(de) }
    tree[TestPipeline.catalog] = FileTree.emptyCatalog
    tree.write(catalog)
    return tree
  }
}

extension CommitSignature {
  fileprivate static var person: CommitSignature {
    CommitSignature(name: "Person", email: "person@example.com", seconds: 1_700_000_000)
  }
}
