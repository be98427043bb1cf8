import Dashboard
import Foundation
import Localization
import Pipeline
import Testing

@Suite struct DashboardCommitTests {
  private func record(_ number: Int, _ subject: String, fault: String? = nil) -> CommitRecord {
    var record = CommitRecord(
      commit: CommitID(rawValue: String(format: "%040x", number)),
      parent: CommitID(rawValue: String(format: "%040x", number - 1)), author: "Ann <b>\u{202E}",
      email: "a@example.com",
      seconds: 1_800_000_000, subject: subject, isOurs: number == 2, fault: fault)
    record.counts.added = 1
    record.counts.translations = 7
    record.changes = [
      CommitRecord.Change(
        unit: UnitID(catalog: "App/Localizable.xcstrings", key: "<script>x"), kind: .changed, text: "New <i>",
        former: "Old", path: "App/View.swift", line: 12)
    ]
    return record
  }

  private let pages = DashboardPages(
    language: .english, viewer: DashboardViewer(name: "Bo", role: .viewer, formToken: "f"), path: "/pipelines/a/history"
  )

  @Test("the history lists commits with their counts, and links to each commit and to older commits")
  func history() {
    let page = pages.history(
      [record(2, "Add birds"), record(1, "<script>alert(1)</script>", fault: "broken")], of: "a b", branch: "rel/1",
      branches: ["main", "rel/1"], older: CommitID(rawValue: "abc"))
    #expect(page.contains("Commits on rel/1"))
    #expect(page.contains("href=\"/pipelines/a%20b/commits/\(String(format: "%040x", 2))\""))
    #expect(page.contains("href=\"/pipelines/a%20b/history?branch=rel%2F1&amp;from=abc\""), "\(page)")
    #expect(page.contains("by Dragoman") && page.contains("partly unreadable"))
    #expect(page.contains("<option value=\"rel/1\" selected>"))
    #expect(!page.contains("<script>alert") && !page.contains("\u{202E}") && !page.contains("Ann <b>"))
    #expect(
      pages.history([], of: "a", branch: "main", branches: [], older: nil).contains("No commit has been recorded yet."))
    #expect(
      pages.history(
        [], of: "a", branch: "main", branches: [], unrecorded: CommitID(rawValue: "0123456789abcdef"), older: nil
      ).contains("The newest commits, up to 0123456789, are not recorded yet."))
  }

  @Test("the page of a commit shows each changed text with its former text and its location")
  func commit() {
    let page = pages.commit(record(1, "Change it", fault: "App/Other.xcstrings: <b>"), of: "a")
    for text in ["Change it", "New &lt;i&gt;", "Old", "App/View.swift:12", "Not everything could be read:", "Changed"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("<script>x") && !page.contains("New <i>"))
    #expect(page.contains("href=\"/pipelines/a/history\""))
  }
}
