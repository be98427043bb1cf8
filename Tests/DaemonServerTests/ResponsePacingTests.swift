import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import DaemonServer

/// Clients that send many requests, or that do not read the responses.
@Suite(.timeLimit(.minutes(10))) struct ResponsePacingTests {
  private static let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test("a client that sends many requests without reading is disconnected")
  func unread() async throws {
    var limits = ServedDaemon.patient
    limits.write = .milliseconds(300)
    try await ServedDaemon().run(limits: limits) { daemon async throws in
      let requests = String(repeating: Self.request, count: 2000)
      #expect(try await RawConnection.isClosed(afterSending: requests, port: daemon.port))
      #expect(try await daemon.send("GET", "/healthz").status == 200)
    }
  }

  @Test("a client that sends many requests at once and reads gets all responses in order")
  func read() async throws {
    try await ServedDaemon().run { daemon async throws in
      let paths = (0..<100).map { $0.isMultiple(of: 2) ? "/api/v1/openapi.json" : "/api/nothing" }
      let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
      let last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let response = try await RawConnection.exchange(requests + last, port: daemon.port)
      let statuses = response.split(separator: "\r\n").filter {
        $0.hasPrefix("HTTP/1.1 ") || $0.contains("\nHTTP/1.1 ")
      }
      #expect(statuses.map { $0.hasSuffix("200 OK") } == paths.map { $0 != "/api/nothing" } + [true])
    }
  }

  @Test("the next request waits until the previous response is written")
  func order() throws {
    let channel = try channel()
    try channel.writeInbound(ByteBuffer(string: String(repeating: Self.request, count: 3)))
    #expect(try heads(channel) == 1)
    for left in [1, 1, 0] {
      respond(channel)
      #expect(try heads(channel) == 0)
      channel.flush()
      #expect(try heads(channel) == left)
    }
    try channel.writeInbound(ByteBuffer(string: Self.request))
    #expect(try heads(channel) == 1)
    _ = try channel.finish()
  }

  @Test("a connection is closed if more requests wait than the server keeps")
  func waiting() throws {
    let channel = try channel()
    let count = ResponsePacing.waitingParts / 2 + 1
    try channel.writeInbound(ByteBuffer(string: String(repeating: Self.request, count: count)))
    #expect(channel.isActive)
    try channel.writeInbound(ByteBuffer(string: Self.request))
    #expect(!channel.isActive)
  }

  @Test("a connection is closed if its response makes no progress within the limit")
  func progress() throws {
    let channel = try channel()
    try channel.writeInbound(ByteBuffer(string: Self.request))
    respond(channel)
    channel.embeddedEventLoop.advanceTime(by: .seconds(29))
    channel.flush()
    // The connection has nothing to write.
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(channel.isActive)
    // A stream of events, whose parts are written at long intervals.
    try channel.writeInbound(ByteBuffer(string: Self.request))
    channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
    for _ in 0..<3 {
      channel.write(HTTPResponsePart.body(ByteBuffer(string: ": \n\n")), promise: nil)
      channel.flush()
      channel.embeddedEventLoop.advanceTime(by: .seconds(100))
      #expect(channel.isActive)
    }
    channel.write(HTTPResponsePart.body(ByteBuffer(string: ": \n\n")), promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(15))
    channel.write(HTTPResponsePart.body(ByteBuffer(string: ": \n\n")), promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(14))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  /// Returns an active channel that has the server's handlers for requests and responses.
  private func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
      withEncoderConfiguration: .init())
    try channel.pipeline.syncOperations.addHandlers([
      HTTP1ToHTTPServerCodec(secure: false), ResponsePacing(.seconds(30)),
    ])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  /// Writes a response without flushing it.
  private func respond(_ channel: EmbeddedChannel) {
    channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
    channel.write(HTTPResponsePart.body(ByteBuffer(string: "text")), promise: nil)
    channel.write(HTTPResponsePart.end(nil), promise: nil)
  }

  /// Takes the requests that were passed on, and returns their number.
  private func heads(_ channel: EmbeddedChannel) throws -> Int {
    var count = 0
    while let part = try channel.readInbound(as: HTTPRequestPart.self) {
      if case .head = part { count += 1 }
    }
    return count
  }
}
