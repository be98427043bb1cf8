import Foundation
import HTTPTransport
import Localization
import Pipeline

/// The body of the HTTP request that carries a message, in the format of the receiver.
///
/// The text of a message may come from repositories and vendors. The text is put into fields that the chat services show as plain text, or is
/// escaped, so links, mentions and images in it have no effect.
struct NoticeBody {
  /// The maximum number of lines in a chat message. Further lines are only counted, because Slack and Teams refuse long messages.
  private static let shownLines = 20

  let message: NoticeMessage
  let settings: NotificationSettings

  /// Returns the request that sends the message.
  /// - Parameters:
  ///   - secret: the key for the signature, used only with the format `standard`.
  ///   - now: the current time in seconds since 1970.
  /// - Throws: `PipelineError` if the secret cannot be used.
  func request(to url: HTTPURL, secret: Secret?, now: Int64) throws -> HTTPRequest {
    let body: [UInt8]
    var headers = [(name: "Content-Type", value: "application/json")]
    switch settings.format {
    case .slack: body = try Self.json(slack)
    case .teams: body = try Self.json(teams)
    case .standard:
      body = try Self.json(Envelope(message))
      let id = "msg_" + message.id
      headers += [("webhook-id", id), ("webhook-timestamp", String(now))]
      if let secret {
        let key = try Self.key(secret)
        let code = ContentDigest.authentication(of: Array("\(id).\(now).".utf8), body, key: key)
        headers.append(("webhook-signature", "v1," + Data(code).base64EncodedString()))
      }
    }
    var request = HTTPRequest(
      "POST", url, headers: headers, body: .bytes(body), deadlines: Deadlines(whole: .seconds(30)))
    // Redirects are not followed, because a redirected request would not contain the message.
    request.followsRedirects = false
    return request
  }

  /// Returns the key in a secret of Standard Webhooks. The secret is the key in Base64, usually with the prefix `whsec_`.
  /// - Throws: `PipelineError` if the secret does not have this form.
  static func key(_ secret: Secret) throws -> [UInt8] {
    let text = secret.reveal()
    let encoded = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
    guard let key = Data(base64Encoded: encoded), key.count >= 16 else {
      throw PipelineError(
        .refused, operation: "sign a notification",
        detail: "the secret is not base64 of 16 or more bytes, with or without whsec_ before it. Make one with: "
          + "echo whsec_$(openssl rand -base64 32)", disposition: .askPerson)
    }
    return Array(key)
  }

  // MARK: Standard Webhooks

  /// The payload of the format `standard` (docs/reference/pipelines.md).
  private struct Envelope: Encodable {
    struct Content: Encodable {
      var pipeline: String
      var notices: [Line]
    }

    struct Line: Encodable {
      var event: String
      var state: String
      var text: String
      var at: String
    }

    let type = "dragoman.notices"
    let timestamp: String
    let data: Content

    init(_ message: NoticeMessage) {
      // The timestamp is taken from the newest line, so a message that is sent again has the same content.
      timestamp = (message.lines.map(\.at).max() ?? .distantPast).formatted(.iso8601)
      data = Content(
        pipeline: message.pipeline,
        notices: message.lines.map {
          Line(event: $0.event.rawValue, state: $0.state.rawValue, text: $0.text, at: $0.at.formatted(.iso8601))
        })
    }
  }

  // MARK: Chat

  private var title: String { "Dragoman: \(message.pipeline)" }

  private var lines: [String] {
    let shown = message.lines.prefix(Self.shownLines).map(\.marked)
    let rest = message.lines.count - shown.count
    return rest > 0 ? shown + ["… and \(rest) more; see `dragoman rounds list`"] : shown
  }

  private struct SlackMessage: Encodable {
    struct Text: Encodable {
      var type = "plain_text"
      var text: String
      var emoji = false
    }

    struct Block: Encodable {
      var type: String
      var text: Text
    }

    /// The text for notifications and for clients that do not support blocks. Channels show the blocks instead.
    var text: String
    var blocks: [Block]
  }

  private var slack: SlackMessage {
    // Slack interprets markup only in this field. The three special characters of the markup must be escaped.
    let text = ([title] + lines).joined(separator: "\n").escapedForMarkupText
    return SlackMessage(
      text: text,
      blocks: [SlackMessage.Block(type: "header", text: SlackMessage.Text(text: title))]
        + lines.map { SlackMessage.Block(type: "section", text: SlackMessage.Text(text: $0)) })
  }

  private struct TeamsMessage: Encodable {
    struct Attachment: Encodable {
      var contentType = "application/vnd.microsoft.card.adaptive"
      var content: Card
    }

    struct Card: Encodable {
      enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case type, version, body
      }

      var schema = "http://adaptivecards.io/schemas/adaptive-card.json"
      var type = "AdaptiveCard"
      var version = "1.4"
      var body: [Element]
    }

    /// A rich text block. Teams does not interpret Markdown in it, unlike in a text block.
    struct Element: Encodable {
      struct Run: Encodable {
        var type = "TextRun"
        var text: String
        var weight: String?
      }

      var type = "RichTextBlock"
      var inlines: [Run]
    }

    var type = "message"
    var attachments: [Attachment]
  }

  private var teams: TeamsMessage {
    let body =
      [TeamsMessage.Element(inlines: [TeamsMessage.Element.Run(text: title, weight: "Bolder")])]
      + lines.map { TeamsMessage.Element(inlines: [TeamsMessage.Element.Run(text: $0)]) }
    return TeamsMessage(attachments: [TeamsMessage.Attachment(content: TeamsMessage.Card(body: body))])
  }

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }
}

extension NoticeLine {
  /// The text, which begins with a symbol for the state of the notice.
  var marked: String {
    switch state {
    case .began: "⚠ \(text)"
    case .ended: "✓ \(text)"
    case .happened: "• \(text)"
    }
  }
}
