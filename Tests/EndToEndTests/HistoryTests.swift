import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// The history of what each commit changes for translators, in real repositories, with the command line and in a daemon.
@Suite("The history of commits", .timeLimit(.minutes(10)))
struct HistoryTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
  }

  private static let catalog =
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}"

  /// Commits files with the given author. Returns the id of the commit.
  @discardableResult
  private func commit(_ author: String, _ subject: String, _ files: [String: String]) throws -> String {
    for (name, text) in files { try repository.write(text, to: name) }
    try repository.git("add", "-A")
    try repository.git("commit", "-q", "--allow-empty", "-m", subject, "--author", "\(author) <\(author)@example.com>")
    return try repository.git("rev-parse", "HEAD")
  }

  private func swift(_ lines: String...) -> String {
    "import SwiftUI\n" + lines.enumerated().map { "let text\($0) = \($1)\n" }.joined()
  }

  private func writePipeline(_ more: String = "") throws {
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(repository.path)" }
      languages: [de]
      vendors: [{ vendor: pseudo }]
      \(more)
      """, to: "pipelines/app.yaml")
  }

  private func run(_ arguments: String...) throws -> String {
    let end = try dragoman(arguments, in: folder.path)
    #expect(end.status == 0, "\(end)")
    return end.output
  }

  @Test("history, explain and diff show the commit and the author of each change")
  func program() throws {
    try writePipeline()
    #expect(try dragoman(["history"], in: folder.path).status == 66)
    let first = try commit(
      "Zoe", "Begin",
      [
        "App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Feed\")"),
        "App/B.swift": swift("String(localized: \"open\", defaultValue: \"Open\", comment: \"A button\")"),
      ])
    _ = try run("run", "pipelines/app.yaml", "--once", "--quiet")
    // The push has three commits.
    let ann = try commit("Ann", "Add birds", ["App/A.swift": swift("Text(\"Feed\")", "Text(\"Birds\")")])
    let bob = try commit(
      "Bob", "Say all",
      ["App/B.swift": swift("String(localized: \"open\", defaultValue: \"Open all\", comment: \"A button\")")])
    let cleo = try commit(
      "Cleo", "Explain | remove",
      [
        "App/A.swift": swift("Text(\"Birds\")"),
        "App/B.swift": swift("String(localized: \"open\", defaultValue: \"Open all\", comment: \"In the menu\")"),
      ])
    _ = try run("run", "pipelines/app.yaml", "--once", "--quiet")
    #expect(
      try run("history") == """
        app main
          \(cleo.prefix(10))  2023-11-14  Cleo  Explain | remove
            App/Localizable.xcstrings: "Feed": removed “Feed”
            App/Localizable.xcstrings: "open": comment changed from “A button” to “In the menu” (App/B.swift:2)
          \(bob.prefix(10))  2023-11-14  Bob  Say all
            App/Localizable.xcstrings: "open": changed from “Open” to “Open all” (App/B.swift:2)
          \(ann.prefix(10))  2023-11-14  Ann  Add birds
            App/Localizable.xcstrings: "Birds": added “Birds” (App/A.swift:3)
          \(first.prefix(10))  2023-11-14  Zoe  Begin
            App/Localizable.xcstrings: "Feed": added “Feed” (App/A.swift:2)
            App/Localizable.xcstrings: "open": added “Open” (App/B.swift:2)

        """)
    let json = try JSONSerialization.jsonObject(
      with: Data(try run("history", "--pipeline", "app", "--limit", "2", "--format", "json").utf8))
    let commits = (json as? [[String: Any]])?.first?["commits"] as? [[String: Any]]
    #expect(commits?.map { $0["author"] as? String } == ["Cleo", "Bob"])
    #expect(try dragoman(["history", "--branch", "none"], in: folder.path).status == 66)
    #expect(try dragoman(["history", "--limit", "0"], in: folder.path).status == 64)

    let explained = try run("explain", "Feed")
    #expect(
      explained.contains("    \(first.prefix(10)) by Zoe on 2023-11-14: added “Feed” (App/A.swift:2)\n"), "\(explained)"
    )
    #expect(explained.contains("\(cleo.prefix(10)) by Cleo on 2023-11-14: removed “Feed”"), "\(explained)")

    let diff = try run(
      "diff", first, "main", "--project", repository.path, "--pipeline", "app", "--store", folder.file(".dragoman"))
    #expect(diff.contains("added: \"Birds\" (\(ann.prefix(10)) Ann)\n"), "\(diff)")
    #expect(diff.contains("removed: \"Feed\" (\(cleo.prefix(10)) Cleo)\n"), "\(diff)")
    // Two changes of one string name the commits that made them.
    #expect(diff.contains("source: \"open\": Open → Open all (\(bob.prefix(10)) Bob)\n"), "\(diff)")
    #expect(diff.contains("comment: \"open\": In the menu (\(cleo.prefix(10)) Cleo)\n"), "\(diff)")
    let table = try run(
      "diff", first, "main", "--project", repository.path, "--pipeline", "app", "--store", folder.file(".dragoman"),
      "--format", "markdown")
    #expect(table.contains("| added | `Birds` |  | `Ann` \(ann.prefix(10)) |"), "\(table)")
  }

  @Test("history shows recorded commits, and reports whether the newest commits of a long push are still missing")
  func behind() throws {
    try writePipeline()
    let first = try commit(
      "Zoe", "Begin", ["App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"Feed\")")])
    _ = try run("run", "pipelines/app.yaml", "--once", "--quiet")
    let ann = try commit("Ann", "Add birds", ["App/A.swift": swift("Text(\"Feed\")", "Text(\"Birds\")")])
    for number in 1...201 { try repository.git("commit", "-q", "--allow-empty", "-m", "\(number)") }
    let head = try repository.git("rev-parse", "HEAD")
    _ = try run("run", "pipelines/app.yaml", "--once", "--quiet")
    var shown = try run("history", "--limit", "1000")
    let words = try #require(shown.split(separator: "\n").dropFirst().first)
    #expect(words.hasPrefix("  the commits after "))
    let json = try JSONSerialization.jsonObject(with: Data(try run("history", "--format", "json").utf8))
    let branch = try #require((json as? [[String: Any]])?.first)
    #expect(branch["head"] as? String == head && words.contains((branch["recorded"] as? String)?.prefix(10) ?? "none"))
    #expect(words.hasSuffix(", up to \(head.prefix(10)), are not recorded yet"))
    #expect(shown.contains("\(ann.prefix(10))") && shown.contains("\(first.prefix(10))"))
    _ = try run("run", "pipelines/app.yaml", "--once", "--quiet")
    shown = try run("history", "--limit", "1000")
    #expect(!shown.contains("not recorded yet") && shown.contains("\(first.prefix(10))"))
  }

  @Test("a daemon records a long history in steps, and translates a new push in between")
  func daemon() async throws {
    try writePipeline()
    var expected: Set<String> = [
      try commit("Zoe", "0", ["App/Localizable.xcstrings": Self.catalog, "App/A.swift": swift("Text(\"0\")")])
    ]
    for number in 1...60 {
      let lines = (0...number).map { "let t\($0) = Text(\"\($0)\")" }.joined(separator: "\n")
      expected.insert(try commit("Ann", "\(number)", ["App/A.swift": "import SwiftUI\n" + lines + "\n"]))
    }
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let log = ServiceLog(now: { Date() }, showsStages: true) { continuation.yield($0) }
    let runtime = try PipelineRuntime(
      source: .folder(folder.file("pipelines")), store: StoreLocation(folder: folder.path + "/store"),
      settings: Settings(), environment: [:], isOnce: false,
      time: TimeSource(now: { Date() }, sleep: { try await Task.sleep(for: min($0, .milliseconds(20))) }),
      observer: log.observer, log: log, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await runtime.serve() }
      for await line in events where line.contains("history: 61 commits recorded") { break }
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
    let store = try SQLiteStore(reading: folder.path + "/store")
    let head = try #require(try await store.heads(of: "app").first)
    let records = try await store.history(of: "app", from: head.commit, limit: 100)
    #expect(Set(records.map(\.commit.rawValue)) == expected)
    #expect(records.allSatisfy { $0.counts.added == 1 && $0.changes.count == 1 && $0.fault == nil })
    #expect(records.map { $0.changes[0].unit.key.text } == (0...60).reversed().map(String.init))
  }
}
