import Daemon
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import DaemonServer

/// Access to the pages, protection of forms, and restrictions for browsers.
@Suite(.timeLimit(.minutes(10))) struct DashboardSafetyTests {
  /// Sends a request and returns the response, including its head, as text. Redirects are not followed.
  private func ask(
    _ daemon: ServedDaemon, _ method: String, _ path: String, _ headers: [String] = [], _ body: String = ""
  ) async throws -> String {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(daemon.port)", "Connection: close"] + headers
    if method == "POST" {
      lines += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
    }
    return try await RawConnection.exchange(
      lines.joined(separator: "\r\n") + "\r\n\r\n" + body, port: daemon.port)
  }

  private func status(_ response: String) -> String { String(response.dropFirst("HTTP/1.1 ".count).prefix(3)) }

  /// Signs in, checks the cookie's attributes, and returns the request header with the cookie.
  private func cookie(_ daemon: ServedDaemon, _ role: Role) async throws -> String {
    let response = try await ask(daemon, "POST", "/signin", [], "token=\(try await daemon.token(role))&next=%2F")
    #expect(status(response) == "303")
    let line = try #require(
      response.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(line.contains(part), "\(line)") }
    return "Cookie: " + line.dropFirst("set-cookie:".count).trimmingCharacters(in: .whitespaces).prefix { $0 != ";" }
  }

  /// Returns the form token in a page.
  private func formToken(in page: String) throws -> String {
    let start = try #require(page.firstRange(of: "name=\"form\" value=\"")).upperBound
    return String(page[start...].prefix { $0 != "\"" })
  }

  @Test("without a session, every page redirects to the sign-in and every form is refused")
  func strangers() async throws {
    try await ServedDaemon().run { daemon async throws in
      for path in ["/", "/pipelines/birds", "/held", "/rounds", "/audit", "/search?text=a"] {
        let response = try await ask(daemon, "GET", path)
        #expect(status(response) == "303" && response.contains("/signin"), "\(path)")
      }
      #expect(status(try await ask(daemon, "POST", "/pipelines/birds/pause", [], "form=x")) == "401")
      // After the session has ended, the response contains the text, so the person does not lose it.
      let ended = try await ask(
        daemon, "POST", "/held/7/edit", ["Cookie: dragoman=0123"], "form=x&branch=rel%2F1&text=Drei+%3Cb%3E&text=")
      #expect(status(ended) == "401" && !ended.contains("Your role does not allow this"))
      #expect(ended.contains("nothing was saved") && ended.contains("Drei &lt;b&gt;</textarea>"))
      #expect(ended.contains("href=\"/signin?next=%2Fheld%2F7%3Fbranch%3Drel%252F1\""))
      #expect(status(try await ask(daemon, "POST", "/signout", [], "form=x")) == "303")
      #expect(status(try await ask(daemon, "GET", "/events")) == "401")
      #expect(status(try await ask(daemon, "POST", "/signin", [], "token=wrong")) == "401")
      for cookie in ["Cookie: dragoman=", "Cookie: dragoman=0123", "Cookie: other=1"] {
        #expect(status(try await ask(daemon, "GET", "/", [cookie])) == "303")
      }
    }
  }

  @Test("after the sign-in, the browser is redirected only to pages of this server")
  func target() async throws {
    try await ServedDaemon().run { daemon async throws in
      let token = try await daemon.token(.viewer)
      for next in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example", "%2Fa%0D%0AX%3A%201"] {
        let response = try await ask(daemon, "POST", "/signin", [], "token=\(token)&next=\(next)")
        let location = try #require(
          response.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("location:") })
        #expect(location.dropFirst("location:".count).trimmingCharacters(in: .whitespaces) == "/", "\(next)")
      }
    }
  }

  @Test("a form needs the token of its session, an origin of this site, and a sufficient role")
  func forms() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      let session = try await cookie(daemon, .operator)
      let form = try formToken(in: try await ask(daemon, "GET", "/pipelines/birds", [session]))
      let pause = "/pipelines/birds/pause"
      for body in ["", "form=", "form=\(form)0", "form=\(form.dropLast())"] {
        #expect(status(try await ask(daemon, "POST", pause, [session], body)) == "403", "\(body)")
      }
      for header in ["Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        #expect(status(try await ask(daemon, "POST", pause, [session, header], "form=\(form)")) == "403", "\(header)")
      }
      let viewer = try await cookie(daemon, .viewer)
      let own = try formToken(in: try await ask(daemon, "GET", "/", [viewer]))
      #expect(status(try await ask(daemon, "POST", pause, [viewer], "form=\(own)")) == "403")
      #expect(status(try await ask(daemon, "POST", pause, [viewer], "form=\(form)")) == "403")
      #expect(try await daemon.daemon().people.controls(of: nil)["birds"]?.pause == nil)
      #expect(status(try await ask(daemon, "POST", pause, [session], "form=\(form)&reason=a+%3Cb%3E")) == "303")
      #expect(try await daemon.daemon().people.controls(of: nil)["birds"]?.pause?.reason == "a <b>")
      let page = try await ask(daemon, "GET", "/pipelines/birds", [session])
      #expect(page.contains("a &lt;b&gt;") && !page.contains("a <b>"))
    }
  }

  @Test("the title of an error page says whether an action failed or a page cannot be shown")
  func errorPages() async throws {
    try await ServedDaemon().run { daemon async throws in
      let session = try await cookie(daemon, .operator)
      let page = try await ask(daemon, "GET", "/search?text=%GG", [session])
      #expect(status(page) == "400" && page.contains("This page cannot be shown"))
      #expect(!page.contains("The action failed"))
      let action = try await ask(daemon, "POST", "/pipelines/birds/pause", [session], "form=0")
      #expect(status(action) == "403" && action.contains("The action failed"))
      let german = try await ask(daemon, "GET", "/search?text=%GG", [session, "Accept-Language: de"])
      #expect(german.contains("Diese Seite lässt sich nicht anzeigen"))
    }
  }

  @Test("a session ends when its token is removed and when its user signs out")
  func ends() async throws {
    try await ServedDaemon().run { daemon async throws in
      let viewer = try await cookie(daemon, .viewer)
      let page = try await ask(daemon, "GET", "/", [viewer])
      #expect(status(page) == "200")
      #expect(status(try await ask(daemon, "POST", "/signout", [viewer], "form=\(try formToken(in: page))")) == "303")
      #expect(status(try await ask(daemon, "GET", "/", [viewer])) == "303")
      let session = try await cookie(daemon, .operator)
      #expect(try await daemon.daemon().people.removeToken(named: "operator"))
      #expect(status(try await ask(daemon, "GET", "/", [session])) == "303")
    }
  }

  @Test("pages forbid third-party scripts, frames and caching, and are in the reader's language")
  func pages() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      let session = try await cookie(daemon, .operator)
      let paths = [
        "/", "/pipelines/birds", "/pipelines/birds/release", "/pipelines/birds/preview", "/rounds", "/held",
        "/search?text=%3Cscript%3E", "/strings?pipeline=birds&key=Hello", "/audit",
      ]
      for path in paths {
        let page = try await ask(daemon, "GET", path, [session])
        #expect(["200", "404"].contains(status(page)), "\(path): \(status(page))")
        #expect(page.contains("default-src 'none'") && page.contains("frame-ancestors 'none'"), "\(path)")
        #expect(!page.contains("{{") && !page.contains("<script>"), "\(path)")
      }
      for (language, start) in [
        ("de-AT", "<html lang=\"de\" dir=\"ltr\""), ("ar", "<html lang=\"ar\" dir=\"rtl\""),
        ("fr, ja;q=0.5", "<html lang=\"ja\" dir=\"ltr\""), ("en, de", "<html lang=\"en\" dir=\"ltr\""),
      ] {
        let page = try await ask(daemon, "GET", "/", [session, "Accept-Language: \(language)"])
        #expect(page.contains(start), "\(language)")
      }
      for path in ["/assets/..%2f..%2fetc/passwd", "/assets/none", "/pipelines/..%2f..", "/pipelines/%00", "/nothing"] {
        #expect(status(try await ask(daemon, "GET", path, [session])) == "404", "\(path)")
      }
    }
  }
}
