import Foundation
import HTTPTransport
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import Daemon

/// A notifier with a real store and a real loopback server.
struct NotifierTests {
  let folder: TemporaryFolder
  let clock = TestClock()
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let clock = clock
    store = try SQLiteStore(folder: folder.path + "/store", clock: { clock.now })
  }

  final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ pipeline: String, _ text: String) { lines.withLock { $0.append("\(pipeline) \(text)") } }
  }

  func notifier(_ reports: Reports, environment: [String: String]) -> Notifier {
    let clock = clock
    let count = Atomic(0)
    return Notifier(
      store: store, notices: store, transport: HTTPTransport(), credentials: Credentials(environment: environment),
      now: { clock.now }, newID: { "id-\(count.wrappingAdd(1, ordering: .relaxed).newValue)" },
      report: { reports.add($0, $1) })
  }

  func definition(_ notify: [NotificationSettings]) -> PipelineDefinition {
    PipelineDefinition(
      name: "birds", repository: RepositorySettings(url: "/srv/birds.git"),
      vendors: [VendorDefinition(kind: "pseudo")], notify: notify)
  }

  /// Records that the repository has been unreachable for an hour.
  func fail() async throws {
    clock.advance(by: -3600)
    try await store.setWatchFault("<!channel> *no* route & more", of: "birds")
    clock.advance(by: 3600)
  }

  func json(_ request: RecordedRequest) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
  }

  @Test("a signed message (Standard Webhooks) is sent when a problem begins, and another message when it ends")
  func standard() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 204) }
    let reports = Reports()
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let notifier = notifier(
      reports, environment: ["HOOK": "http://127.0.0.1:\(server.port)/hook", "SECRET": secret])
    let definition = definition([
      NotificationSettings(webhook: .environment("HOOK"), secret: .environment("SECRET"))
    ])
    await notifier.turn([definition])
    #expect(server.requests.isEmpty, "without a problem no message is sent")
    try await fail()
    for _ in 1...3 { await notifier.turn([definition]) }
    #expect(server.requests.count == 1)
    try await store.setWatchFault(nil, of: "birds")
    for _ in 1...3 { await notifier.turn([definition]) }
    #expect(server.requests.count == 2)
    for (request, state) in zip(server.requests, ["began", "ended"]) {
      let content = try #require(try json(request)["data"] as? [String: Any])
      #expect(content["pipeline"] as? String == "birds")
      let notices = try #require(content["notices"] as? [[String: String]])
      #expect(notices.map { $0["event"] } == ["repository-failing"] && notices.map { $0["state"] } == [state])
      let id = try #require(request.header("webhook-id"))
      let time = try #require(request.header("webhook-timestamp"))
      #expect(time == "\(Int(clock.now.timeIntervalSince1970))")
      let key = Array(try #require(Data(base64Encoded: String(secret.dropFirst(6)))))
      let code = ContentDigest.authentication(of: Array("\(id).\(time).".utf8), request.body, key: key)
      #expect(request.header("webhook-signature") == "v1," + Data(code).base64EncodedString())
    }
    #expect(Set(server.requests.map { $0.header("webhook-id") }).count == 2)
    #expect(reports.all.isEmpty)
  }

  @Test("removing a pipeline reports the end of its problems once, and deletes its notices")
  func removed() async throws {
    let server = try LoopbackHTTPServer { _, number in .respond(status: number == 1 ? 503 : 204) }
    let notifier = notifier(Reports(), environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([NotificationSettings(webhook: .environment("HOOK"))])
    try await fail()
    await notifier.turn([definition])
    await notifier.remove(definition)
    // Only the first attempt to report the end fails.
    for _ in 1...4 {
      await notifier.turn([])
      clock.advance(by: 60)
    }
    let notices = try server.requests.flatMap { request in
      try #require((try json(request)["data"] as? [String: Any])?["notices"] as? [[String: String]])
    }
    #expect(notices.map { $0["state"] } == ["began", "ended", "ended"])
    #expect(notices.last?["text"] == "the pipeline was removed (watch)")
    #expect(Set(server.requests.map { $0.header("webhook-id") }).count == 2)
    // If the pipeline is added again with the same fault, this is a new problem.
    await notifier.turn([definition])
    #expect(server.requests.count == 4)
  }

  @Test("a receiver gets only its selected events, and events beyond the limit of a message are only counted")
  func events() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let notifier = notifier(Reports(), environment: ["SLACK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([
      NotificationSettings(events: [.roundDelivered], webhook: .environment("SLACK"), format: .slack)
    ])
    try await fail()
    await notifier.turn([definition])
    #expect(server.requests.isEmpty)
    try await store.note(
      (1...30).map { .happen(NoticeTopic(.roundDelivered, "x\($0)"), text: "delivery \($0)", at: clock.now) },
      of: "birds", for: [("slack env:SLACK", [.roundDelivered])])
    await notifier.turn([definition])
    let blocks = try #require(try json(server.requests[0])["blocks"] as? [[String: Any]])
    #expect(blocks.count == 22)
    let last = (blocks.last?["text"] as? [String: Any])?["text"] as? String
    #expect(last == "… and 10 more; see `dragoman rounds list`")
  }

  @Test("no messages are sent in quiet hours, and one message with all events is sent afterwards")
  func quiet() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let notifier = notifier(Reports(), environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    // The clock starts at 22:13 UTC, which is 23:13 in Berlin.
    let definition = definition([
      NotificationSettings(
        webhook: .environment("HOOK"), quiet: DailyHours(start: 23 * 60, end: 7 * 60, zone: "Europe/Berlin"))
    ])
    try await fail()
    await notifier.turn([definition])
    clock.advance(by: 7 * 3600)
    try await store.setWatchFault(nil, of: "birds")
    await notifier.turn([definition])
    #expect(server.requests.isEmpty, "06:13 in Berlin")
    clock.advance(by: 3600)
    await notifier.turn([definition])
    let content = try #require(try json(server.requests[0])["data"] as? [String: Any])
    #expect((content["notices"] as? [[String: String]])?.map { $0["state"] } == ["began", "ended"])
    #expect(server.requests.count == 1)
  }

  @Test("a digest is sent after its interval, counted from its first event")
  func digest() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let notifier = notifier(Reports(), environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([
      NotificationSettings(webhook: .environment("HOOK"), digest: .seconds(3600))
    ])
    try await fail()
    await notifier.turn([definition])
    clock.advance(by: 3599)
    await notifier.turn([definition])
    #expect(server.requests.isEmpty)
    clock.advance(by: 1)
    await notifier.turn([definition])
    #expect(server.requests.count == 1)
  }

  @Test("two receivers with the same URL are kept separate, and texts with very many combining marks are shortened")
  func sameAddress() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let notifier = notifier(Reports(), environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([
      NotificationSettings(events: [.repositoryFailing], webhook: .environment("HOOK")),
      NotificationSettings(webhook: .environment("HOOK"), digest: .seconds(3600)),
    ])
    clock.advance(by: -3600)
    try await store.setWatchFault("a" + String(repeating: "\u{301}", count: 20_000), of: "birds")
    clock.advance(by: 3600)
    await notifier.turn([definition])
    #expect(server.requests.count == 1)
    #expect((server.requests.first?.body.count ?? 0) < 2000)
    clock.advance(by: 3600)
    await notifier.turn([definition])
    #expect(server.requests.count == 2)
  }
}
