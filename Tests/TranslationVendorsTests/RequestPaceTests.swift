import FoundationEssentials
import HTTPTransport
import Localization
import Logging
import TestSupport
import Testing

@testable import TranslationVendors

@Suite("The pace of requests")
struct RequestPaceTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("a burst is sent at once, further requests follow at the configured rate, and every wait ends")
  func rate() {
    let pace = RequestPace(PaceSettings(perSecond: 5, burst: 2, concurrent: 10), now: start)
    var now = start
    var sent = 0
    for _ in 0..<1000 where sent < 20 {
      switch pace.turn(at: now) {
      case .go:
        sent += 1
        pace.end(.responded, at: now)
      case .wait(let pause): now += pause.seconds
      case .refused: Issue.record("nothing failed")
      }
    }
    #expect(sent == 20)
    // 2 requests are sent at once, and 18 requests follow at 5 per second.
    #expect(now.timeIntervalSince(start) > 3.5 && now.timeIntervalSince(start) < 3.8)
  }

  @Test("the number of concurrent requests stays within the limit")
  func concurrency() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 10, concurrent: 2), now: start)
    #expect(pace.turn(at: start) == .go)
    #expect(pace.turn(at: start) == .go)
    #expect(pace.turn(at: start) == .wait(.milliseconds(50)))
    pace.end(.responded, at: start)
    #expect(pace.turn(at: start) == .go)
  }

  @Test("a request whose transport fails or whose response is too large frees its slot")
  func places() async throws {
    let server = try LoopbackHTTPServer { _, _ in .json(["text": String(repeating: "x", count: 1000)]) }
    let environment = VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", transport: HTTPTransport(isReadOnly: true), now: { start },
      sleep: { _ in throw CancellationError() }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let http = VendorHTTP(
      vendor: "test", base: try HTTPURL(server.url), authentication: .none,
      pace: PaceSettings(perSecond: 1, burst: 9, concurrent: 1), environment: environment, paces: RequestPaces())
    let refused = await #expect(throws: TransportError.self) { try await http.send(VendorHTTP.Request("POST", ["a"])) }
    #expect(refused?.kind == .readOnly)
    let large = await #expect(throws: TransportError.self) {
      try await http.send(VendorHTTP.Request("GET", ["a"], responseLimit: 100))
    }
    #expect(large?.kind == .bodyTooLarge)
    #expect(try await http.send(VendorHTTP.Request("GET", ["a"])).status == 200)
    #expect(server.requests.map(\.method) == ["GET", "GET"])
  }

  @Test("after five failures in a row, requests are refused for a while, longer each time, until one succeeds")
  func circuit() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 100, concurrent: 2), now: start)
    for _ in 0..<RequestPace.breakAfter {
      #expect(pace.turn(at: start) == .go)
      pace.end(.failed("status 500"), at: start)
    }
    #expect(pace.turn(at: start) == .refused(.seconds(10), because: "status 500"))
    let later = start + 10
    #expect(pace.turn(at: later) == .go)
    pace.end(.failed("status 500"), at: later)
    #expect(pace.turn(at: later) == .refused(.seconds(20), because: "status 500"))
    #expect(pace.turn(at: later + 20) == .go)
    pace.end(.responded, at: later + 20)
    #expect(pace.turn(at: later + 20) == .go)
  }

  @Test("a retry time in a response delays all requests")
  func pause() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 100, concurrent: 2), now: start)
    #expect(pace.turn(at: start) == .go)
    pace.end(.pause(.seconds(7)), at: start)
    #expect(pace.turn(at: start + 6) == .wait(.seconds(1)))
    #expect(pace.turn(at: start + 7) == .go)
  }
}
