import Foundation
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

/// The mail that carries a message. It is one plain-text mail to all recipients.
struct NoticeMail {
  let message: NoticeMessage
  let settings: MailSettings

  /// Returns the mail server, with the user and the password.
  /// - Parameter secret: `user:password`, or only the password of the user whose name is the sender's address.
  static func server(_ settings: MailSettings, _ secret: Secret?) -> MailServer {
    var server = MailServer(
      host: settings.host, port: settings.port,
      security: settings.isEncryptedAtOnce ? .tls : Address.isLocal(settings.host) ? .none : .startTLS)
    if let text = secret?.reveal() {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      (server.user, server.password) =
        parts.count == 2 ? (parts[0], Secret(parts[1])) : (settings.sender, Secret(text))
    }
    return server
  }

  /// Returns the mail. Its `Message-ID` contains the id of the message, so mail programs can recognize a mail that is sent again.
  func letter(now: Date) -> MailMessage {
    let domain = settings.sender.split(separator: "@").last ?? "localhost"
    let headers = [
      "From: \(Self.phrase(settings.senderName)) <\(settings.sender)>",
      "To: " + settings.recipients.joined(separator: ",\r\n "),
      "Subject: \(Self.words("Dragoman: \(message.pipeline): \(subject)"))",
      "Date: \(Self.date(now))",
      "Message-ID: <\(message.id)@\(domain)>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
    ]
    let text = message.lines.map { "\($0.marked)\r\n    \($0.event.rawValue), \($0.at.formatted(.iso8601))\r\n" }
    let footer = "\r\n--\r\nDragoman, pipeline \(message.pipeline). `dragoman rounds` shows the current state.\r\n"
    let content = headers.joined(separator: "\r\n") + "\r\n\r\n" + Self.base64(text.joined() + footer)
    return MailMessage(sender: settings.sender, recipients: settings.recipients, content: Array(content.utf8))
  }

  private var subject: String {
    guard message.lines.count == 1, let line = message.lines.first else { return "\(message.lines.count) notices" }
    let text = line.text.unicodeScalars
    return text.count > 100 ? String(String.UnicodeScalarView(text.prefix(99))) + "…" : line.text
  }

  /// Returns a date in the format of RFC 5322, which requires English names and numeric time zones.
  private static func date(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "UTC")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss +0000"
    return format.string(from: date)
  }

  /// Returns free text as the value of a header. Plain ASCII is returned unchanged if it has at most 900 bytes and no `=?`. Any other text is
  /// returned as encoded words of RFC 2047, each on its own line.
  static func words(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    guard !isPlain || text.utf8.count > 900 else { return text }
    var words: [String] = []
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      // 39 bytes become 52 characters, so a line has at most 76 characters, including the name of the field. Characters are not split.
      var part = String.UnicodeScalarView()
      var bytes = 0
      while let next = rest.first, bytes + UTF8.width(next) <= 39 {
        part.append(next)
        bytes += UTF8.width(next)
        rest.removeFirst()
      }
      words.append("=?utf-8?B?\(Data(String(part).utf8).base64EncodedString())?=")
    }
    return words.joined(separator: "\r\n ")
  }

  /// Returns a sender's name as it is written in a header: as a quoted string, or as encoded words if it is not plain ASCII.
  private static func phrase(_ name: String) -> String {
    guard name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return words(name) }
    return "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Returns the Base64 of a text, in lines of 76 characters.
  private static func base64(_ text: String) -> String {
    let code = Array(Data(text.utf8).base64EncodedString().utf8)
    return stride(from: 0, to: code.count, by: 76)
      .map { String(decoding: code[$0..<min($0 + 76, code.count)], as: UTF8.self) + "\r\n" }.joined()
  }
}
