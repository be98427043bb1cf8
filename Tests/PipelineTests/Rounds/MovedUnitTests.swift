import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Rounds in which people move strings to another catalog, or rename a catalog.
@Suite(.timeLimit(.minutes(10))) struct MovedUnitTests {
  private static let kit = ProjectPlaces.catalog("Localizable", of: "Kit")
  private static let renamed = ProjectPlaces.catalog("Interface", of: "App")
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  /// The texts of a string in code and catalog.
  private struct Text {
    var source: String
    var de: String?
  }

  private func tree(_ texts: [String: Text], in catalogs: [String: TreePath] = [:]) throws -> FileTree {
    var tree = FileTree([:])
    let places = Dictionary(grouping: texts.keys.sorted()) { catalogs[$0] ?? TestPipeline.catalog }
    for (path, keys) in places {
      var catalog = Catalog(path: path, sourceLanguage: "en")
      for key in keys {
        var entry = CatalogEntry()
        if texts[key]?.source != key { entry.translations["en"] = texts[key].map { Translation($0.source) } }
        entry.translations["de"] = texts[key]?.de.map { Translation($0) }
        catalog.entries[UnitKey(key)] = entry
      }
      tree[path] = FileTree.emptyCatalog
      tree.write(catalog)
      let lines = keys.map { key in
        SourceLine(table: path.stem, key: key, value: texts[key]?.source == key ? "" : texts[key]?.source ?? "")
      }
      tree.setLines(lines, of: try #require(ProjectPlaces.target(of: path)))
    }
    return tree
  }

  private func context(branches: [String] = ["main"]) -> PipelineContext {
    pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = branches.map { BranchPattern($0) }
        $0.deliver = DeliverSettings(mode: .branch)
      })
  }

  private func run(_ context: PipelineContext, times: Int = 1) async throws {
    for _ in 0..<times {
      try await pipeline.run(context, isThorough: true)
      pipeline.clock.advance(by: 60)
    }
  }

  /// Commits and polls two translated strings.
  /// - Returns: the same strings with another source text for “Feed”, which is not committed yet.
  private func changedSource(_ context: PipelineContext) async throws -> [String: Text] {
    var texts = ["Feed": Text(source: "Feed", de: "Füttern"), "Fly": Text(source: "Fly", de: "Fliegen")]
    pipeline.commit(try tree(texts))
    try await run(context)
    texts["Feed"]?.source = "Feed the birds"
    return texts
  }

  private func german(_ key: String, in path: TreePath, on branch: String = TestPipeline.target) -> String? {
    pipeline.remote.tree(of: branch)?.translation(of: UnitID(catalog: path, key: UnitKey(key)), in: "de")?.value
  }

  private func outstanding() async throws -> Int {
    try await pipeline.store.rounds(of: TestPipeline.name).flatMap(\.books).reduce(0) { $0 + $1.outstanding }
  }

  @Test("a string that moved on one branch keeps its answer, even if another branch has the string at its old place")
  func movedOnOneBranch() async throws {
    let context = context(branches: ["a-feature", "main"])
    let texts = ["Feed": Text(source: "Feed"), "Fly": Text(source: "Fly")]
    let first = pipeline.commit(try tree(texts))
    pipeline.commit(try tree(texts), to: "a-feature", on: [first])
    try await run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen"])
    try await run(context, times: 2)
    pipeline.commit(try tree(texts, in: ["Feed": Self.kit]))
    try await run(context)
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Feed", "Fly"])
    pipeline.vendor.give(["Feed": "Füttern"], original: Self.kit.text)
    try await run(context, times: 2)
    #expect(try await outstanding() == 0)
    #expect(german("Feed", in: Self.kit) == "Füttern" && german("Fly", in: TestPipeline.catalog) == "Fliegen")
    #expect(german("Feed", in: TestPipeline.catalog, on: "l10n/a-feature") == "Füttern")
    #expect(pipeline.vendor.sentKeys.count == 3)
  }

  @Test(
    "a translation is outdated if its catalog was renamed and its source text changed before the same poll",
    arguments: [Self.renamed, Self.kit])
  func renamedWithChange(_ path: TreePath) async throws {
    let context = context()
    let keys = (0..<12).map { "Key \($0)" }
    var texts = Dictionary(uniqueKeysWithValues: keys.map { ($0, Text(source: $0)) })
    pipeline.commit(try tree(texts))
    try await run(context)
    pipeline.vendor.give(Dictionary(uniqueKeysWithValues: keys.map { ($0, "Schlüssel mit der Nummer, also \($0)") }))
    try await run(context, times: 2)
    // Before the next poll, the delivery is squashed, a source text changes, and the catalog is renamed.
    for key in keys { texts[key]?.de = german(key, in: TestPipeline.catalog) }
    pipeline.commit(try tree(texts))
    texts["Key 3"]?.source = "Third key"
    pipeline.commit(try tree(texts))
    pipeline.commit(try tree(texts, in: Dictionary(uniqueKeysWithValues: keys.map { ($0, path) })))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys.count == 13 && pipeline.vendor.sentKeys.last == "Key 3")
  }

  @Test(
    "a new translation is outdated if its source text changed before its catalog was renamed, even if nothing was sent",
    arguments: [Self.renamed, Self.kit])
  func renamedAfterChange(_ path: TreePath) async throws {
    let context = context()
    var texts = Dictionary(
      uniqueKeysWithValues: (0..<12).map { ("Key \($0)", Text(source: "Key \($0)", de: "Schlüssel Nummer \($0)")) })
    pipeline.commit(try tree(texts))
    try await run(context)
    texts["nest"] = Text(source: "Nest", de: "Nest")
    pipeline.commit(try tree(texts))
    texts["nest"]?.source = "Nesting box"
    pipeline.commit(try tree(texts))
    pipeline.commit(try tree(texts, in: texts.mapValues { _ in path }))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys == ["nest"])
  }

  @Test("an outstanding unit stays outstanding in the catalog to which its string moved")
  func movedWhileOutdated() async throws {
    let context = context()
    let texts = try await changedSource(context)
    pipeline.commit(try tree(texts))
    try await run(context)
    pipeline.vendor.give(["Feed": "Vögel füttern"], of: ["Feed": "Feed the birds"])
    try await run(context, times: 2)
    #expect(german("Feed", in: TestPipeline.catalog) == "Vögel füttern")
    // The delivery is not merged.
    pipeline.commit(try tree(texts, in: ["Feed": Self.kit]))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys == ["Feed", "Feed"])
    pipeline.vendor.give(["Feed": "Vögel füttern"], of: ["Feed": "Feed the birds"], original: Self.kit.text)
    try await run(context, times: 2)
    #expect(german("Feed", in: Self.kit) == "Vögel füttern")
    #expect(try await outstanding() == 0)
  }

  @Test("a translation that moves while its source text changes is outdated")
  func movedWithChange() async throws {
    let context = context()
    let texts = try await changedSource(context)
    pipeline.commit(try tree(texts, in: ["Feed": Self.kit]))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys == ["Feed"])
  }

  @Test(
    "an outstanding unit stays outstanding under a new key, in the same or another catalog",
    arguments: [TestPipeline.catalog, Self.kit])
  func newKey(_ path: TreePath) async throws {
    let context = context()
    var texts = try await changedSource(context)
    pipeline.commit(try tree(texts))
    try await run(context)
    texts["Feeding"] = texts.removeValue(forKey: "Feed")
    pipeline.commit(try tree(texts, in: ["Feeding": path]))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys == ["Feed", "Feeding"])
    pipeline.vendor.give(["Feeding": "Vögel füttern"], of: ["Feeding": "Feed the birds"], original: path.text)
    try await run(context, times: 2)
    #expect(german("Feeding", in: path) == "Vögel füttern")
    #expect(try await outstanding() == 0)
  }

  @Test(
    "a translation is outdated under a new key if its source text had changed before the same poll",
    arguments: [TestPipeline.catalog, Self.kit])
  func newKeyAtOnce(_ path: TreePath) async throws {
    let context = context()
    var texts = try await changedSource(context)
    pipeline.commit(try tree(texts))
    texts["Feeding"] = texts.removeValue(forKey: "Feed")
    pipeline.commit(try tree(texts, in: ["Feeding": path]))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys == ["Feeding"])
  }

  @Test("a translation that a person reuses for a string with another key and text is current")
  func otherKeyAndText() async throws {
    let context = context()
    var texts = try await changedSource(context)
    texts["Feeding"] = texts.removeValue(forKey: "Feed")
    pipeline.commit(try tree(texts))
    texts["Fly"]?.de = "Flug"
    pipeline.commit(try tree(texts))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys.isEmpty)
  }

  @Test(
    "a copied translation whose source text changed before the same poll is outdated; a new string's own translation is not"
  )
  func copied() async throws {
    let context = context()
    var texts = try await changedSource(context)
    texts["Copy"] = texts["Feed"]
    texts["Own"] = Text(source: "Feed the birds", de: "Vögel füttern")
    pipeline.commit(try tree(texts))
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys.sorted() == ["Copy", "Feed"])
  }

  @Test(
    "a new string with the key of another catalog's string does not count as moved, nor does a string that two catalogs lost"
  )
  func notMoved() async throws {
    let context = context()
    var texts = ["Feed": Text(source: "Feed", de: "Füttern"), "Fly": Text(source: "Fly", de: "Fliegen")]
    pipeline.commit(try tree(texts))
    try await run(context)
    var both = try tree(texts)
    texts["Feed"] = Text(source: "Feed the birds", de: "Füttern")
    let added = try tree(texts, in: ["Feed": Self.kit])
    for path in [Self.kit, ProjectPlaces.strings(of: "Kit")] { both[path] = added[path] }
    pipeline.commit(both)
    try await run(context, times: 2)
    #expect(pipeline.vendor.sentKeys.isEmpty)
  }
}
