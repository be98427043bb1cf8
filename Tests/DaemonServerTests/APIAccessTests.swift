import Daemon
import Foundation
import HTTPTransport
import HTTPTypes
import Localization
import Pipeline
import ReadModel
import TestSupport
import Testing

@testable import DaemonServer

/// Access to the server: tokens, roles and host names, and the refusal of requests that do not match the API document.
@Suite(.timeLimit(.minutes(10))) struct APIAccessTests {
  private func bearer(_ token: String) -> (name: String, value: String) { ("Authorization", "Bearer \(token)") }

  @Test("a request without a valid token gets 401 and no information about existing pipelines")
  func noToken() async throws {
    try await ServedDaemon().run { daemon async throws in
      let token = try await daemon.token(.viewer)
      let paths = ["/pipelines", "/pipelines/birds", "/pipelines/none", "/events", "/tokens", "/audit"]
      let wrong: [[(name: String, value: String)]] = [
        [], [bearer("")], [bearer(token + "0")], [bearer(String(token.dropLast()))],
        [("Authorization", "Basic \(token)")],
        [("Authorization", token)], [("Cookie", "token=\(token)")], [("X-Token", token)],
        [bearer(String(repeating: "a", count: 1000))],
      ]
      for path in paths {
        for headers in wrong {
          let response = try await daemon.send("GET", "/api/v1" + path, headers)
          #expect(response.status == 401 && response.text.contains("\"code\":\"token\""), "\(path) \(headers)")
          #expect(response.head.header("WWW-Authenticate") == "Bearer")
        }
      }
      #expect(try await daemon.send("GET", "/api/v1/pipelines", [bearer(token)]).status == 200)
      #expect(try await daemon.send("GET", "/api/v1/pipelines", [("Authorization", "bearer \(token)")]).status == 200)
      #expect(try await daemon.daemon().people.removeToken(named: "viewer"))
      #expect(try await daemon.send("GET", "/api/v1/pipelines", [bearer(token)]).status == 401)
    }
  }

  @Test("each operation requires its role, and a lower role gets 403")
  func roles() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      var tokens: [Role: String] = [:]
      for role in Role.allCases { tokens[role] = try await daemon.token(role) }
      let operations = APIOperations(daemon: try daemon.daemon()).all
      #expect(operations.count > 25)
      for operation in operations {
        let path = operation.path.replacing("{pipeline}", with: "none").replacing("{id}", with: "9")
          .replacing("{name}", with: "none")
        for (role, token) in tokens {
          let response = try await daemon.send(
            operation.method.rawValue, "/api/v1" + path, [bearer(token), ("Content-Type", "application/json")],
            Array("{}".utf8))
          let isAllowed = role >= (try #require(operation.role))
          #expect((response.status == 403) != isAllowed, "\(operation.name) as \(role): \(response.status)")
        }
      }
    }
  }

  @Test("requests that do not match the API document are refused with the right status and code")
  func badRequests() async throws {
    var limits = ServerLimits()
    limits.body = 10_000
    try await ServedDaemon().run(limits: limits) { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.admin)
      let json: (name: String, value: String) = ("Content-Type", "application/json")
      let large = "{\"reason\":\"\(String(repeating: "a", count: 20_000))\"}"
      let cases: [(String, String, [(name: String, value: String)], String, Int, String)] = [
        ("GET", "/pipelines?x=1", [], "", 400, "parameter"), ("GET", "/rounds?limit=0", [], "", 400, "parameter"),
        ("GET", "/rounds?limit=x", [], "", 400, "parameter"), ("GET", "/rounds/0", [], "", 400, "parameter"),
        ("GET", "/rounds/1%2F2", [], "", 400, "parameter"), ("GET", "/rounds/99", [], "", 404, "missing"),
        ("GET", "/units", [], "", 400, "parameter"), ("GET", "/units?key=%ff", [], "", 400, "parameter"),
        ("GET", "/units?key=none", [], "", 404, "missing"), ("GET", "/nothing", [], "", 404, "path"),
        ("GET", "/pipelines/..%2f..%2fetc", [], "", 404, "pipeline"), ("GET", "/pipelines/", [], "", 404, "path"),
        ("DELETE", "/pipelines", [], "", 405, "method"), ("GET", "/rounds/1/cancel", [], "", 405, "method"),
        ("POST", "/pipelines/birds/pause", [json], "", 400, "body"),
        ("POST", "/pipelines/birds/pause", [json], "[]", 400, "body"),
        ("POST", "/pipelines/birds/pause", [], "{}", 415, "body"),
        ("POST", "/pipelines/birds/pause", [("Content-Type", "application/x-www-form-urlencoded")], "a=b", 415, "body"),
        ("POST", "/pipelines/birds/pause", [json], large, 413, "size"),
        ("POST", "/held/9/edit", [json], "{\"branch\":\"main\",\"texts\":[]}", 404, "missing"),
        ("POST", "/tokens", [json], "{\"name\":\"a b\",\"role\":\"viewer\"}", 400, "input"),
        ("POST", "/tokens", [json], "{\"name\":\"admin\",\"role\":\"viewer\"}", 409, "refused"),
        ("POST", "/tokens", [json], "{\"name\":\"x\",\"role\":\"owner\"}", 400, "body"),
        ("DELETE", "/tokens/none", [], "", 404, "missing"),
      ]
      for (method, path, headers, body, status, code) in cases {
        let response = try await daemon.send(method, "/api/v1" + path, [bearer(token)] + headers, Array(body.utf8))
        #expect(
          response.status == status && response.text.contains("\"code\":\"\(code)\""),
          "\(method) \(path): \(response.status) \(response.text)")
      }
      #expect(try await daemon.send("PUT", "/api/v1/pipelines", [bearer(token)]).head.header("Allow") == "GET")
      #expect(try await daemon.send("GET", "/api/v2/pipelines", [bearer(token)]).status == 404)
    }
  }

  @Test("unknown host names are refused, and metrics under the host name of a declared proxy need a token")
  func hosts() async throws {
    try await ServedDaemon().run(proxies: ["L10n.example.com"]) { daemon async throws in
      let token = try await daemon.token(.viewer)
      func status(_ path: String, host: String, _ headers: [(name: String, value: String)] = []) async throws -> Int {
        try await daemon.send("GET", path, [("Host", host)] + headers).status
      }
      #expect(try await status("/api/v1/pipelines", host: "l10n.example.com", [bearer(token)]) == 200)
      #expect(try await status("/api/v1/pipelines", host: "L10N.example.com:443", [bearer(token)]) == 200)
      #expect(try await status("/api/v1/pipelines", host: "evil.example", [bearer(token)]) == 421)
      #expect(try await status("/api/v1/pipelines", host: "l10n.example.com.evil.example", [bearer(token)]) == 421)
      #expect(try await status("/metrics", host: "l10n.example.com") == 401)
      #expect(try await status("/metrics", host: "l10n.example.com", [bearer(token)]) == 200)
      #expect(try await status("/metrics", host: "localhost") == 200)
      #expect(try await status("/healthz", host: "l10n.example.com") == 421)
    }
  }

  @Test("other machines can connect only through a declared proxy, and only if a token exists")
  func otherMachines() throws {
    #expect(throws: ServerFault.self) { try ListenAddress("0.0.0.0:80") }
    #expect(throws: ServerFault.self) { try ListenAddress("l10n.example.com:80", isBehindProxy: true) }
    let address = try ListenAddress("0.0.0.0:80", isBehindProxy: true)
    #expect(!address.isLoopback && address.description == "0.0.0.0:80")
    #expect(try ListenAddress("[::]:80", isBehindProxy: true).description == "[::]:80")
    let proxied = try ServerAccess(publicHosts: ["l10n.example.com"])
    #expect(throws: ServerFault.self) { try proxied.check(address, hasTokens: false) }
    #expect(throws: ServerFault.self) { try ServerAccess().check(address, hasTokens: true) }
    #expect(throws: Never.self) { try proxied.check(address, hasTokens: true) }
    #expect(throws: Never.self) { try ServerAccess().check(ListenAddress("127.0.0.1:80"), hasTokens: false) }
    for host in ["", "https://l10n.example.com", "l10n.example.com:443", "a b", "é.example"] {
      #expect(throws: ServerFault.self) { try ServerAccess(publicHosts: [host]) }
    }
  }
}
