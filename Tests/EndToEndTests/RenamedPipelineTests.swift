import Daemon
import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// A pipeline that was renamed, and its old file.
@Suite("Renamed pipelines", .timeLimit(.minutes(10)))
struct RenamedPipelineTests {
  private let bench: PipelineBench

  init() throws {
    bench = try PipelineBench()
    try bench.repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage": "en", "strings": { "a": {}, "b": {} }, "version": "1.0" }
      """,
      "App/A.swift": "import SwiftUI\nlet text = [Text(\"a\"), Text(\"b\")]\n",
    ])
    try bench.publish()
  }

  private func definition(_ name: String, formerly: [String] = []) -> PipelineDefinition {
    var definition = bench.definition()
    definition.name = name
    definition.formerly = formerly
    return definition
  }

  /// Runs a pipeline that is refused.
  /// - Returns: the errors.
  private func refusal(of definition: PipelineDefinition) async throws -> String {
    let report = try await bench.run(definition, except: { "\($0.error)".contains("cannot start pipeline") })
    return report.failures.map { "\($0.error)" }.joined(separator: "\n")
  }

  private func names() async throws -> [String] {
    try await SQLiteStore(reading: bench.folder.file("store")).pipelines().map(\.name)
  }

  @Test("the old file of a renamed pipeline is refused, and a pipeline can get a former name again")
  func oldFile() async throws {
    try await bench.run(definition("birds"))
    let renamed = definition("finches", formerly: ["birds"])
    try await bench.run(renamed)
    #expect(try await bench.rounds("finches") == [["a", "b"]])
    let bundles = try bench.translator().names(in: "to-translate")

    let refusal = try await refusal(of: definition("birds"))
    #expect(refusal.contains("it was renamed to finches, whose file said `formerly: birds`. Delete this file"))
    #expect(try await names() == ["finches"])
    #expect(try bench.translator().names(in: "to-translate") == bundles)
    // Translations of units that were sent under the old name are still accepted.
    #expect(try bench.translator().translate("de", answers: ["a": "A", "b": "B"]) == 2)
    #expect(try await bench.run(renamed).pipelines.first?.outstanding == 0)
    #expect(try await bench.rounds("finches") == [["a", "b"]])

    // A pipeline with a third name must list the second name in `formerly`.
    let other = try await self.refusal(of: definition("wrens", formerly: ["birds"]))
    #expect(other.contains("its file says `formerly: birds`, but birds was renamed to finches"))
    // The pipeline gets its first name again.
    try await bench.run(definition("birds", formerly: ["finches"]))
    #expect(try await bench.rounds("birds") == [["a", "b"]])
    #expect(try await self.refusal(of: definition("finches")).contains("it was renamed to birds"))
    // The second name can be used again once the file no longer lists it.
    try await bench.run(definition("birds"))
    var new = definition("finches")
    new.vendors[0].options["path"] = .text(bench.drop("finches"))
    try await bench.run(new)
    #expect(try await names() == ["birds", "finches"])
  }

  @Test("rounds that an older program started with the old file are ignored, and no string is sent again")
  func accident() async throws {
    try await bench.run(definition("birds"))
    let renamed = definition("finches", formerly: ["birds"])
    try await bench.run(renamed)
    // The former name is removed, because older programs do not record former names.
    let store = try SQLiteStore(deciding: bench.folder.file("store"))
    try await store.takeOver([], by: "finches")
    _ = consume store
    var old = definition("birds")
    old.vendors[0].options["path"] = .text(bench.drop("second"))
    try await bench.run(old)
    #expect(try await bench.rounds("birds") == [["a", "b"]])

    let report = try await bench.run(renamed)
    let found = try #require(report.pipelines.first?.diagnostics.first { $0.message.contains("birds was run again") })
    #expect(found.message.contains("is kept as birds (unused) and not used") && found.severity == .warning)
    #expect(try await bench.rounds("finches") == [["a", "b"]])
    #expect(try await bench.rounds("birds (unused)") == [["a", "b"]])
    let next = try await bench.run(renamed)
    #expect(next.pipelines.first?.diagnostics.contains { $0.message.contains("again") } == false)
  }

  @Test("a paused pipeline stays paused from the first run with its new name")
  func paused() async throws {
    try await bench.run(definition("birds"))
    let store = try SQLiteStore(deciding: bench.folder.file("store"))
    try await store.setPause(
      PipelinePause(since: Date(timeIntervalSince1970: 1_700_000_000), by: "ann", reason: nil), of: "birds")
    #expect(try bench.translator().translate("de", answers: ["a": "A", "b": "B"]) == 2)
    let renamed = definition("finches", formerly: ["birds"])
    let report = try await bench.run(renamed, except: { "\($0.error)".contains("ann paused it") })
    #expect(report.failures.count == 1)
    #expect(report.pipelines.first?.outstanding == 2)
  }

  @Test("a paused pipeline stays paused if it first ran with its new name but without its former name")
  func pausedBeforeFormerly() async throws {
    try await bench.run(definition("birds"))
    let store = try SQLiteStore(deciding: bench.folder.file("store"))
    try await store.setPause(
      PipelinePause(since: Date(timeIntervalSince1970: 1_700_000_000), by: "ann", reason: nil), of: "birds")
    _ = consume store
    // The drop folder belongs to birds, so nothing is sent.
    try await bench.run(definition("finches"), except: { _ in true })
    #expect(try bench.translator().translate("de", answers: ["a": "A", "b": "B"]) == 2)
    let report = try await bench.run(
      definition("finches", formerly: ["birds"]), except: { "\($0.error)".contains("ann paused it") })
    #expect(report.failures.count == 1)
    #expect(report.pipelines.first?.outstanding == 2)
  }
}
