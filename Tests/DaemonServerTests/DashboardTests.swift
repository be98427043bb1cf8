import Daemon
import Dashboard
import Foundation
import HTTPTransport
import Localization
import Pipeline
import ReadModel
import TestSupport
import Testing

@testable import DaemonServer

/// The dashboard, as a browser without scripts uses it.
@Suite(.timeLimit(.minutes(10))) struct DashboardTests {
  /// A browser that keeps one cookie.
  private struct Browser {
    let daemon: ServedDaemon
    var cookie: String?
    var language = "en"

    func headers(_ more: [(name: String, value: String)] = []) -> [(name: String, value: String)] {
      [("Accept-Language", language)] + (cookie.map { [("Cookie", $0)] } ?? []) + more
    }

    func get(_ path: String) async throws -> (status: Int, text: String, head: HTTPResponseHead, body: [UInt8]) {
      try await daemon.send("GET", path, headers())
    }

    func post(
      _ path: String, _ fields: [(String, String)], _ more: [(name: String, value: String)] = []
    ) async throws -> (status: Int, text: String, head: HTTPResponseHead, body: [UInt8]) {
      let body = fields.map { "\(DashboardPages.urlValue($0))=\(DashboardPages.urlValue($1))" }.joined(separator: "&")
      return try await daemon.send(
        "POST", path, headers([("Content-Type", "application/x-www-form-urlencoded")] + more), Array(body.utf8))
    }

    mutating func signIn(_ token: String) async throws {
      let response = try await post("/signin", [("token", token), ("next", "/")])
      #expect(response.status == 303)
      let set = try #require(response.head.header("Set-Cookie"))
      #expect(set.contains("HttpOnly") && set.contains("SameSite=Strict"))
      cookie = String(try #require(set.split(separator: ";").first))
    }

    /// Returns the form token in a page.
    func formToken(_ page: String) throws -> String {
      let match = try #require(page.firstMatch(of: #/name="form" value="([0-9a-f]{64})"/#))
      return String(match.output.1)
    }
  }

  @Test("no page is shown without a sign-in, a wrong token is refused, and signing out ends the session")
  func signIn() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      var browser = Browser(daemon: daemon)
      for path in ["/", "/pipelines/birds", "/rounds", "/held", "/search?text=a", "/audit"] {
        let response = try await browser.get(path)
        #expect(response.status == 303)
        #expect(response.head.header("Location")?.hasPrefix("/signin") == true)
        #expect(!response.text.contains("birds"))
      }
      let refused = try await browser.post("/signin", [("token", "wrong")])
      #expect(refused.status == 401 && refused.text.contains("This token is not valid"))
      try await browser.signIn(try await daemon.token(.viewer))
      let page = try await browser.get("/")
      #expect(page.status == 200 && page.text.contains("birds"))
      #expect(page.head.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
      let form = try browser.formToken(page.text)
      #expect(try await browser.post("/signout", [("form", form)]).status == 303)
      #expect(try await browser.get("/").status == 303)
    }
  }

  @Test("every page is available in every language, with its text direction")
  func pages() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      var browser = Browser(daemon: daemon)
      try await browser.signIn(try await daemon.token(.operator))
      let texts = ["en": "Sign out", "de": "Abmelden", "ar": "تسجيل الخروج", "ja": "サインアウト"]
      for (language, text) in texts {
        browser.language = language
        for path in [
          "/", "/pipelines/birds", "/pipelines/birds/history", "/rounds", "/held", "/search?text=Hello", "/audit",
        ] {
          let page = try await browser.get(path)
          #expect(page.status == 200, "\(path)")
          #expect(
            page.text.contains("<html lang=\"\(language)\" dir=\"\(language == "ar" ? "rtl" : "ltr")\""), "\(path)")
          #expect(page.text.contains(text), "\(language) \(path)")
        }
        #expect(try await browser.get("/pipelines/nobody").status == 404)
        #expect(try await browser.get("/nothing").status == 404)
      }
      for asset in ["/assets/style.css", "/assets/script.js", "/assets/icon.svg"] {
        #expect(try await browser.get(asset).status == 200)
      }
    }
  }

  @Test("a form is refused without the token of its session, an origin of this site, or a sufficient role")
  func forms() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      var viewer = Browser(daemon: daemon)
      try await viewer.signIn(try await daemon.token(.viewer))
      let viewerForm = try viewer.formToken(try await viewer.get("/").text)
      #expect(try await viewer.post("/pipelines/birds/pause", [("form", viewerForm)]).status == 403)
      #expect(try await viewer.get("/audit").status == 403)

      var browser = Browser(daemon: daemon)
      try await browser.signIn(try await daemon.token(.operator))
      let form = try browser.formToken(try await browser.get("/pipelines/birds").text)
      #expect(try await browser.post("/pipelines/birds/pause", []).status == 403)
      #expect(try await browser.post("/pipelines/birds/pause", [("form", viewerForm)]).status == 403)
      let foreign = [(name: "Origin", value: "https://evil.example")]
      #expect(try await browser.post("/pipelines/birds/pause", [("form", form)], foreign).status == 403)
      let site = [(name: "Sec-Fetch-Site", value: "cross-site")]
      #expect(try await browser.post("/pipelines/birds/pause", [("form", form)], site).status == 403)
      #expect(try await daemon.daemon().people.controls(of: nil).isEmpty)

      let reason = "<script>alert(1)</script>\u{202E}"
      #expect(try await browser.post("/pipelines/birds/pause", [("form", form), ("reason", reason)]).status == 303)
      let control = try await daemon.daemon().people.controls(of: nil)["birds"]
      #expect(control?.pause?.reason == reason)
      #expect(control?.pause?.by == "operator")
      let page = try await browser.get("/pipelines/birds")
      #expect(!page.text.contains("<script>alert"))
      #expect(!page.text.contains("\u{202E}"))
      #expect(try await browser.post("/pipelines/birds/resume", [("form", form)]).status == 303)
      let audit = try await browser.get("/audit")
      #expect(audit.text.contains("pipeline pause") && audit.text.contains("dashboard"))
    }
  }

  @Test("the proxy's user header signs a person in, but only at the proxy's host name")
  func proxy() async throws {
    #expect(throws: ServerFault.self) { try ServerAccess(userHeader: "X-Forwarded-User") }
    let access = try ServerAccess(
      publicHosts: ["l10n.example.com"], userHeader: "X-Forwarded-User", userRole: .operator)
    #expect(throws: ServerFault.self) {
      try access.check(try ListenAddress("0.0.0.0:80", isBehindProxy: true), hasTokens: true)
    }
    try access.check(try ListenAddress("127.0.0.1:80"), hasTokens: false)
  }
}
