import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors

/// The behaviour of ``VendorHTTP``, which the adapters of HTTP APIs share.
struct VendorHTTPTests {
  private static let pace = PaceSettings(perSecond: 100, burst: 100, concurrent: 1)

  private static func http(_ bench: VendorBench, _ server: LoopbackHTTPServer) throws -> VendorHTTP {
    VendorHTTP(
      vendor: "test", base: try HTTPURL(server.url), authentication: .authorization(scheme: "Bearer"), pace: pace,
      environment: bench.environment(), paces: RequestPaces())
  }

  /// A server that carries out every request and gives a special response to the first request.
  private final class FirstResponse: Sendable {
    private let first: LoopbackReply
    private let count = Mutex(0)
    var carriedOut: Int { count.withLock { $0 } }

    init(_ first: LoopbackReply) { self.first = first }

    func next() -> LoopbackReply {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? first : .json(["ok": true])
    }
  }

  @Test("after a timeout, a request is repeated only if repeating it is safe")
  func timeouts() async throws {
    let deadlines = Deadlines(stall: .seconds(1))
    for method in ["GET", "PUT", "POST"] {
      let silent = FirstResponse(.stall())
      let bench = try VendorBench { _ in silent.next() }
      let server = try bench.server()
      let request = VendorHTTP.Request(method, ["x"], deadlines: deadlines)
      let error: TransportError?
      do {
        _ = try await Self.http(bench, server).send(request)
        error = nil
      } catch let thrown as TransportError { error = thrown }
      if method == "POST" {
        #expect(error?.kind == .stalled && error?.disposition == .retry && silent.carriedOut == 1)
      } else {
        #expect(error == nil && silent.carriedOut >= 2, "\(method): \(String(describing: error))")
      }
    }
  }

  @Test("a request whose response takes longer than the whole deadline is not sent again")
  func slowResponse() async throws {
    // The server sends the beginning of a response and then stalls. The stall deadline is long, so the request ends at the whole deadline, as with a
    // server that keeps sending single bytes.
    let slow = FirstResponse(.stall(after: Array("HTTP/1.1 200 OK\r\n".utf8)))
    let bench = try VendorBench { _ in slow.next() }
    let server = try bench.server()
    let deadlines = Deadlines(connect: .seconds(60), stall: .seconds(60), whole: .seconds(1))
    let error = await #expect(throws: TransportError.self) {
      try await Self.http(bench, server).send(VendorHTTP.Request("GET", ["x"], deadlines: deadlines))
    }
    #expect(error?.kind == .timedOut && error?.disposition == .retry, "\(error as Any)")
    #expect(slow.carriedOut == 1)
  }

  @Test("a response that is too large and a redirect to another host or scheme are refused")
  func untrustedResponses() async throws {
    let other = try LoopbackHTTPServer { _, _ in .json(["ok": true]) }
    let bench = try VendorBench { request in
      switch request.path.first {
      case "large": .respond(status: 200, body: Array(repeating: 0x20, count: 4096))
      case "elsewhere": .respond(status: 302, headers: [("Location", other.url + "/x")])
      default: .respond(status: 302, headers: [("Location", "ftp://127.0.0.1/x")])
      }
    }
    let server = try bench.server()
    let http = try Self.http(bench, server)
    for (name, method) in [("large", "GET"), ("elsewhere", "GET"), ("scheme", "GET"), ("elsewhere", "POST")] {
      await #expect(throws: TransportError.self, "\(name)") {
        try await http.send(VendorHTTP.Request(method, [name], responseLimit: 1024))
      }
    }
    #expect(other.requests.isEmpty, "the token is not sent to another server")
  }

  @Test("a token that the server repeats in an error is removed from messages", arguments: [20, 290])
  func repeatedToken(_ distance: Int) async throws {
    let filler = String(repeating: "x", count: distance)
    let bench = try VendorBench { request in
      .json(["message": "\(filler) \(request.header("Authorization") ?? "") is no token"], status: 401)
    }
    let server = try bench.server()
    let error = try await #require(throws: TransportError.self) {
      try await Self.http(bench, server).send(VendorHTTP.Request("GET", ["x"]))
    }
    #expect(error.detail.contains(filler) && error.kind == .status(401))
    #expect(!error.description.contains("secret"), "\(error)")
  }

  @Test(
    "an error contains the server's message and the next step",
    arguments: [
      (401, "application/json", #"{"message": "expired"}"#, "“expired”. Check the token in `credentials`."),
      (403, "application/json", #"{"STANDARD_VALIDATION": {"name": "too long"}}"#, "“name: too long”. Give the token"),
      (404, "text/plain; charset=utf-8", "no such\n project\n", "“no such  project”. Check `url` and the names"),
      (400, "text/plain", "wrong secret-token", "the server returned 400, “wrong REDACTED”"),
      (404, "text/html", "<p>no</p>", "the server returned 404 (not found). Check `url`"),
    ])
  func steps(_ status: Int, _ type: String, _ body: String, _ words: String) async throws {
    let bench = try VendorBench { _ in
      .respond(status: status, headers: [("Content-Type", type)], body: Array(body.utf8))
    }
    let server = try bench.server()
    let error = try await #require(throws: TransportError.self) {
      try await Self.http(bench, server).send(VendorHTTP.Request("GET", ["x"]))
    }
    #expect(error.description.contains(words), "\(error)")
    let without = VendorHTTP(
      vendor: "test", base: try HTTPURL(server.url), authentication: .none, pace: Self.pace,
      environment: bench.environment(secret: nil), paces: RequestPaces())
    let other = try await #require(throws: TransportError.self) {
      try await without.send(VendorHTTP.Request("GET", ["x"]))
    }
    #expect(other.description.contains("Set `credentials` for this vendor") == [401, 403].contains(status), "\(other)")
  }

  @Test(
    "403 for too many requests is handled like 429: the request is repeated, or the caller waits if the delay is long",
    arguments: [
      ([("Retry-After", "7")], "{}", 7.0), ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "50")], "{}", 50),
      ([], #"{"message": "You have exceeded a secondary rate limit"}"#, 60),
      (
        [("X-RateLimit-Remaining", "4990"), ("X-RateLimit-Reset", "900")], #"{"message": "API rate limit exceeded"}"#,
        60
      ),
      ([("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "700")], "{}", 700),
    ] as [([(String, String)], String, Double)])
  func limits(_ headers: [(String, String)], _ body: String, _ pause: Double) async throws {
    let limited = FirstResponse(
      .respond(status: 403, headers: [("Content-Type", "application/json")] + headers, body: Array(body.utf8)))
    let bench = try VendorBench { _ in limited.next() }
    let server = try bench.server()
    let start = bench.now
    let http = try Self.http(bench, server)
    let request = VendorHTTP.Request("POST", ["x"])
    do {
      // The caller accepts 403 as a missing permission. A rate limit is still recognized, and the request is repeated.
      #expect(try await http.send(request, accepting: [403]).status == 200)
      #expect(pause <= 60 && bench.now.timeIntervalSince(start) >= pause)
    } catch let error as TransportError {
      #expect(pause > 60 && error.disposition == .retryAfter(.seconds(pause)), "\(error)")
      #expect(error.detail.contains("too many requests"), "\(error)")
    }
  }

  @Test("a rate limit's reset time is ignored while more requests are allowed")
  func resets() async throws {
    for status in [502, 503] {
      let failing = FirstResponse(
        .respond(status: status, headers: [("X-RateLimit-Remaining", "4990"), ("X-RateLimit-Reset", "890")]))
      let bench = try VendorBench { _ in failing.next() }
      let server = try bench.server()
      let start = bench.now
      #expect(try await Self.http(bench, server).send(VendorHTTP.Request("GET", ["x"])).status == 200)
      #expect(bench.now.timeIntervalSince(start) < 5, "after \(status)")
    }
  }

  private struct List: Decodable {
    struct Item: Decodable {
      var name: String
      var count: Int
    }
    var items: [Item]
    var isLast: Bool
  }

  @Test(
    "an unexpected response format is described with the JSON member and the expected type",
    arguments: [
      ("", "the response is empty instead of JSON"), (" \n", "the response is empty instead of JSON"),
      ("{", "the response is not valid JSON"), ("null", "an object is expected instead of null"),
      ("[]", "an object is expected"),
      ("{}", "items is missing"), (#"{"items": {}}"#, "a list is expected at items"),
      (#"{"items": [{"name": 1}]}"#, "a text is expected at items[0].name"),
      (#"{"items": [{"name": "a", "count": "b"}]}"#, "a number is expected at items[0].count"),
      (#"{"items": [], "isLast": null}"#, "true or false is expected at isLast"),
      (#"{"items": [{"name": "a", "count": 1}, {"name": "b"}]}"#, "count is missing at items[1]"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let bench = try VendorBench { _ in
      .respond(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    }
    let server = try bench.server()
    let error = try await #require(throws: VendorError.self) {
      try await Self.http(bench, server).json(VendorHTTP.Request("GET", ["x"]), as: List.self)
    }
    #expect(error.kind == .protocolFault && error.description.hasSuffix(words), "\(error)")
  }
}
