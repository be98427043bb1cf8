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

/// Texts that can be edited on the page of a held unit, and the reasons why other texts cannot be edited.
@Suite(.timeLimit(.minutes(10))) struct HeldPageTests {
  private static let marked = "\u{200F}\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{2067}<b>\u{2069}\u{202B}a\u{202C}\n\u{200E}."

  private func page(_ text: String, role: Role = .operator) -> String {
    let unit = HeldUnit(
      id: ReturnedUnitID(rawValue: 12), pipeline: "birds", branch: "main", round: nil,
      unit: UnitID(catalog: "L.xcstrings", key: "a"), language: "he", vendor: "v", bundle: "b", received: .now,
      reason: nil, text: text)
    let form = HeldDetails.Form(ExchangeUnit(key: "a", source: .text("a"), target: ExchangeTarget(.text(text))))
    return DashboardPages(
      language: .english, viewer: DashboardViewer(name: "ann", role: role, formToken: "0"), path: "/"
    ).held(HeldDetails(unit: unit, forms: [form]))
  }

  /// Returns the content of the text field as a browser reads it.
  private func field(_ page: String) throws -> String {
    let content = try #require(page.firstMatch(of: #/<textarea[^>]*>\n((?:.|\n)*?)<\/textarea>/#)?.output.1)
    return String(content).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  @Test("a text with direction marks can be edited without loss, and its marks are shown next to the field")
  func marks() throws {
    let page = page(Self.marked)
    #expect(try field(page).utf8.elementsEqual(Self.marked.utf8))
    #expect(page.contains("Save this text") && !page.contains(" readonly") && !page.contains("held edit"))
    let outside = page.replacing(#/<textarea[^>]*>(?:.|\n)*?<\/textarea>/#, with: "")
    #expect(outside.contains("\\u{200F}\u{5E9}") && outside.contains("\\u{2067}&lt;b&gt;\\u{2069}"))
    #expect(!outside.unicodeScalars.contains { [0x200E, 0x200F, 0x202B, 0x2067].contains($0.value) })
    #expect(!self.page("Plain", role: .operator).contains("direction marks"))
    // The page of a viewer contains no direction marks, only their visible replacements.
    #expect(!self.page(Self.marked, role: .viewer).unicodeScalars.contains("\u{202B}"))
  }

  @Test(
    "a text that a browser would change is read-only, and the page shows the reason and the command for editing it",
    arguments: [
      ("a\u{1B}[31mb", "A text has control characters"), ("a\rb", "A text has control characters"),
      (String(repeating: "a", count: 20_001), "A text has more than 20"),
    ])
  func unedited(_ text: String, _ reason: String) throws {
    let page = page(text)
    #expect(page.contains(reason) && page.contains("<code>dragoman held edit 12 --text …</code>"))
    #expect(page.contains(" readonly") && !page.contains("Save this text") && !page.contains("\u{1B}"))
    #expect(!self.page(text, role: .viewer).contains("held edit"))
  }

  @Test("saving a text with direction marks without editing it keeps every byte")
  func saved() async throws {
    let daemon = try ServedDaemon()
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.operator)
      let type = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
      let signedIn = try await daemon.send("POST", "/signin", type, Array("token=\(token)&next=%2F".utf8))
      let cookie = try #require(signedIn.head.header("Set-Cookie")).prefix { $0 != ";" }
      let session = type + [(name: "Cookie", value: String(cookie))]
      let store = try daemon.daemon().store
      let decisions = try daemon.daemon().decisions(of: Actor(name: "test", way: .command))
      try await decisions.pause("birds", reason: nil)
      // A paused pipeline starts no jobs, so the units that the test holds do not change once the running jobs have ended.
      while try await store.jobs(of: "birds").contains(where: { $0.state.name == .running }) { await Task.yield() }
      try await APIData.add(to: daemon.daemon())
      /// Marks the newest return of the unit `a` as held, and returns it.
      func hold() async throws -> ReturnedUnit {
        let found = try await store.returnedUnits(of: "birds", branch: "main")
        guard let stored = found.last(where: { $0.unit.key == "a" }) else { throw CocoaError(.fileNoSuchFile) }
        let outcome = BranchOutcome(
          returnedUnit: stored.id, state: .held, reviewed: StoreConformance.commit("a"), reason: .sourceChanged("b"))
        try await store.record([.outcomes([outcome], branch: "main")], of: "birds")
        return stored
      }
      let first = try await hold()
      _ = try await decisions.edit(first.id, on: "main", texts: [Self.marked])
      let id = try await hold().id.rawValue
      let page = try await daemon.send("GET", "/held/\(id)?branch=main", session).text
      let form = try #require(page.firstMatch(of: #/name="form" value="([0-9a-f]{64})"/#)).output.1
      // Browsers send line breaks as CR LF.
      let text = DashboardPages.urlValue(try field(page).replacing("\n", with: "\r\n"))
      let response = try await daemon.send(
        "POST", "/held/\(id)/edit", session, Array("form=\(form)&branch=main&text=\(text)".utf8))
      #expect(response.status == 303, "\(response.text)")
      let saved = try await hold()
      #expect(saved.id.rawValue != id)
      let target = try #require(saved.units.first?.target?.text.plain)
      #expect(target.utf8.elementsEqual(Self.marked.utf8))
    }
  }
}
