import Daemon
import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

/// Feature branches: only strings that the base lacks are sent, and a translation is delivered to every branch that has its source text.
@Suite("Feature branches") struct FeatureBranchTests {
  private static let catalog = "App/Localizable.xcstrings"
  private let bench: PipelineBench
  private var definition: PipelineDefinition { bench.definition(branches: ["main", "feature/*"]) }

  init() throws { bench = try PipelineBench() }

  private func commit(_ texts: [String: String], to branch: String, from base: String? = nil) throws {
    if let base {
      try bench.repository.git("checkout", "-q", "-B", branch, base)
    } else {
      // The first commit on a branch creates the branch.
      let isThere = try !bench.repository.git("branch", "--list", branch).isEmpty
      if isThere { try bench.repository.git("checkout", "-q", branch) }
    }
    try bench.repository.commit([Self.catalog: PipelineBench.catalog(texts)])
    if FileManager.default.fileExists(atPath: bench.origin) { try bench.push(branch) }
  }

  @Test(
    "only strings that the base lacks are sent, each branch gets its own translations, and a merge sends no string again"
  )
  func life() async throws {
    try commit(["a": "Open", "b": "Close"], to: "main", from: nil)
    try bench.publish()
    try await bench.run(definition)
    #expect(try await bench.rounds() == [["a", "b"]])

    try commit(["a": "Open", "b": "Close", "c": "Feed"], to: "feature/x", from: "main")
    try commit(["a": "Open", "b": "Close", "c": "Feed", "d": "Birds"], to: "feature/y", from: "main")
    try await bench.run(definition)
    // A string that both branches add is sent once.
    #expect(try await bench.rounds().last?.sorted() == ["c", "d"])
    #expect(try await bench.rounds().count == 2)

    #expect(try bench.translator().translate("de") == 4)
    try await bench.run(definition)
    #expect(try bench.texts("l10n/main", Self.catalog) == ["a": "de: Open", "b": "de: Close"])
    #expect(try bench.texts("l10n/feature/x", Self.catalog).keys.sorted() == ["a", "b", "c"])
    #expect(try bench.texts("l10n/feature/y", Self.catalog).keys.sorted() == ["a", "b", "c", "d"])

    // The feature branch is merged without its translations. The translations are delivered to main, and no string is sent again.
    try bench.repository.git("checkout", "-q", "main")
    try bench.repository.git("merge", "-q", "--no-ff", "-m", "Merge", "feature/x")
    try bench.push("main")
    try await bench.run(definition)
    try await bench.run(definition)
    #expect(try await bench.rounds().count == 2)
    #expect(try bench.texts("l10n/main", Self.catalog)["c"] == "de: Feed")
  }

  @Test("a source text changed on a branch is translated for that branch, and the base keeps its translation")
  func changedText() async throws {
    try commit(["a": "Open", "b": "Close"], to: "main", from: nil)
    try bench.publish()
    try await bench.run(definition)
    #expect(try bench.translator().translate("de", answers: ["a": "Öffnen"]) == 2)
    try await bench.run(definition)

    try commit(["a": "Open all", "b": "Close"], to: "feature/x", from: "main")
    try await bench.run(definition)
    #expect(try await bench.rounds() == [["a", "b"], ["a"]])
    #expect(try bench.translator().translate("de", bundles: "app-2", answers: ["a": "Alle öffnen"]) == 1)
    try await bench.run(definition)
    #expect(try bench.texts("l10n/feature/x", Self.catalog) == ["a": "Alle öffnen", "b": "de: Close"])
    #expect(try bench.texts("l10n/main", Self.catalog)["a"] == "Öffnen")

    // The text is changed back. Its translation is known, so no string is sent.
    try commit(["a": "Open", "b": "Close"], to: "feature/x", from: nil)
    try await bench.run(definition)
    try await bench.run(definition)
    #expect(try await bench.rounds().count == 2)
    #expect(try bench.texts("l10n/feature/x", Self.catalog)["a"] == "Öffnen")
  }

  @Test("deleting a branch withdraws only the strings that no other branch has")
  func deleted() async throws {
    try commit(["a": "Open"], to: "main", from: nil)
    try bench.publish()
    try commit(["a": "Open", "c": "Feed"], to: "feature/x", from: "main")
    try commit(["a": "Open", "c": "Feed", "d": "Birds"], to: "feature/y", from: "main")
    try await bench.run(definition)
    try bench.repository.git("push", "-q", bench.origin, ":feature/y")
    let report = try await bench.run(definition)
    let books = try #require(report.pipelines.first?.rounds.first?.books.first)
    #expect(books.sent == 3 && books.withdrawn == 1 && books.outstanding == 2)
    #expect(try bench.translator().translate("de") >= 2)
    try await bench.run(definition)
    #expect(try bench.texts("l10n/feature/x", Self.catalog).keys.sorted() == ["a", "c"])
  }
}
