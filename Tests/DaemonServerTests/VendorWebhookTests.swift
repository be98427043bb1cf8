import Foundation
import Localization
import Pipeline
import TestSupport
import Testing
import VendorServers

@testable import DaemonServer

@Suite(.timeLimit(.minutes(10))) struct VendorWebhookTests {
  private func vendor(at server: LoopbackHTTPServer, webhook: CredentialReference) -> VendorDefinition {
    VendorDefinition(
      kind: "http", credentials: .environment("L10N_TOKEN"), name: "in house", options: ["url": .text(server.url)],
      webhook: webhook)
  }

  /// Returns the headers of a signed request.
  /// - Parameter time: the time of the signature. The server compares it with the real time.
  private func request(_ id: String, time: Date = Date()) -> [(name: String, value: String)] {
    let stamp = "\(Int(time.timeIntervalSince1970))"
    let signature = HMAC.sha256(key: [UInt8](1...32), Array("\(id).\(stamp).".utf8), Array("{}".utf8))
    return [
      ("webhook-id", id), ("webhook-timestamp", stamp),
      ("webhook-signature", "v1,\(Data(signature).base64EncodedString())"),
    ]
  }

  @Test("only a verified request causes an immediate check of the vendor")
  func pull() async throws {
    let system = InHouseServer(languages: ["de"])
    let server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    defer { server.stop() }
    let vendor = vendor(at: server, webhook: .environment("L10N_HOOK"))
    try await ServedDaemon().run(vendor: vendor) { daemon async throws in
      await daemon.nextPull()
      system.translate("de")
      let path = "/hooks/birds/in%20house"
      let body = Array("{}".utf8)
      let late = try await daemon.send("POST", path, request("m0", time: Date() - 1000), body)
      #expect(late.status == 401)
      #expect(try await daemon.send("POST", path, request("m1"), body + [0x20]).status == 401)
      #expect(try await daemon.send("POST", path, [], body).status == 401)
      #expect(try await daemon.send("POST", "/hooks/birds/nobody", request("m1"), body).status == 404)
      #expect(try await daemon.send("POST", "/hooks/nobody/in%20house", request("m1"), body).status == 404)
      #expect(try await daemon.send("GET", path).status == 405)
      // The secrets of a vendor and of the repository are not interchangeable.
      #expect(try await daemon.send("POST", "/hooks/birds", request("m1"), body).status == 401)
      let forge = SignedRequest(body, .github)
      #expect(try await daemon.send("POST", path, forge.headers, forge.body).status == 401)
      let large = [UInt8](repeating: 0x20, count: ServerLimits().body + 1)
      #expect(try await daemon.send("POST", path, request("m1"), large).status == 413)

      let response = try await daemon.send("POST", path, request("m1"), body)
      #expect(response.status == 200)
      #expect(response.text == "{\"result\":\"accepted\"}\n")
      await daemon.nextPull()
      let again = try await daemon.send("POST", path, request("m1"), body)
      #expect(again.status == 200)
      #expect(again.text == "{\"result\":\"repeated\"}\n")
      let metrics = try await daemon.send("GET", "/metrics").text
      #expect(metrics.contains("dragoman_webhook_requests_total{pipeline=\"birds\",result=\"accepted\"} 1\n"))
    }
  }

  @Test("a vendor without a webhook secret has no webhook")
  func none() async throws {
    let system = InHouseServer(languages: ["de"])
    let server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    defer { server.stop() }
    try await ServedDaemon().run(vendor: vendor(at: server, webhook: .none)) { daemon async throws in
      let response = try await daemon.send("POST", "/hooks/birds/in%20house", request("m1"), Array("{}".utf8))
      #expect(response.status == 404)
    }
  }
}
