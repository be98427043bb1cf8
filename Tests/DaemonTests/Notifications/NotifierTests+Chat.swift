import Foundation
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

@testable import Daemon

/// Slack and Teams as receivers.
extension NotifierTests {
  @Test("texts in messages to Slack and Teams are not interpreted as markup")
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

  @Test("a response of an old Teams connector with an error and status 200 counts as a failure")
  func teamsRefusal() async throws {
    let server = try LoopbackHTTPServer { _, number in
      number == 0
        ? .respond(
          status: 200,
          body: Array(
            "Webhook message delivery to /hook/s3cret-part failed with error: Microsoft Teams endpoint returned HTTP error 429"
              .utf8))
        : .respond(status: 202)
    }
    let reports = Reports()
    let notifier = notifier(reports, environment: ["TEAMS": "http://127.0.0.1:\(server.port)/hook/s3cret-part"])
    let definition = definition([NotificationSettings(webhook: .environment("TEAMS"), format: .teams)])
    try await fail()
    await notifier.turn([definition])
    #expect(reports.all.count == 1 && reports.all[0].contains("429"), "\(reports.all)")
    // The path of the URL is secret.
    #expect(reports.all[0].contains("/hook/REDACTED failed"), "\(reports.all)")
    clock.advance(by: 5)
    await notifier.turn([definition])
    #expect(server.requests.count == 2 && reports.all.count == 2)
  }
}
