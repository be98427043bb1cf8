import LedgerStore
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Returns for catalogs that the pipeline's `extract.paths` exclude.
struct OutsidePathsTests {
  private let pipeline: TestPipeline
  private static let kit = ProjectPlaces.catalog("Localizable", of: "Kit")

  init() throws { pipeline = try TestPipeline() }

  /// Commits the targets App and Kit, whose catalogs share one key.
  private func commit() {
    var tree = TestPipeline.tree(["Close", "Feed"])
    tree.setLines(["Close", "Zoom"].map { SourceLine(table: "Localizable", key: $0) }, of: "Kit")
    var catalog = Catalog(path: Self.kit, sourceLanguage: "en")
    for key: UnitKey in ["Close", "Zoom"] { catalog.entries[key] = CatalogEntry() }
    tree[Self.kit] = FileTree.emptyCatalog
    tree.write(catalog)
    pipeline.commit(tree)
  }

  private func context(_ paths: [String]) -> PipelineContext {
    pipeline.context(TestPipeline.definition { $0.extract.paths = paths })
  }

  private var reasons: [String: HoldReason] {
    get async throws {
      let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
      return Dictionary(held.compactMap { unit in unit.reason.map { ("\(unit.unit)", $0) } }) { first, _ in first }
    }
  }

  @Test(
    "a return outside extract.paths is held until the patterns change, even if another catalog has its text"
  )
  func outside() async throws {
    commit()
    let context = context(["Sources/App"])
    try await pipeline.run(context)
    #expect(pipeline.vendor.sentKeys == ["Close", "Feed"])
    pipeline.vendor.give(["Close": "Schließen"], original: Self.kit.text)
    pipeline.vendor.give(["Zoom": "Vergrößern"], original: "Kit/Resources/Localizable.xcstrings")
    pipeline.vendor.give(["Walk": "Gehen"], original: "Sources/Other/Resources/Other.xcstrings")
    try await pipeline.run(context)
    let reasons = try await reasons
    #expect(reasons.count == 3)
    #expect(reasons["\(UnitID(catalog: Self.kit, key: "Close"))"] == .catalogOutsidePaths)
    #expect(
      reasons["\(UnitID(catalog: "Kit/Resources/Localizable.xcstrings", key: "Zoom"))"] == .catalogOutsidePaths)
    #expect(
      reasons["\(UnitID(catalog: "Sources/Other/Resources/Other.xcstrings", key: "Walk"))"] == .unknownCatalog)
    #expect(pipeline.german("Close") == nil)
    try await pipeline.run(self.context([]), isThorough: true)
    #expect(try await self.reasons.values.contains(.catalogOutsidePaths) == false)
  }

  @Test("patterns that exclude all strings withdraw no units, and patterns that exclude a catalog are reported")
  func mistakes() async throws {
    commit()
    try await pipeline.run(context([]))
    #expect(Set(pipeline.vendor.sentKeys) == ["Close", "Feed", "Zoom"])
    func outstanding() async throws -> Int? {
      try await pipeline.store.pendingWork(of: TestPipeline.name).vendors[pipeline.vendor.name]?.outstanding
    }
    let failures = Log<String>()
    try await pipeline.run(
      context(["Source/App"]), isThorough: true, observer: WorkerObserver(failed: { failures.add($0.description) }))
    #expect(
      failures.elements.first?.contains("leave no string on the watched branches, but 4 units are outstanding") == true)
    #expect(try await outstanding() == 4)

    let findings = try await pipeline.findings(context(["Sources/App"]), isThorough: true)
    #expect(findings == ["extract.paths or extract.exclude leaves this catalog out: 2 outstanding units withdrawn"])
    #expect(try await outstanding() == 2)
    #expect(try await pipeline.findings(context(["Sources/App"]), isThorough: true) == [])
    try await pipeline.run(context([]), isThorough: true)
    #expect(try await outstanding() == 4)
  }

  @Test("translations that return while the patterns are wrong are delivered once the patterns are corrected")
  func returnedMeanwhile() async throws {
    commit()
    let context = context(["Sources/App"])
    try await pipeline.run(context)
    #expect(pipeline.vendor.sentKeys == ["Close", "Feed"])
    pipeline.vendor.give(["Close": "Schließen"])
    for _ in 0..<2 { try await pipeline.run(self.context(["Source/App"]), isThorough: true) }
    #expect(pipeline.german("Close") == nil)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(pipeline.german("Close") == "Schließen")
    #expect(pipeline.vendor.sentKeys == ["Close", "Feed"])
  }
}
