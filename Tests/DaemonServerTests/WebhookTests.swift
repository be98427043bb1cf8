import Foundation
import Pipeline
import TestSupport
import Testing

@testable import DaemonServer

@Suite(.timeLimit(.minutes(10))) struct WebhookTests {
  private static func push(_ number: Int = 1) -> [UInt8] {
    Array(#"{"ref":"refs/heads/main","number":\#(number)}"#.utf8)
  }

  @Test("a verified event causes an immediate check of the repository, and a repeated event does not")
  func look() async throws {
    try await ServedDaemon().run { daemon async throws in
      #expect(await daemon.nextLook() == "1 branch, 1 with a new commit")
      try daemon.repository.commit(["App/B.swift": "import SwiftUI\nlet b = Text(\"Bye\")\n"])
      let request = SignedRequest(Self.push(), .github)
      let response = try await daemon.send("POST", "/hooks/birds", request.headers, request.body)
      #expect(response.status == 202)
      #expect(response.text == "{\"result\":\"accepted\"}\n")
      #expect(await daemon.nextLook() == "1 branch, 1 with a new commit")
      // An attacker could send a recorded delivery again with another id.
      let again = try await daemon.send(
        "POST", "/hooks/birds", request.headers + [("X-GitHub-Delivery", "another")], request.body)
      #expect(again.status == 200)
      #expect(again.text == "{\"result\":\"repeated\"}\n")
      let other = SignedRequest(Self.push(2), .gitlabToken)
      #expect(try await daemon.send("POST", "/hooks/birds", other.headers, other.body).status == 202)
      // The last event causes another check, which finds no new commit.
      #expect(await daemon.nextLook() == "1 branch, 0 with a new commit")
      let metrics = try await daemon.send("GET", "/metrics").text
      #expect(metrics.contains("dragoman_webhook_requests_total{pipeline=\"birds\",result=\"accepted\"} 2\n"))
      #expect(metrics.contains("dragoman_webhook_requests_total{pipeline=\"birds\",result=\"repeated\"} 1\n"))
      #expect(metrics.contains("dragoman_webhook_last_event_timestamp_seconds{pipeline=\"birds\"}"))
      #expect(MetricsLint.faults(in: metrics) == [])
    }
  }

  @Test("each push of a branch that moves back and forth at GitLab causes a check, and a repeated delivery does not")
  func backAndForth() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      var statuses: [Int] = []
      for (number, id) in [(1, "a"), (2, "b"), (1, "c"), (1, "c")] {
        let request = SignedRequest(Self.push(number), .gitlabToken)
        let headers = request.headers + [("X-Gitlab-Event-UUID", id)]
        statuses.append(try await daemon.send("POST", "/hooks/birds", headers, request.body).status)
      }
      #expect(statuses == [202, 202, 202, 200])
    }
  }

  @Test("unverified, irrelevant, malformed and oversized requests get different responses")
  func refusals() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      func post(
        _ request: SignedRequest, path: String = "/hooks/birds", body: [UInt8]? = nil
      ) async throws -> (Int, String) {
        let response = try await daemon.send("POST", path, request.headers, body ?? request.body)
        return (response.status, response.text)
      }
      let good = SignedRequest(Self.push(), .gitea)
      #expect(try await post(good, path: "/hooks/nobody").0 == 404)
      #expect(try await post(good, path: "/hooks/..%2Fmetrics").0 == 404)
      #expect(try await post(good, body: Self.push(9)).0 == 401)
      #expect(try await post(SignedRequest(Self.push(), .gitea, secret: "wrong")).0 == 401)
      #expect(try await post(SignedRequest(Self.push(), .azure, secret: "")).0 == 401)
      #expect(try await daemon.send("POST", "/hooks/birds", [], good.body).status == 401)
      #expect(try await daemon.send("GET", "/hooks/birds").status == 405)
      let comment = SignedRequest(Array(#"{"action":"created","comment":{"body":"hi"}}"#.utf8), .github)
      #expect(try await post(comment) == (200, "{\"result\":\"ignored\"}\n"))
      let form = try await post(SignedRequest(Array("payload=%7B%7D".utf8), .github))
      #expect(form.0 == 400 && form.1.contains("application/json"))
      let deep = SignedRequest([UInt8](repeating: 0x5B, count: 100_000), .github)
      #expect(try await post(deep).0 == 400)
      let large = SignedRequest([UInt8](repeating: 0x20, count: ServerLimits().body + 1), .github)
      #expect(try await post(large).0 == 413)
      #expect(try await post(good).0 == 202)
    }
  }

  @Test("without a webhook the response is 404, and an unreadable secret is reported without its path")
  func secrets() async throws {
    let request = SignedRequest(Self.push(), .github)
    try await ServedDaemon().run(webhook: .none) { daemon async throws in
      _ = await daemon.nextLook()
      #expect(try await daemon.send("POST", "/hooks/birds", request.headers, request.body).status == 404)
    }
    let daemon = try ServedDaemon()
    try await daemon.run(webhook: .file(daemon.folder.file("secret"))) { daemon async throws in
      _ = await daemon.nextLook()
      let missing = try await daemon.send("POST", "/hooks/birds", request.headers, request.body)
      #expect(missing.status == 503)
      #expect(!missing.text.contains(daemon.folder.path))
      _ = try await daemon.send("POST", "/hooks/birds", request.headers, request.body)
      let told = daemon.log.filter { $0.contains(" birds webhook: ") }
      #expect(told.count == 1 && told[0].contains("error: ") && told[0].contains(daemon.folder.file("secret")))
      // A changed secret takes effect without a restart.
      try daemon.folder.write(ServedDaemon.secret + "\n", to: "secret")
      #expect(try await daemon.send("POST", "/hooks/birds", request.headers, request.body).status == 202)
      #expect(daemon.log.contains { $0.contains("birds webhook: working again after 2 failures") })
      #expect(!daemon.log.contains { $0.contains(ServedDaemon.secret) })
    }
  }

  @Test("a limited number of deliveries is remembered, and the oldest are dropped first")
  func memory() {
    var memory = ReplayMemory()
    var isNew = (0..<ReplayMemory.limit).map { memory.insert([UInt8($0 >> 8), UInt8($0 & 255)]) }
    #expect(isNew.allSatisfy { $0 })
    isNew = [[0, 0], [255], [0, 0], [255], [0, 2]].map { memory.insert($0) }
    #expect(isNew == [false, true, true, false, false])
  }
}
