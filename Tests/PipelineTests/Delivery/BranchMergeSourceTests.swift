import LedgerStore
import Localization
import Simulation
import Testing

@testable import Pipeline

/// Merges into a delivery branch with a person's commit, after code, sync or a force-push changed source texts.
@Suite(.timeLimit(.minutes(10))) struct BranchMergeSourceTests {
  private static let fly = UnitID(catalog: TestPipeline.catalog, key: "Fly")
  private let pipeline: TestPipeline
  private let context: PipelineContext
  private let first: CommitID

  init() async throws {
    pipeline = try TestPipeline()
    context = pipeline.context(TestPipeline.definition { $0.catalogs = .commit })
    first = pipeline.commit(try Self.tree("Fly up", catalog: "Fly up"))
    try await run()
    pipeline.vendor.give(["Feed": "Füttern"])
    try await run()
    #expect(pipeline.german("Feed") == "Füttern")
  }

  /// Returns the project with “Feed”, “Fly” and other keys.
  /// - Parameters:
  ///   - value: the text of “Fly” in code; `nil` if its text is the key.
  ///   - text: the source text of “Fly” in the catalog; `nil` if the catalog has none, as for a text that is the key.
  private static func tree(
    _ value: String?, catalog text: String?, keys: [String] = [], de: [String: String] = [:]
  ) throws -> FileTree {
    var tree = TestPipeline.tree(["Feed", "Fly"], de: de)
    let keys = (["Feed"] + keys).map { SourceLine(table: "Localizable", key: $0) }
    tree.setLines(keys + [SourceLine(table: "Localizable", key: "Fly", value: value ?? "")], of: "App")
    var catalog = try #require(tree.catalog(at: TestPipeline.catalog))
    if let text {
      catalog.entries["Fly"]?.translations["en"] = Translation(text, state: .new)
      catalog.entries["Fly"]?.extractionState = .extractedWithValue
    }
    tree.write(catalog)
    return tree
  }

  /// Runs the pipeline once.
  /// - Returns: the findings.
  @discardableResult private func run() async throws -> [String] {
    let found = Log<String>()
    let observer = WorkerObserver(found: { for diagnostic in $1 { found.add(diagnostic.message) } })
    try await pipeline.run(context, observer: observer)
    return found.elements
  }

  private func runWithoutConflicts(_ location: SourceLocation = #_sourceLocation) async throws {
    let found = try await run()
    #expect(found == [], sourceLocation: location)
  }

  /// Commits a person's change to the delivery branch.
  private func commitOnDelivery(_ change: (inout FileTree) -> Void = { $0["NOTES.md"] = Array("Mine.\n".utf8) }) throws
  {
    var tree = try #require(pipeline.remote.tree(of: TestPipeline.target))
    change(&tree)
    pipeline.commit(tree, to: TestPipeline.target)
  }

  /// Commits a person's translation of a key to the delivery branch.
  private func translateOnDelivery(_ key: UnitKey, _ text: String) throws {
    try commitOnDelivery { tree in
      guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return }
      catalog.entries[key]?.translations["de"] = Translation(text)
      tree.write(catalog)
    }
  }

  /// Commits a person's translation of “Fly” to the delivery branch, and changes the key's source text on main.
  private func translateBesideAnotherSource() async throws {
    try translateOnDelivery("Fly", "Hochfliegen")
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low", keys: ["Swim"]))
    try await runWithoutConflicts()
  }

  /// The catalog on the delivery branch.
  private var delivered: Catalog? { pipeline.remote.tree(of: TestPipeline.target)?.catalog(at: TestPipeline.catalog) }

  private func isMerged() throws -> Bool {
    pipeline.history.isAncestor(
      try #require(pipeline.remote.head(of: "main")), of: try #require(pipeline.remote.head(of: TestPipeline.target)))
  }

  @Test(
    "a delivery branch with a person's commit loses commits that main later dropped by a force-push",
    arguments: [false, true])
  func forcePushedBack(_ goesOn: Bool) async throws {
    pipeline.vendor.give(["Fly": "Auffliegen"], of: ["Fly": "Fly up"])
    try await runWithoutConflicts()
    try translateOnDelivery("Feed", "Von Hand")
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low", keys: ["Swim"]))
    try await runWithoutConflicts()
    pipeline.vendor.give(["Fly": "Tieffliegen"], of: ["Fly": "Fly low"])
    try await runWithoutConflicts()
    #expect(delivered?.entries["Swim"] != nil && delivered?.sourceText(of: "Fly") == "Fly low")
    pipeline.remote.move("main", to: first)
    if goesOn { pipeline.commit(try Self.tree("Fly up", catalog: "Fly up", keys: ["Walk"])) }
    for _ in 0..<3 { try await runWithoutConflicts() }
    #expect(delivered?.entries["Swim"] == nil && delivered?.sourceText(of: "Fly") == "Fly up")
    #expect(pipeline.german("Fly") == "Auffliegen" && pipeline.german("Feed") == "Von Hand")
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    #expect((delivered?.entries["Walk"] != nil) == goesOn)
    #expect(try isMerged())
  }

  @Test("a source text from sync on the delivery branch does not conflict with main's current source text")
  func brought() async throws {
    pipeline.commit(try Self.tree("Fly high", catalog: "Fly up"))
    try await run()
    #expect(delivered?.sourceText(of: "Fly") == "Fly high")
    try commitOnDelivery()
    // After the person's commit, sync writes the catalog again.
    pipeline.commit(try Self.tree("Fly higher", catalog: "Fly up"))
    try await run()
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low"))
    try await runWithoutConflicts()
    pipeline.vendor.give(["Fly": "Tief fliegen"], of: ["Fly": "Fly low"])
    try await runWithoutConflicts()
    #expect(pipeline.german("Fly") == "Tief fliegen")
    #expect(delivered?.sourceText(of: "Fly") == "Fly low")
  }

  @Test("a source text that main dropped by a force-push does not conflict with main's current source text")
  func dropped() async throws {
    pipeline.commit(try Self.tree("Fly high", catalog: "Fly high"))
    try await run()
    try commitOnDelivery()
    pipeline.remote.move("main", to: first)
    // The code is the same again, but the catalog was built from earlier code.
    pipeline.commit(try Self.tree("Fly high", catalog: "Fly low"))
    try await runWithoutConflicts()
    #expect(try isMerged())
    #expect(delivered?.sourceText(of: "Fly") == "Fly high")
  }

  @Test("a person's source text on the delivery branch conflicts with a different source text on main")
  func persons() async throws {
    try commitOnDelivery { tree in
      guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return }
      catalog.entries["Fly"]?.translations["en"] = Translation("Fly high")
      tree.write(catalog)
    }
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low", keys: ["Swim"]))
    #expect(try await run().contains { $0.contains("conflict") && $0.contains("Fly low") })
    #expect(try !isMerged())
  }

  @Test("a source text that main removed is removed from the delivery branch, even if sync had changed it there")
  func removed() async throws {
    pipeline.commit(try Self.tree("Fly high", catalog: "Fly up"))
    try await run()
    #expect(delivered?.sourceText(of: "Fly") == "Fly high")
    try commitOnDelivery()
    pipeline.commit(try Self.tree(nil, catalog: nil, keys: ["Swim"]))
    try await runWithoutConflicts()
    #expect(try isMerged())
    #expect(delivered?.sourceText(of: "Fly") == "Fly")
    pipeline.vendor.give(["Fly": "Fliegen"])
    try await runWithoutConflicts()
    #expect(pipeline.german("Fly") == "Fliegen")
  }

  @Test("a translation on the delivery branch needs review if main has a different source text")
  func review() async throws {
    try await translateBesideAnotherSource()
    #expect(try isMerged())
    let text = pipeline.remote.tree(of: TestPipeline.target)?.translation(of: Self.fly, in: "de")
    #expect(text == StringUnit(state: .needsReview, value: "Hochfliegen"))
    #expect(
      pipeline.remote.tree(of: TestPipeline.target)?.translation(
        of: UnitID(catalog: TestPipeline.catalog, key: "Feed"), in: "de")?.state == .translated)
  }

  @Test("a person's translation that our merge marked as needing review is kept when main removes the key")
  func reviewedAndRemoved() async throws {
    try await translateBesideAnotherSource()
    var removed = TestPipeline.tree(["Feed"])
    removed.setLines(["Feed", "Walk"].map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    pipeline.commit(removed)
    #expect(try await run().contains { $0.contains("conflict") && $0.contains("Fly") })
    #expect(pipeline.german("Fly") == "Hochfliegen")
  }

  @Test("our translation that a merge marked as needing review does not conflict with a person's on main")
  func reviewedIsOurs() async throws {
    pipeline.vendor.give(["Fly": "Hochfliegen"], of: ["Fly": "Fly up"])
    try await run()
    #expect(pipeline.german("Fly") == "Hochfliegen")
    try commitOnDelivery()
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low", keys: ["Swim"]))
    try await runWithoutConflicts()
    pipeline.commit(try Self.tree("Fly low", catalog: "Fly low", keys: ["Swim", "Walk"], de: ["Fly": "Tieffliegen"]))
    try await runWithoutConflicts()
    #expect(try isMerged())
    #expect(pipeline.german("Fly") == "Tieffliegen")
  }

  @Test("a person's text on main replaces our text from a squash merge that a force-push dropped")
  func squashed() async throws {
    pipeline.commit(try Self.tree("Fly up", catalog: "Fly up", de: ["Feed": "Füttern"]))
    try await run()
    pipeline.commit(try Self.tree("Fly up", catalog: "Fly up", keys: ["Swim"], de: ["Feed": "Füttern"]))
    try await run()
    try commitOnDelivery()
    pipeline.remote.move("main", to: first)
    pipeline.commit(try Self.tree("Fly up", catalog: "Fly up", keys: ["Walk"], de: ["Feed": "Füttere"]))
    try await runWithoutConflicts()
    #expect(try isMerged())
    #expect(pipeline.german("Feed") == "Füttere")
  }

  @Test("a person's text is not replaced just because our text has the same key in another catalog")
  func sameKey() async throws {
    let more = ProjectPlaces.catalog("More", of: "App")
    func tree(_ text: String?, keys: [String] = []) throws -> FileTree {
      var tree = try Self.tree("Fly up", catalog: "Fly up", keys: keys)
      tree.setLines(tree.lines(of: "App") + [SourceLine(table: "More", key: "Feed")], of: "App")
      var catalog = Catalog(path: more, sourceLanguage: "en")
      catalog.entries["Feed"] = CatalogEntry(translations: text.map { ["de": Translation($0)] } ?? [:])
      tree[more] = FileTree.emptyCatalog
      tree.write(catalog)
      return tree
    }
    pipeline.commit(try tree(nil))
    try await run()
    // The person's text on the delivery branch equals our text in the other catalog.
    let texts = ["Füttern", "Füttere"]
    try commitOnDelivery { delivery in delivery[more] = try? tree(texts[0])[more] }
    pipeline.commit(try tree(texts[1], keys: ["Swim"]))
    let found = try await run()
    #expect(found.contains { message in texts.allSatisfy(message.contains) })
    #expect(
      pipeline.remote.tree(of: TestPipeline.target)?.translation(
        of: UnitID(catalog: more, key: "Feed"), in: "de")?.value == texts[0])
  }
}
