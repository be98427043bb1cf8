import Foundation
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

@testable import Daemon

/// Receivers that are unusable, fail or refuse messages.
extension NotifierTests {
  @Test("after a failure the same message is sent again at growing intervals, and the URL is never reported")
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
    #expect(server.requests.count == 1, "there is no second attempt before the interval has passed")
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

  @Test(
    "an unusable URL is reported without the URL itself",
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

  @Test("a message whose content is refused is dropped after five attempts, and later messages are sent")
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

  @Test("a redirect counts as a failure, and a long response as a success")
  func responses() async throws {
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

  @Test("a failing receiver does not delay other receivers, and an invalid secret is reported")
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
}
