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

/// A notifier with a real store and a real server on loopback.
struct NotifierTests {
  private let folder: TemporaryFolder
  private let clock = TestClock()
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let clock = clock
    store = try SQLiteStore(folder: folder.path + "/store", clock: { clock.now })
  }

  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ pipeline: String, _ text: String) { lines.withLock { $0.append("\(pipeline) \(text)") } }
  }

  private func notifier(_ reports: Reports, environment: [String: String]) -> Notifier {
    let clock = clock
    let count = Atomic(0)
    return Notifier(
      store: store, notices: store, transport: HTTPTransport(), credentials: Credentials(environment: environment),
      now: { clock.now }, newID: { "id-\(count.wrappingAdd(1, ordering: .relaxed).newValue)" },
      report: { reports.add($0, $1) })
  }

  private func definition(_ notify: [NotificationSettings]) -> PipelineDefinition {
    PipelineDefinition(
      name: "birds", repository: RepositorySettings(url: "/srv/birds.git"),
      vendors: [VendorDefinition(kind: "pseudo")], notify: notify)
  }

  /// The repository fails since an hour.
  private func fail() async throws {
    clock.advance(by: -3600)
    try await store.setWatchFault("<!channel> *no* route & more", of: "birds")
    clock.advance(by: 3600)
  }

  private func json(_ request: RecordedRequest) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
  }

  @Test("a problem is sent once and its end once, signed as Standard Webhooks say")
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
    #expect(server.requests.isEmpty, "nothing is wrong")
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

  @Test("after a failure the same message is sent again, later and later, and no report shows the URL")
  func repeats() async throws {
    let server = try LoopbackHTTPServer { _, number in
      switch number {
      case 0: .close
      case 1: .respond(status: 503)
      case 2: .respond(status: 404)
      default: .respond(status: 200)
      }
    }
    let reports = Reports()
    let notifier = notifier(
      reports, environment: ["HOOK": "http://127.0.0.1:\(server.port)/services/hunter2?key=hunter2"])
    let definition = definition([NotificationSettings(webhook: .environment("HOOK"))])
    try await fail()
    await notifier.turn([definition])
    await notifier.turn([definition])
    #expect(server.requests.count == 1, "it waits before it tries again")
    for wait in [5.0, 10, 20] {
      clock.advance(by: wait)
      await notifier.turn([definition])
      await notifier.turn([definition])
    }
    #expect(server.requests.count == 4)
    #expect(Set(server.requests.map { $0.header("webhook-id") }).count == 1)
    #expect(Set(server.requests.map(\.body)).count == 1)
    #expect(reports.all.count == 4, "\(reports.all)")
    #expect(reports.all.last == "birds notify standard env:HOOK: working again after 3 failures")
    #expect(reports.all[2].contains("404") && reports.all[2].contains("make a new one"), "\(reports.all[2])")
    #expect(!reports.all.contains { $0.contains("hunter2") }, "\(reports.all)")
  }

  @Test("Slack and Teams get texts as plain text")
  func chat() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200, body: Array("1".utf8)) }
    let address = "http://127.0.0.1:\(server.port)"
    let notifier = notifier(Reports(), environment: ["SLACK": address + "/slack", "TEAMS": address + "/teams"])
    let definition = definition([
      NotificationSettings(webhook: .environment("SLACK"), format: .slack),
      NotificationSettings(webhook: .environment("TEAMS"), format: .teams),
    ])
    try await fail()
    await notifier.turn([definition])
    #expect(server.requests.map(\.target).sorted() == ["/slack", "/teams"])
    for request in server.requests {
      let message = try json(request)
      if request.target == "/slack" {
        let text = try #require(message["text"] as? String)
        #expect(text.hasPrefix("Dragoman: birds\n⚠ the repository"), "\(text)")
        #expect(text.contains("&lt;!channel&gt; *no* route &amp; more"), "\(text)")
        let blocks = try #require(message["blocks"] as? [[String: Any]])
        let texts = blocks.compactMap { $0["text"] as? [String: Any] }
        #expect(texts.count == 2 && texts.allSatisfy { $0["type"] as? String == "plain_text" })
        #expect((texts.last?["text"] as? String)?.hasSuffix("<!channel> *no* route & more") == true)
      } else {
        let card = try #require((message["attachments"] as? [[String: Any]])?.first?["content"] as? [String: Any])
        let body = try #require(card["body"] as? [[String: Any]])
        #expect(body.count == 2 && body.allSatisfy { $0["type"] as? String == "RichTextBlock" })
      }
    }
  }

  @Test("Teams' old connectors refuse with the status 200, which is a failure")
  func teamsRefusal() async throws {
    let server = try LoopbackHTTPServer { _, number in
      number == 0
        ? .respond(
          status: 200,
          body: Array(
            "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429".utf8))
        : .respond(status: 202)
    }
    let reports = Reports()
    let notifier = notifier(reports, environment: ["TEAMS": "http://127.0.0.1:\(server.port)"])
    let definition = definition([NotificationSettings(webhook: .environment("TEAMS"), format: .teams)])
    try await fail()
    await notifier.turn([definition])
    #expect(reports.all.count == 1 && reports.all[0].contains("429"), "\(reports.all)")
    clock.advance(by: 5)
    await notifier.turn([definition])
    #expect(server.requests.count == 2 && reports.all.count == 2)
  }

  @Test("only the events that a receiver wants are sent, and those of long lists are counted")
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

  @Test("in quiet hours nothing is sent; afterwards one message has everything")
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

  @Test("a digest waits from its first line on")
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

  @Test(
    "a URL that cannot be used is reported without it",
    arguments: [
      ("", "is not set"), ("http://example.com/hunter2", "begins with http://"), ("hunter2", "is not a URL"),
      ("https://u:hunter2@example.com/x", "user name or a password"),
    ])
  func addresses(_ address: String, _ wanted: String) async throws {
    let reports = Reports()
    let notifier = notifier(reports, environment: ["HOOK": address])
    try await fail()
    await notifier.turn([definition([NotificationSettings(webhook: .environment("HOOK"))])])
    #expect(reports.all.count == 1 && reports.all[0].contains(wanted), "\(reports.all)")
    #expect(!reports.all.contains { $0.contains("hunter2") })
  }

  @Test("a message that is refused for its content is dropped at last, and what stands behind it arrives")
  func refusedContent() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      String(decoding: request.body, as: UTF8.self).contains("no* route")
        ? .respond(status: 400) : .respond(status: 200)
    }
    let reports = Reports()
    let notifier = notifier(reports, environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([NotificationSettings(webhook: .environment("HOOK"))])
    try await fail()
    for _ in 1...5 {
      await notifier.turn([definition])
      clock.advance(by: 900)
    }
    #expect(server.requests.count == 5)
    #expect(reports.all.count == 3, "\(reports.all)")
    #expect(reports.all.contains { $0.contains("was refused 5 times and is dropped") })
    try await store.setWatchFault(nil, of: "birds")
    await notifier.turn([definition])
    #expect(server.requests.count == 6)
  }

  @Test("a redirect is no success, and a long answer is one")
  func answers() async throws {
    let server = try LoopbackHTTPServer { _, number in
      number == 0
        ? .respond(status: 303, headers: [("Location", "/login")])
        : .respond(status: 200, body: [UInt8](repeating: 0x20, count: 1 << 20))
    }
    let reports = Reports()
    let notifier = notifier(reports, environment: ["HOOK": "http://127.0.0.1:\(server.port)"])
    let definition = definition([NotificationSettings(webhook: .environment("HOOK"))])
    try await fail()
    await notifier.turn([definition])
    #expect(reports.all.count == 1 && reports.all[0].contains("303"), "\(reports.all)")
    clock.advance(by: 5)
    await notifier.turn([definition])
    await notifier.turn([definition])
    #expect(server.requests.map(\.method) == ["POST", "POST"])
  }

  @Test("two entries of one URL are told apart, and texts with countless marks are short")
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

  @Test("one receiver that fails does not keep another one waiting, and a bad secret is named")
  func independence() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let reports = Reports()
    let notifier = notifier(
      reports, environment: ["HOOK": "http://127.0.0.1:\(server.port)", "SECRET": "hunter2"])
    let definition = definition([
      NotificationSettings(webhook: .file(folder.file("nothing"))),
      NotificationSettings(webhook: .environment("HOOK"), format: .slack),
      NotificationSettings(webhook: .environment("HOOK"), secret: .environment("SECRET")),
    ])
    try await fail()
    await notifier.turn([definition])
    #expect(server.requests.count == 1)
    #expect(reports.all.count == 2, "\(reports.all)")
    #expect(reports.all.contains { $0.contains("base64") } && !reports.all.contains { $0.contains("hunter2") })
  }

  @Test("mail is sent once to all recipients, and what a server refuses for good is dropped at last")
  func mail() async throws {
    let server = try await SMTPServer()
    let reports = Reports()
    let notifier = notifier(reports, environment: ["MAIL": SMTPServer.login])
    let settings = NotificationSettings(
      webhook: .none,
      mail: MailSettings(
        recipients: ["a@example.com", "b@example.com"], host: "127.0.0.1", port: server.port, isEncryptedAtOnce: false,
        senderName: "Übersetzung", sender: "l10n@example.com", credentials: .environment("MAIL")))
    let definition = definition([settings])
    try await fail()
    for _ in 1...3 { await notifier.turn([definition]) }
    #expect(reports.all.isEmpty, "\(reports.all)")
    let message = try #require(server.messages.first)
    #expect(server.messages.count == 1)
    #expect(message.contains("X-To: a@example.com, b@example.com\r\n"))
    #expect(message.contains("\r\nMessage-ID: <id-"))
    #expect(message.contains("\r\nFrom: =?utf-8?B?w5xiZXJzZXR6dW5n?= <l10n@example.com>\r\n"), "\(message)")
    #expect(message.contains("\r\nAuto-Submitted: auto-generated\r\n"))
    #expect(SMTPServer.body(message).contains("<!channel> *no* route & more"))
    try await store.setWatchFault(nil, of: "birds")
    await notifier.turn([definition])
    #expect(server.messages.count == 2)
    clock.advance(by: -3600)
    try await store.setWatchFault("refuse-me", of: "birds")
    clock.advance(by: 3600)
    for _ in 1...5 {
      await notifier.turn([definition])
      clock.advance(by: 900)
    }
    #expect(reports.all.contains { $0.contains("the server answered: 554 5.7.1 rejected as spam") }, "\(reports.all)")
    #expect(reports.all.contains { $0.contains("was refused 5 times and is dropped") }, "\(reports.all)")
    #expect(!reports.all.contains { $0.contains("hunter2") })
  }

  @Test("headers of mail carry any text without a line of its own")
  func mailHeaders() {
    let settings = MailSettings(
      recipients: ["a@example.com"], host: "127.0.0.1", port: 25, isEncryptedAtOnce: false, senderName: "A \"B\" \\",
      sender: "l10n@example.com")
    let text = "x\u{1F426}" + String(repeating: "ü", count: 300)
    let line = NoticeLine(event: .unitsHeld, state: .began, text: text, at: clock.now)
    let mail = NoticeMail(
      message: NoticeMessage(id: "id", pipeline: "birds", receiver: "r", lines: [line]), settings: settings)
    let lines = String(decoding: mail.letter(now: clock.now).content, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }, "\(lines)")
    #expect(lines.first == #"From: "A \"B\" \\" <l10n@example.com>"#, "\(lines)")
    #expect(lines.contains("Date: Tue, 14 Nov 2023 22:13:20 +0000"), "\(lines)")
    #expect(NoticeMail.words("plain") == "plain" && NoticeMail.words("=?x").hasPrefix("=?utf-8?B?"))
  }
}
