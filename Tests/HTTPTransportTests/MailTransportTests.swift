import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

/// Mail through a real SMTP server on loopback. The checks of addresses and of cancelled tasks work without this server.
@Suite(.timeLimit(.minutes(10))) struct MailTransportTests {
  private static let content = Array("Subject: Hello\r\n\r\nSGVsbG8K\r\n".utf8)

  private func message(_ recipients: [String] = ["a@example.com", "b@example.com"]) -> MailMessage {
    MailMessage(sender: "l10n@example.com", recipients: recipients, content: Self.content)
  }

  private func server(_ smtp: SMTPServer, _ security: MailServer.Security, password: String = "hunter2:x") -> MailServer
  {
    MailServer(
      host: security == .none ? "127.0.0.1" : "localhost", port: smtp.port, security: security, user: "bot",
      password: Secret(password), certificateAuthorities: security == .none ? nil : smtp.certificate)
  }

  @Test("a message reaches all recipients without encryption, with STARTTLS and with TLS")
  func sends() async throws {
    for (mode, security) in [
      (SMTPServer.Mode.plain, MailServer.Security.none), (.starttls, .startTLS), (.tls, .tls),
    ] {
      let smtp = try await SMTPServer(mode)
      let to = server(smtp, security)
      try MailTransport.check(to)
      #expect(smtp.messages.isEmpty)
      try MailTransport.send(message(), through: to)
      let got = try #require(smtp.messages.first)
      #expect(got.hasPrefix("X-From: l10n@example.com\r\nX-To: a@example.com, b@example.com\r\n"))
      #expect(got.contains("X-TLS: \(security == .none ? "False" : "True")"))
      #expect(SMTPServer.body(got) == "Hello\n")
    }
  }

  @Test("no message is sent to a server that does not offer STARTTLS or has an unknown certificate")
  func encryption() async throws {
    let plain = try await SMTPServer(.plain)
    var to = server(plain, .none)
    to.security = .startTLS
    let missing = try #require(throws: TransportError.self) { try MailTransport.send(message(), through: to) }
    #expect(missing.kind == .tls, "\(missing)")
    #expect(plain.messages.isEmpty)
    for mode in [SMTPServer.Mode.starttls, .tls] {
      let smtp = try await SMTPServer(mode)
      var unknown = server(smtp, mode == .tls ? .tls : .startTLS)
      unknown.certificateAuthorities = nil
      let error = try #require(throws: TransportError.self) { try MailTransport.send(message(), through: unknown) }
      #expect(error.kind == .tls, "\(error)")
      #expect(smtp.messages.isEmpty)
    }
  }

  @Test("a login that the server repeats in its refusal is removed from the error message", arguments: [0, 480])
  func repeatedLogin(filler: Int) async throws {
    let smtp = try await SMTPServer(.plain)
    var to = server(smtp, .none, password: "s3cret-of-some-length")
    to.user = "parrot\(filler)"
    let login = try #require(throws: TransportError.self) { try MailTransport.send(message(), through: to) }
    #expect(login.detail.contains("the server replied: 535 \(String(repeating: "x", count: filler))"), "\(login)")
    #expect(filler > 0 || login.detail.contains("REDACTED REDACTED is wrong"), "\(login)")
    #expect(!"\(login)".contains("s3cret"), "\(login)")
    // Parts of the Base64 text are not shown either.
    #expect(!"\(login)".contains(Data("\0parrot".utf8).base64EncodedString().prefix(8)), "\(login)")
  }

  @Test("a refusal is reported with the server's message and without the password")
  func refusals() async throws {
    let smtp = try await SMTPServer(.plain)
    let login = try #require(throws: TransportError.self) {
      try MailTransport.send(message(), through: server(smtp, .none, password: "wrong"))
    }
    #expect(login.kind == .status(401) && login.detail.contains("535"), "\(login)")
    #expect(!"\(login)".contains("wrong"))
    let nobody = try #require(throws: TransportError.self) {
      try MailTransport.send(message(["a@example.com", "nobody@example.com"]), through: server(smtp, .none))
    }
    #expect(nobody.kind == .status(550) && nobody.detail.contains("no such user here"), "\(nobody)")
    #expect(smtp.messages.isEmpty, "the message goes to all recipients or to none")
    var refused = message()
    refused.content = Array("Subject: x\r\n\r\n\(Data("refuse-me".utf8).base64EncodedString())\r\n".utf8)
    let content = try #require(throws: TransportError.self) {
      try MailTransport.send(refused, through: server(smtp, .none))
    }
    #expect(content.kind == .status(554) && content.detail.contains("spam"), "\(content)")
    let gone = try #require(throws: TransportError.self) {
      try MailTransport.send(
        message(), through: MailServer(host: "127.0.0.1", port: try LoopbackPort.free(), security: .none))
    }
    #expect(gone.kind == .connectionFailed, "\(gone)")
  }

  @Test("a refused command after which the session went on is not the reason of a later failure")
  func earlierRefusal() async throws {
    let smtp = try await SMTPServer(.helo, login: ":")
    let to = MailServer(host: "127.0.0.1", port: smtp.port, security: .none)
    try MailTransport.send(message(), through: to)
    #expect(smtp.messages.count == 1)
    var lost = message()
    lost.sender = "hangup@example.com"
    let error = try #require(throws: TransportError.self) { try MailTransport.send(lost, through: to) }
    #expect(!"\(error)".contains("502") && !"\(error)".contains("the server replied"), "\(error)")
    #expect(error.kind == .connectionLost, "\(error)")
  }

  @Test(
    "an address that could end an SMTP command is refused before anything is sent",
    arguments: ["", "a", "a@", "@b", "a@b@c", "a b@c", "a@b\r\nRCPT TO:<x@y>", "<a@b>", "a@b,c@d", "é@example.com"])
  func addresses(_ address: String) {
    #expect(!MailTransport.isAddress(address))
    let to = MailServer(host: "127.0.0.1", port: 9, security: .none)
    let error = #expect(throws: TransportError.self) { try MailTransport.send(message([address]), through: to) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("a session ends when its task is cancelled")
  func cancelled() async throws {
    // This server accepts connections and never sends anything.
    let silent = try LoopbackHTTPServer { _, _ in .close }
    let flag = CancellationFlag()
    flag.cancel()
    let error = #expect(throws: TransportError.self) {
      try CancellationFlag.$current.withValue(flag) {
        try MailTransport.send(message(), through: MailServer(host: "127.0.0.1", port: silent.port, security: .none))
      }
    }
    #expect(error?.kind == .cancelled, "\(String(describing: error))")
  }
}
