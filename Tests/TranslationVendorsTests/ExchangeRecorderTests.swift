import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

struct ExchangeRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ kind: String = "test") throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try folder.names(in: "recorded/\(kind)").map {
        ($0, String(decoding: try folder.read("recorded/\(kind)/\($0)"), as: UTF8.self))
      })
  }

  private func environment(_ bench: VendorBench, secret: String = "secret-token") -> VendorEnvironment {
    var environment = bench.environment(secret: secret)
    environment.recordFolder = folder.file("recorded")
    environment.recorder = ExchangeRecorder(folder: folder.file("recorded/test")) { Secret(secret) }
    return environment
  }

  @Test("the recording of a whole round can replace the vendor in the next round")
  func playsBack() async throws {
    let system = LokaliseServer()
    let bench = try VendorBench { system.respond(to: $0) }
    let server = try bench.server()
    func play(_ server: LoopbackHTTPServer, _ environment: VendorEnvironment, translate: () -> Void) async throws
      -> [ReturnedBundle]
    {
      let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
      let vendor = try VendorRegistry.vendor(LokaliseKind.self, settings, in: environment)
      let shipment = PlatformConformance.shipment(language: "uk")
      let receipt = try await vendor.push(shipment)
      translate()
      return try await vendor.pull(OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] })
        .bundles
    }
    let recorded = try await play(server, environment(bench)) { system.translate("uk") }
    let names = folder.names(in: "recorded/lokalise").sorted()
    #expect(names.count == bench.requests && names.first == "0001-GET-projects-p1-languages.json", "\(names)")
    for (name, text) in try files("lokalise") {
      #expect(!text.contains("secret-token") && text.contains("\"x-api-token\" : \"REDACTED\""), "\(name)")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("recorded/lokalise/\(name)"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    let fixture = try RecordedVendor(folder.file("recorded/lokalise"))
    let player = try LoopbackHTTPServer { request, _ in fixture.respond(to: request) }
    let played = try await play(player, bench.environment(secret: "another")) {}
    #expect(played.map(\.digest) == recorded.map(\.digest) && played.first?.files == recorded.first?.files)
    #expect(fixture.rest == 0)
  }

  @Test("secrets are replaced wherever they occur: in headers, forms, JSON, queries and signed links")
  func redacted() async throws {
    let content: [String: Any] = [
      "accessToken": "a-new-one", "expiresIn": 480, "note": "for dXNlcg==, secret-token and secret%2Ftoken",
      "link": "https://files.example.com/a?X-Amz-Signature=1234", "next": "https://api.example.com/a?cursor=7",
      "text": "<a href='https://files.example.com/b?sig=5678'>", "key": "settings.title",
      "credentials": ["user": "nobody", "key": ["fedcba"]], "tokens": ["prompt": 71],
    ]
    let reply = LoopbackReply.json(content)
    let bench = try VendorBench { _ in reply }
    let server = try bench.server()
    let http = VendorHTTP(
      vendor: "test", base: try HTTPURL(server.url), authentication: .authorization(scheme: "Bearer"),
      pace: PaceSettings(perSecond: 50, burst: 50, concurrent: 4),
      environment: environment(bench, secret: "user:secret/token"))
    let form = "api_token=secret%2Ftoken&id=7&password=x"
    for request in [
      VendorHTTP.Request("GET", ["a", "secret/token"], query: [("key", "abc"), ("limit", "5")]),
      VendorHTTP.Request(
        "POST", ["form"],
        headers: [("Content-Type", "application/x-www-form-urlencoded"), ("X-Signature", "a-signed-one")],
        body: .bytes(Array(form.utf8))),
      try VendorHTTP.Request("POST", ["json"], json: ["userSecret": "abcdef", "text": "Bird", "max_tokens": "5"]),
    ] { _ = try await http.send(request) }
    let files = try files()
    #expect(files.count == 3)
    let all = files.values.joined()
    for secret in [
      "secret/token", "secret%2Ftoken", "a-new-one", "dXNlcg==", "1234", "5678", "abcdef", "\"abc\"", "password=x",
      "a-signed-one", "nobody", "fedcba",
    ] {
      #expect(!all.contains(secret), "\(secret)")
    }
    for kept in ["settings.title", "https://api.example.com/a?cursor=7", "\"Bird\"", "480", "id=7", "\"limit\"", "71"] {
      #expect(all.contains(kept), "\(kept)")
    }
  }

  @Test("large bodies are omitted, binary bodies are kept, and a request without a response is recorded")
  func bodies() async throws {
    #expect(RecordedBody([UInt8](repeating: 65, count: 1 << 21)) == .omitted(1 << 21))
    #expect(RecordedBody([0xFF, 0xFE])?.bytes == [0xFF, 0xFE])
    let redaction = ExchangeRedaction(secrets: [Secret("secret-token")])
    let bytes = RecordedBody([0xFF] + Array("secret-token".utf8))
    #expect(
      redaction.redacted(
        RecordedExchange(request: .init(method: "PUT", path: "/", query: [], headers: [:], body: bytes), response: nil)
      ).request.body == .omitted(13))
    #expect(RecordedBody([]) == nil && RecordedBody(Array("a=b".utf8))?.bytes == Array("a=b".utf8))
    let bench = try VendorBench { _ in .close }
    let server = try bench.server()
    let http = VendorHTTP(
      vendor: "test", base: try HTTPURL(server.url), authentication: .none,
      pace: PaceSettings(perSecond: 50, burst: 50, concurrent: 4), environment: environment(bench))
    await #expect(throws: TransportError.self) {
      try await http.send(VendorHTTP.Request("POST", ["a"], isRepeatable: false))
    }
    let text = try #require(try files()["0001-POST-a.json"])
    #expect(!text.contains("response"))
  }
}
