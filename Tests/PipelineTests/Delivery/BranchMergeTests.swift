import FoundationEssentials
import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Deliveries to a branch that people also change while main moves.
@Suite(.timeLimit(.minutes(10))) struct BranchMergeTests {
  private let pipeline: TestPipeline
  private let main: CommitID

  init() async throws {
    pipeline = try TestPipeline()
    main = try await pipeline.deliverFeed()
    #expect(pipeline.german("Feed") == "Füttern")
  }

  /// Commits a person's texts to the delivery branch, and other texts to main together with a new string. The vendor then returns the translation of
  /// the new string. The result is the findings of the last run.
  private func play(
    delivery: [String: String], main: [String: String], store: ForwardingStore? = nil
  ) async throws -> [String] {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: delivery), to: TestPipeline.target)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"], de: main))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Swim": "Schwimmen"])
    return try await pipeline.findings(pipeline.context(store: store))
  }

  @Test(
    "the ledger's deliveries are read only for conflicts with texts that were not returned",
    arguments: [([:], 0), (["Feed": "Füttere"], 0), (["Fly": "Flieg"], 1)] as [([String: String], Int)])
  func reads(_ main: [String: String], _ expected: Int) async throws {
    let store = ForwardingStore(store: pipeline.store)
    _ = try await play(delivery: ["Feed": "Füttern", "Fly": "Fliegen"], main: main, store: store)
    #expect(store.calls["deliveries"] == expected)
  }

  @Test("a person's text on the delivery branch is kept, main is merged into the branch, and the translation is added")
  func both() async throws {
    #expect(try await play(delivery: ["Feed": "Füttern", "Fly": "Fliegen"], main: [:]).isEmpty)
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(pipeline.german("Fly") == "Fliegen")
    #expect(pipeline.german("Swim") == "Schwimmen")
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    #expect(pipeline.history.isAncestor(try #require(pipeline.remote.head(of: "main")), of: tip))
  }

  @Test(
    "a person's text on the delivery branch moves with its catalog, which main moved and changed",
    arguments: [false, true])
  func moved(isChanged: Bool) async throws {
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern", "Fly": "Fliegen"]), to: TestPipeline.target)
    let new = ProjectPlaces.catalog("Birds", of: "App")
    var files = TestPipeline.tree(["Feed", "Fly", "Swim"])
    if isChanged {
      var catalog = try #require(files.catalog(at: TestPipeline.catalog))
      catalog.entries["Swim"] = CatalogEntry()
      files.write(catalog)
    }
    files[new] = files[TestPipeline.catalog]
    files[TestPipeline.catalog] = nil
    files.setLines(["Feed", "Fly", "Swim"].map { SourceLine(table: "Birds", key: $0) }, of: "App")
    pipeline.commit(files)
    for _ in 0..<2 { #expect(try await pipeline.findings(pipeline.context()) == []) }
    pipeline.vendor.give(["Swim": "Schwimmen"])
    #expect(try await pipeline.findings(pipeline.context()) == [])
    let branch = try #require(pipeline.remote.tree(of: TestPipeline.target))
    let german = ["Feed", "Fly", "Swim"].map { branch.translation(of: UnitID(catalog: new, key: $0), in: "de")?.value }
    #expect(german == ["Füttern", "Fliegen", "Schwimmen"])
    #expect(branch[TestPipeline.catalog] == nil)
  }

  @Test("a person's correction on the delivery branch takes precedence over our text that a squash merge put on main")
  func oursYieldsOnMain() async throws {
    #expect(try await play(delivery: ["Feed": "Futter geben"], main: ["Feed": "Füttern"]).isEmpty)
    #expect(pipeline.german("Feed") == "Futter geben")
    #expect(pipeline.german("Swim") == "Schwimmen")
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a person's translation on main takes precedence over our translation")
  func oursYields() async throws {
    #expect(try await play(delivery: ["Feed": "Füttern", "Fly": "Fliegen"], main: ["Feed": "Füttere"]).isEmpty)
    #expect(pipeline.german("Feed") == "Füttere")
    let feed = pipeline.remote.tree(of: TestPipeline.target)?.translation(
      of: UnitID(catalog: TestPipeline.catalog, key: "Feed"), in: "de")
    #expect(feed?.state == .translated)
    #expect(pipeline.german("Fly") == "Fliegen")
    #expect(pipeline.german("Swim") == "Schwimmen")
  }

  @Test(
    "a conflict between two people's texts is reported and left to them, and the delivery branch is unchanged",
    arguments: [["Feed": "Füttern", "Fly": "Fliegen"], ["Feed": "Fütterung", "Fly": "Fliege"]])
  func persons(_ delivery: [String: String]) async throws {
    let other = ["Feed": "Füttere", "Fly": "Flieg"]
    let messages = try await play(delivery: delivery, main: other)
    #expect(messages.contains { $0.contains("conflict") && $0.contains("Fly") })
    #expect(messages.contains { $0.contains("Feed") } == (delivery["Feed"] == "Fütterung"))
    #expect(pipeline.german("Fly") == delivery["Fly"])
    #expect(pipeline.german("Swim") == nil)
    #expect(pipeline.german("Fly", on: "main") == "Flieg")
    let words = "push l10n/main. Deleting l10n/main also works, but drops the commits that people made there"
    #expect(try await pipeline.store.jobs(of: TestPipeline.name).contains { "\($0.state)".contains(words) })
  }

  @Test("waiting translations are delivered after a person merged by hand")
  func resolved() async throws {
    _ = try await play(delivery: ["Feed": "Füttern", "Fly": "Fliegen"], main: ["Fly": "Flieg"])
    let (tip, head) = (pipeline.remote.head(of: TestPipeline.target), pipeline.remote.head(of: "main"))
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Füttern", "Fly": "Flieg"]), to: TestPipeline.target,
      on: [tip, head].compactMap(\.self))
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Fly") == "Flieg")
    #expect(pipeline.german("Swim") == "Schwimmen")
  }

  @Test("a text that a person corrected on the delivery branch is not held when another text is delivered")
  func correctedBefore() async throws {
    #expect(try await play(delivery: ["Feed": "Fütterung"], main: [:]).isEmpty)
    #expect(pipeline.german("Feed") == "Fütterung")
    #expect(pipeline.german("Swim") == "Schwimmen")
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  @Test("a person's translation on the delivery branch is not sent, even under a newer delivery of ours")
  func translatedBelow() async throws {
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim", "Sing"]))
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly", "Swim", "Sing"], de: ["Feed": "Füttern", "Swim": "Schwimmt"]),
      to: TestPipeline.target, on: [tip, head])
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Sing": "Singen"])
    try await pipeline.run(pipeline.context())
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Sing") == "Singen" && pipeline.german("Swim") == "Schwimmt")
    #expect(pipeline.vendor.sentKeys == ["Feed", "Fly", "Sing"])
  }

  @Test("a translation on one branch's delivery branch is still sent for another branch that lacks it")
  func translatedForOneBranch() async throws {
    let context = pipeline.context(
      TestPipeline.definition { $0.repository.branches = ["main", "release"].map { BranchPattern($0) } })
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"]))
    pipeline.remote.move("release", to: head)
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Füttern", "Swim": "Schwimmt"]),
      to: TestPipeline.target, on: [tip, head])
    try await pipeline.run(context)
    #expect(pipeline.vendor.sentKeys == ["Feed", "Fly", "Swim"])
    pipeline.vendor.give(["Swim": "Schwimmen"])
    try await pipeline.run(context)
    try await pipeline.run(context)
    #expect(pipeline.german("Swim") == "Schwimmt")
    #expect(pipeline.german("Swim", on: "l10n/release") == "Schwimmen")
  }

  @Test("a text that a person removed from main after a squash merge does not come back with the next delivery")
  func removedAfterSquash() async throws {
    let notes: [TreePath: [UInt8]] = [TreePath(trusted: "NOTES.md"): Array("Notes".utf8)]
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern"], other: notes), to: TestPipeline.target)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Füttern"]))
    _ = try await pipeline.findings(pipeline.context())
    pipeline.vendor.give(["Fly": "Fliegen"])
    _ = try await pipeline.findings(pipeline.context())
    #expect(pipeline.german("Fly") == "Fliegen")
    let removal = pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"]))
    pipeline.vendor.give(["Swim": "Schwimmen"])
    for _ in 0..<2 {
      pipeline.clock.advance(by: 60)
      _ = try await pipeline.findings(pipeline.context())
    }
    #expect(pipeline.german("Swim") == "Schwimmen" && pipeline.german("Fly") == "Fliegen")
    #expect(pipeline.german("Feed") == nil)
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.reason?.removal?.commit) == [removal.rawValue])
  }

  @Test("a text that a reviewer removed from the delivery branch before it was merged is not delivered again")
  func removedInReview() async throws {
    let review = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]), to: TestPipeline.target)
    let other = pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], other: [TreePath(trusted: "NOTES.md"): Array("Notes".utf8)]))
    _ = try await pipeline.findings(pipeline.context())
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]), on: [other, review])
    for _ in 0..<2 {
      pipeline.clock.advance(by: 60)
      _ = try await pipeline.findings(pipeline.context())
    }
    #expect(pipeline.german("Feed") == nil && pipeline.german("Feed", on: "main") == nil)
    #expect(pipeline.vendor.sentKeys == ["Feed", "Fly"])
  }

  @Test("a catalog that a person broke on the delivery branch is reported until fixed; then delivery continues")
  func broken() async throws {
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"]))
    var tree = TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Füttern"])
    let whole = tree
    tree[TestPipeline.catalog] = Array("<<<<<<< ours\n".utf8)
    pipeline.commit(tree, to: TestPipeline.target, on: [tip, head])
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Swim": "Schwimmen"])
    let messages = try await pipeline.findings(pipeline.context())
    #expect(messages.contains { $0.hasPrefix("on branch l10n/main: ") })
    let findings = try await pipeline.store.jobs(of: TestPipeline.name).flatMap(\.findings)
    #expect(findings.contains { $0.severity == .error && $0.hint?.contains("correct it on l10n/main") == true })
    pipeline.commit(whole, to: TestPipeline.target)
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Swim") == "Schwimmen")
    #expect(try await pipeline.store.jobs(of: TestPipeline.name).flatMap(\.findings).isEmpty)
  }

  @Test("a file that one branch deleted and the other changed is reported as a conflict", arguments: [true, false])
  func deletedFile(isDeletedOnMain: Bool) async throws {
    let notes = TreePath(trusted: "NOTES.md")
    func tree(_ keys: [String], _ text: String?, de: [String: String] = [:]) -> FileTree {
      TestPipeline.tree(keys, de: de, other: text.map { [notes: Array($0.utf8)] } ?? [:])
    }
    let tip = try #require(pipeline.remote.head(of: TestPipeline.target))
    let head = pipeline.commit(tree(["Feed", "Fly"], "Notes"))
    pipeline.commit(
      tree(["Feed", "Fly"], isDeletedOnMain ? "More notes" : nil, de: ["Feed": "Füttern"]), to: TestPipeline.target,
      on: [tip, head])
    pipeline.commit(tree(["Feed", "Fly", "Swim"], isDeletedOnMain ? nil : "More notes"))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Swim": "Schwimmen"])
    let messages = try await pipeline.findings(pipeline.context())
    let sides = isDeletedOnMain ? ("main", "l10n/main") : ("l10n/main", "main")
    #expect(messages.contains { $0.contains("\(sides.0) deleted the file, and \(sides.1) changed it") }, "\(messages)")
  }
}
