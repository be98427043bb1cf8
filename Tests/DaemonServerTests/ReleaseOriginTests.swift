import Daemon
import Dashboard
import Foundation
import HTTPTransport
import Localization
import Pipeline
import TestSupport
import Testing

@testable import DaemonServer
@testable import ReadModel

/// The author of a missing string, as the release page and the API show it.
@Suite(.timeLimit(.minutes(10))) struct ReleaseOriginTests {
  private static let unit = UnitID(catalog: "App/Localizable.xcstrings", key: "Bye")

  private static func commit(
    _ number: Int, _ kind: CommitRecord.Kind, _ text: String, by author: String
  ) -> UnitCommit {
    var record = CommitRecord(
      commit: CommitID(rawValue: String(format: "%040x", number)), parent: nil, author: author, email: "",
      seconds: Int64(number), subject: "")
    let change = CommitRecord.Change(unit: unit, kind: kind, text: text)
    record.changes = [change]
    return UnitCommit(pipeline: "birds", record: record, change: change)
  }

  @Test(
    "the author of a missing string is the author of its recorded commit or unknown, never the author of the sent text")
  func history() {
    let sent = UnitHistory.Version(
      text: "Bye", commit: CommitID(rawValue: String(repeating: "e", count: 40)), author: "Emil", provenance: nil)
    var history = UnitHistory(pipeline: "birds", unit: Self.unit, versions: [sent])
    #expect(history.origin(of: "Bye") == nil)
    history.commits = [
      Self.commit(1, .added, "Bye", by: "Ann"), Self.commit(2, .commented, "Bye", by: "Bob"),
      Self.commit(3, .changed, "Good bye", by: "Cleo"),
    ]
    #expect(history.origin(of: "Bye")?.author == "Ann")
    // The text “Good bye” was never sent.
    #expect(history.origin(of: "Good bye")?.author == "Cleo")
    #expect(history.origin(of: "Farewell") == nil)
    let long = String(repeating: "Bye ", count: 200)
    history.commits.append(Self.commit(4, .changed, long.prefix(399) + "…", by: "Dora"))
    #expect(history.origin(of: long)?.author == "Dora" && history.origin(of: String(long.prefix(300))) == nil)
  }

  @Test("a string that was never sent has the author of the commit that added it")
  func unsent() async throws {
    let daemon = try ServedDaemon()
    let repository = daemon.repository
    let start = try repository.git("rev-parse", "HEAD")
    try repository.write(
      "{\"sourceLanguage\":\"en\",\"strings\":{\"Bye\":{\"extractionState\":\"manual\"}},\"version\":\"1.0\"}",
      to: Self.unit.catalog.text)
    try repository.git("add", "-A")
    try repository.git("commit", "-q", "-m", "Add it", "--author", "Ann <ann@example.com>")
    let added = CommitID(rawValue: try repository.git("rev-parse", "HEAD"))
    try repository.commit(["README.md": "Birds\n"])
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      var record = CommitRecord(
        commit: added, parent: CommitID(rawValue: start), author: "Ann", email: "ann@example.com",
        seconds: 1_700_000_000, subject: "Add it")
      record.counts.added = 1
      record.changes = [CommitRecord.Change(unit: Self.unit, kind: .added, text: "Bye")]
      // The daemon records the same commit too, before or after this call.
      try await daemon.daemon().history.record([record], of: "birds")
      let token = try await daemon.token(.viewer)
      let response = try await daemon.send(
        "GET", "/api/v1/pipelines/birds/missing?branch=main", [("Authorization", "Bearer \(token)")])
      let content = try #require(JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
      let string = try #require(
        (content["strings"] as? [[String: Any]])?.first { ($0["unit"] as? [String: Any])?["key"] as? String == "Bye" },
        "\(response.text)")
      #expect(string["author"] as? String == "Ann" && string["commit"] as? String == added.rawValue, "\(string)")
    }
  }

  @Test("the release page shows that an author is unknown")
  func unknown() {
    let pages = DashboardPages(
      language: .english, viewer: DashboardViewer(name: "ann", role: .viewer, formToken: "0"), path: "/")
    let missing = MissingStrings(
      pipeline: "birds", branch: "main", commit: CommitID(rawValue: String(repeating: "e", count: 40)),
      languages: [LanguageCompletion(language: "de")],
      strings: [MissingString(unit: Self.unit, language: "de", text: "Bye", place: .unsent)], count: 1, obstacles: [],
      isComplete: false)
    let page = pages.release(missing, branches: ["main"], language: nil, languages: ["de"])
    #expect(page.contains("<code class=\"small\">unknown</code>"), "\(page)")
  }
}
