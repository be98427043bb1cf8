import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

struct CompressionTests {
  /// The text `{"ok": true}`, compressed with gzip, in Base64.
  private static let small = "H4sIAAAAAAACA6tWys9WslIoKSpNrQUAxhmrFwwAAAA="
  /// 20,000 spaces, compressed with gzip, in Base64.
  private static let large = "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IaHkABAAAAAAAAAAAAAAAAAAAAAAAA8GAoxAiFIE4AAA=="

  private static func server(_ body: String) throws -> LoopbackHTTPServer {
    let bytes = Array(try #require(Data(base64Encoded: body)))
    return try LoopbackHTTPServer { _, _ in
      .respond(status: 200, headers: [("Content-Encoding", "gzip")], body: bytes)
    }
  }

  private static func send(to server: LoopbackHTTPServer, limit: Int = 1 << 20) async throws -> HTTPResponse {
    var request = try get(server)
    request.acceptsCompression = true
    request.responseLimit = limit
    return try await transport().send(request)
  }

  @Test("a compressed response is requested and decompressed")
  func unpacks() async throws {
    let server = try Self.server(Self.small)
    #expect(try await Self.send(to: server).body == Array("{\"ok\": true}".utf8))
    #expect(server.requests.first?.header("Accept-Encoding") == "gzip, deflate")
    #expect(try await Self.send(to: Self.server(Self.large)).body == Array(repeating: 0x20, count: 20_000))
  }

  @Test("the limit of a response applies to decompressed bytes")
  func limit() async throws {
    let server = try Self.server(Self.large)
    let error = try await #require(throws: TransportError.self) { try await Self.send(to: server, limit: 10_000) }
    #expect(error.kind == .bodyTooLarge)
  }

  @Test("a damaged compressed response may be requested again")
  func damaged() async throws {
    let server = try Self.server("bm90IHppcHBlZA==")
    let error = try await #require(throws: TransportError.self) { try await Self.send(to: server) }
    #expect(error.kind == .connectionLost && error.disposition == .retry)
  }
}
