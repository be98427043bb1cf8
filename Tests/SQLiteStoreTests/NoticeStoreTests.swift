import Foundation
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

struct NoticeStoreTests {
  private let folder: TemporaryFolder
  private let clock = TestClock()

  init() throws { folder = try TemporaryFolder() }

  private func store() throws -> SQLiteStore { try SQLiteStore(folder: folder.path, clock: { [clock] in clock.now }) }

  private let topic = NoticeTopic(.vendorFailing, "push", vendor: "weblate")
  private let all: Set<NoticeEvent> = Set(NoticeEvent.allCases)

  @Test("a problem is open until it ends, and each receiver gets lines only for its events")
  func life() async throws {
    let store = try store()
    let now = clock.now
    #expect(try await store.noticeBook(of: "birds") == NoticeBook(since: now))
    clock.advance(by: 60)
    let happened = NoticeTopic(.roundDelivered, "7")
    try await store.note(
      [.begin(topic, text: "push fails", at: now), .happen(happened, text: "delivered", at: now + 1)], of: "birds",
      for: [("slack a", all), ("teams b", [.roundDelivered])])
    let book = try await store.noticeBook(of: "birds")
    #expect(book.since == now, "the first poll determines the time")
    #expect(book.open.map(\.topic) == [topic] && book.happened == [happened])
    #expect(try await store.noticeBook(of: "other").open.isEmpty)
    #expect(try await store.waitingNotices(of: "birds") == ["slack a": now, "teams b": now + 1])
    let notice = try #require(book.open.first)
    #expect(notice.told == ["slack a"])
    try await store.note([.end(notice, text: "works", at: now + 2)], of: "birds", for: [("slack a", all)])
    #expect(try await store.noticeBook(of: "birds").open.isEmpty)
    let message = try #require(try await store.nextMessage(of: "birds", for: "slack a", id: "1", limit: 9))
    #expect(message.lines.map(\.text) == ["push fails", "delivered", "works"])
    #expect(message.lines.map(\.state) == [.began, .happened, .ended])
    try await store.settle(message)
    let known = NoticeTopic(.roundDelivered, "8")
    try await store.note([.skip(known, at: now)], of: "birds", for: [("slack a", all)])
    #expect(try await store.noticeBook(of: "birds").happened == [happened, known])
    #expect(try await store.nextMessage(of: "birds", for: "slack a", id: "2", limit: 9) == nil)
  }

  @Test("a message that was started keeps its id and lines until it is settled, even in another process")
  func messages() async throws {
    let now = clock.now
    do {
      let store = try store()
      for number in 1...3 {
        try await store.note(
          [.happen(NoticeTopic(.roundDelivered, "\(number)"), text: "\(number)", at: now)], of: "birds",
          for: [("slack a", all)])
      }
      let first = try #require(try await store.nextMessage(of: "birds", for: "slack a", id: "one", limit: 2))
      #expect(first.lines.map(\.text) == ["1", "2"])
      try await store.note(
        [.happen(NoticeTopic(.roundDelivered, "4"), text: "4", at: now)], of: "birds", for: [("slack a", all)])
    }
    let store = try store()
    let again = try #require(try await store.nextMessage(of: "birds", for: "slack a", id: "two", limit: 9))
    #expect(again.id == "one" && again.lines.map(\.text) == ["1", "2"])
    try await store.settle(again)
    let next = try #require(try await store.nextMessage(of: "birds", for: "slack a", id: "three", limit: 9))
    #expect(next.id == "three" && next.lines.map(\.text) == ["3", "4"])
    try await store.settle(next)
    #expect(try await store.nextMessage(of: "birds", for: "slack a", id: "four", limit: 9) == nil)
    #expect(try await store.waitingNotices(of: "birds").isEmpty)
  }

  @Test("old ended notices and lines for removed receivers are deleted, and open problems are kept")
  func pruning() async throws {
    let store = try store()
    let now = clock.now
    try await store.note(
      [
        .begin(topic, text: "old and open", at: now - 1000),
        .happen(NoticeTopic(.roundDelivered, "1"), text: "old", at: now - 1000),
        .happen(NoticeTopic(.roundDelivered, "2"), text: "new", at: now),
      ], of: "birds", for: [("slack a", all), ("slack gone", all)])
    try await store.pruneNotices(of: "birds", keeping: ["slack a"], olderThan: now - 500)
    let book = try await store.noticeBook(of: "birds")
    #expect(book.open.map(\.topic) == [topic])
    #expect(book.happened == [NoticeTopic(.roundDelivered, "2")])
    #expect(try await store.waitingNotices(of: "birds").keys.sorted() == ["slack a"])
  }

  @Test("a new receiver is notified of open problems; the end of a problem is sent to the receivers of its beginning")
  func lateReceivers() async throws {
    let store = try store()
    let now = clock.now
    try await store.note([.begin(topic, text: "push fails", at: now)], of: "birds", for: [("a", [.roundDelivered])])
    #expect(try await store.waitingNotices(of: "birds").isEmpty)
    for _ in 1...2 { try await store.note([], of: "birds", for: [("a", all), ("b", [.unitsHeld])]) }
    let message = try #require(try await store.nextMessage(of: "birds", for: "a", id: "1", limit: 9))
    #expect(message.lines == [NoticeLine(event: .vendorFailing, state: .began, text: "push fails", at: now)])
    try await store.settle(message)
    let notice = try #require(try await store.noticeBook(of: "birds").open.first)
    try await store.note([.end(notice, text: "works", at: now)], of: "birds", for: [("a", all), ("c", all)])
    #expect(
      try await store.waitingNotices(of: "birds").keys.sorted() == ["a"], "receiver c was never notified of the problem"
    )
  }

  @Test("a renamed vendor keeps its open problems")
  func renamedVendor() async throws {
    let store = try store()
    try await store.record([.plan(StoreConformance.round(["a"], vendor: "weblate"))], of: "birds")
    try await store.note([.begin(topic, text: "push fails", at: clock.now)], of: "birds", for: [("a", all)])
    try await store.renameVendor("weblate", to: "new", joining: false, of: "birds")
    #expect(
      try await store.noticeBook(of: "birds").open.map(\.topic) == [NoticeTopic(.vendorFailing, "push", vendor: "new")])
  }

  @Test("a pipeline that loses its receivers has no notices left when it gets receivers again")
  func ended() async throws {
    let store = try store()
    _ = try await store.noticeBook(of: "birds")
    try await store.note([.begin(topic, text: "push fails", at: clock.now)], of: "birds", for: [("a", all)])
    clock.advance(by: 60)
    for _ in 1...2 { try await store.endNotices(of: "birds") }
    #expect(try await store.noticeBook(of: "birds") == NoticeBook(since: clock.now))
    #expect(try await store.waitingNotices(of: "birds").isEmpty)
  }

  @Test("a renamed pipeline keeps its notices")
  func rename() async throws {
    let store = try store()
    _ = try await store.noticeBook(of: "birds")
    try await store.note([.begin(topic, text: "fails", at: clock.now)], of: "birds", for: [("slack a", all)])
    try await store.takeOver(["birds"], by: "ducks")
    #expect(try await store.noticeBook(of: "ducks").open.map(\.topic) == [topic])
    #expect(try await store.waitingNotices(of: "ducks").count == 1)
  }
}
