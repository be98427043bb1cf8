import FoundationEssentials
import Localization
import Testing

@testable import TranslationVendors

@Suite("The pace of requests")
struct RequestPaceTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("a burst goes at once, then requests follow at the rate, and every wait ends")
  func rate() {
    let pace = RequestPace(PaceSettings(perSecond: 5, burst: 2, concurrent: 10), now: start)
    var now = start
    var sent = 0
    for _ in 0..<1000 where sent < 20 {
      switch pace.turn(at: now) {
      case .go:
        sent += 1
        pace.end(.answered, at: now)
      case .wait(let pause): now += pause.seconds
      case .refused: Issue.record("nothing failed")
      }
    }
    #expect(sent == 20)
    // 2 at once, 18 at 5 a second.
    #expect(now.timeIntervalSince(start) > 3.5 && now.timeIntervalSince(start) < 3.8)
  }

  @Test("no more requests run at the same time than allowed")
  func concurrency() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 10, concurrent: 2), now: start)
    #expect(pace.turn(at: start) == .go)
    #expect(pace.turn(at: start) == .go)
    #expect(pace.turn(at: start) == .wait(.milliseconds(50)))
    pace.end(.answered, at: start)
    #expect(pace.turn(at: start) == .go)
  }

  @Test("after five failures in a row requests are refused for a while, longer each time, until one succeeds")
  func circuit() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 100, concurrent: 2), now: start)
    for _ in 0..<RequestPace.breakAfter {
      #expect(pace.turn(at: start) == .go)
      pace.end(.failed, at: start)
    }
    #expect(pace.turn(at: start) == .refused(.seconds(10)))
    let later = start + 10
    #expect(pace.turn(at: later) == .go)
    pace.end(.failed, at: later)
    #expect(pace.turn(at: later) == .refused(.seconds(20)))
    #expect(pace.turn(at: later + 20) == .go)
    pace.end(.answered, at: later + 20)
    #expect(pace.turn(at: later + 20) == .go)
  }

  @Test("a pause that the server asks for holds everybody")
  func pause() {
    let pace = RequestPace(PaceSettings(perSecond: 100, burst: 100, concurrent: 2), now: start)
    #expect(pace.turn(at: start) == .go)
    pace.end(.pause(.seconds(7)), at: start)
    #expect(pace.turn(at: start + 6) == .wait(.seconds(1)))
    #expect(pace.turn(at: start + 7) == .go)
  }
}
