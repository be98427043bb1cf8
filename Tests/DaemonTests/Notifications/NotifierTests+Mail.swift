import Foundation
import HTTPTransport
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

@testable import Daemon

/// Mail as a receiver.
extension NotifierTests {
  @Test("a mail is sent once to all recipients, and dropped after five permanent refusals")
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
    #expect(reports.all.contains { $0.contains("the server replied: 554 5.7.1 rejected as spam") }, "\(reports.all)")
    #expect(reports.all.contains { $0.contains("was refused 5 times and is dropped") }, "\(reports.all)")
    #expect(!reports.all.contains { $0.contains("hunter2") })
  }

  @Test("texts in a mail cannot add headers to it")
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
