import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// The origins of strings, in rounds on real repositories with several authors.
@Suite("Origins of strings")
struct ProvenanceTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
  }

  private static let catalog =
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}"

  /// Commits new, changed and removed files with the given author.
  /// - Returns: the id of the commit.
  @discardableResult
  private func commit(_ author: String, _ files: [String: String], removing removed: [String] = []) throws -> String {
    for (name, text) in files { try repository.write(text, to: name) }
    for name in removed { try FileManager.default.removeItem(atPath: repository.path + "/" + name) }
    try repository.git("add", "-A")
    try repository.git("commit", "-q", "--allow-empty", "-m", author, "--author", "\(author) <\(author)@example.com>")
    return try repository.git("rev-parse", "HEAD")
  }

  private func swift(_ lines: String...) -> String {
    "import SwiftUI\n" + lines.enumerated().map { "let text\($0) = \($1)\n" }.joined()
  }

  /// Runs the pipeline until no work is left, without any translator.
  private func run() async throws {
    let definition = PipelineDefinition(
      name: "app", repository: RepositorySettings(url: repository.path, branches: [BranchPattern("main")]),
      languages: ["de"],
      vendors: [
        VendorDefinition(kind: "folder", options: ["settle": .duration(.zero), "path": .text(folder.path + "/drop")])
      ])
    let report = try await PipelineRuntime(
      definitions: [definition], store: StoreLocation(folder: folder.path + "/store"), settings: Settings(),
      environment: [:], isOnce: true, observer: WorkerObserver(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ).runOnce()
    #expect(report.failures.isEmpty)
  }

  /// Returns the author and the commit of each unit of the newest round, by key.
  private func origins() async throws -> [UnitKey: String] {
    let store = try SQLiteStore(reading: folder.path + "/store")
    let round = try #require(try await store.rounds(of: "app").last)
    return Dictionary(
      try await store.units(of: round.id).map {
        ($0.source.unit.key, $0.provenance.map { "\($0.author) \($0.commit)" } ?? "unknown")
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test("a string's origin is the commit that introduced its current text")
  func origin() async throws {
    try commit(
      "Zoe",
      [
        "App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Old\")"),
        "App/Labels.swift": "func label(_ title: String) -> String { title }\n",
        "App/D.swift": swift("label(\"Fourth\")"),
        "App/V.swift": swift("String(localized: \"value\", defaultValue: \"Old value\")"),
      ])
    try await run()
    #expect(try await origins() == ["Old": "unknown", "value": "unknown"])

    var expected: [UnitKey: String] = [:]
    let ann = try commit("Ann", ["App/A.swift": swift("Text(\"Old\")", "Text(\"First\")")])
    expected["First"] = "Ann \(ann)"
    let bob = try commit("Bob", ["App/A.swift": swift("Text(\"Old\")", "Text(\"First\")", "Text(\"Second\")")])
    expected["Second"] = "Bob \(bob)"
    try commit("Cy", ["README.md": "Unrelated"])
    try repository.git("checkout", "-q", "-b", "side")
    let dee = try commit("Dee", ["App/B.swift": swift("Text(\"Third\")")])
    expected["Third"] = "Dee \(dee)"
    try repository.git("checkout", "-q", "main")
    try commit("Eve", ["App/C.swift": swift("Text(\"Old\")")])
    try repository.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    // The changed declaration makes the text localizable, although the file with the text is unchanged.
    let fay = try commit(
      "Fay", ["App/Labels.swift": "import SwiftUI\nfunc label(_ title: LocalizedStringKey) -> Text { Text(title) }\n"])
    expected["Fourth"] = "Fay \(fay)"
    let hal = try commit(
      "Hal", ["App/V.swift": swift("String(localized: \"value\", defaultValue: \"New value\")")])
    expected["value"] = "Hal \(hal)"
    // Moved strings keep their origin.
    try commit(
      "Gus", ["App/A.swift": swift("Text(\"Old\")"), "App/M.swift": swift("Text(\"First\")", "Text(\"Second\")")])
    try commit("Ian", [:])
    try await run()
    #expect(try await origins() == expected)
  }

  @Test(
    "a string in a single new commit has it as origin; a string that was removed and added again has the newest commit")
  func again() async throws {
    try commit("Zoe", ["App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Old\")")])
    try await run()
    let ann = try commit("Ann", ["App/A.swift": swift("Text(\"Old\")", "Text(\"New\")")])
    try await run()
    #expect(try await origins() == ["New": "Ann \(ann)"])
    let bob = try commit("Bob", ["App/B.swift": swift("Text(\"Other\")", "Text(\"Brief\")")])
    try commit("Cy", ["App/B.swift": swift("Text(\"Other\")")])
    let dee = try commit("Dee", ["App/B.swift": swift("Text(\"Other\")", "Text(\"Brief\")")])
    try await run()
    #expect(try await origins() == ["Other": "Bob \(bob)", "Brief": "Dee \(dee)"])
  }

  @Test("a text that a person changed in the catalog has the commit of the change as its origin")
  func inCatalog() async throws {
    try commit("Zoe", ["App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Old\")")])
    try await run()
    let entry = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "By hand" : {
            "extractionState" : "manual",
            "localizations" : {
              "en" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "Written by hand"
                }
              }
            }
          }
        },
        "version" : "1.0"
      }
      """
    try commit("Ann", ["App/B.swift": "import SwiftUI\n"])
    let bob = try commit("Bob", ["App/Localizable.xcstrings": entry])
    try commit("Cy", ["App/B.swift": "import Foundation\n"])
    try await run()
    #expect(try await origins() == ["By hand": "Bob \(bob)"])
  }

  private func catalog(_ keys: String...) -> String {
    let entries = keys.map { "\"\($0)\" : { \"extractionState\" : \"manual\" }" }
    return #"{ "sourceLanguage" : "en", "strings" : { \#(entries.joined(separator: ", ")) }, "version" : "1.0" }"#
  }

  @Test("a person who repairs an unreadable catalog is not reported as the author of its strings")
  func mended() async throws {
    let path = "App/Localizable.xcstrings"
    try commit("Zoe", [path: catalog("Old"), "App/A.swift": "import SwiftUI\n"])
    try await run()
    let ann = try commit("Ann", [path: catalog("Old", "First")])
    try commit("Bob", [path: "<<<<<<< ours"])
    try commit("Cy", ["README.md": "Unrelated"])
    // Either Bob or Dee may have added “Second”.
    try commit("Dee", [path: catalog("Old", "First", "Second")])
    try commit("Eve", ["README.md": "Unrelated too"])
    try await run()
    #expect(try await origins() == ["First": "Ann \(ann)", "Second": "unknown"])
  }

  @Test("the origin of a string is unknown if its catalog was unreadable at the last comparison")
  func mendedLater() async throws {
    let path = "App/Localizable.xcstrings"
    try commit("Zoe", [path: "<<<<<<< ours", "App/A.swift": "import SwiftUI\n"])
    try await run()
    try commit("Ann", [path: catalog("First")])
    try await run()
    #expect(try await origins() == ["First": "unknown"])
    let bob = try commit("Bob", [path: catalog("First", "Second")])
    try await run()
    #expect(try await origins() == ["Second": "Bob \(bob)"])
  }

  @Test("a rewritten history does not keep a round from being sent")
  func forcePush() async throws {
    try commit("Zoe", ["App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Old\")")])
    try await run()
    try repository.git("checkout", "-q", "--orphan", "other")
    let ann = try commit("Ann", ["App/A.swift": swift("Text(\"New\")")])
    try repository.git("branch", "-q", "-f", "main", "other")
    try await run()
    #expect(try await origins() == ["New": "Ann \(ann)"])
  }
}
