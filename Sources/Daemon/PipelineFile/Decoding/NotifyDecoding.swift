import Foundation
internal import HTTPTransport
internal import Localization
internal import Pipeline
internal import TranslationVendors

extension Field {
  func notifications() -> [NotificationSettings] {
    guard let items = items("a list of notifications") else { return [] }
    return items.compactMap { Section<NotifyKey>($0)?.settings() }
  }

  /// Reads a range of hours such as `22:00-07:00`. The start and the end are returned in minutes since midnight, and are never equal.
  fileprivate func hours() -> (start: Int, end: Int)? {
    guard let text = text("hours such as 22:00-07:00") else { return nil }
    let minutes = text.split(separator: "-", omittingEmptySubsequences: false).map { part -> Int? in
      let numbers = part.split(separator: ":", omittingEmptySubsequences: false)
      guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(Self.isDigit) }),
        let hour = Int(numbers[0]), let minute = Int(numbers[1]), hour < 24, minute < 60
      else { return nil }
      return hour * 60 + minute
    }
    guard minutes.count == 2, let start = minutes[0], let end = minutes[1], start != end else {
      report("\(shown) is not a range of hours", hint: "write them as 22:00-07:00")
      return nil
    }
    return (start, end)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  fileprivate func timeZone() -> String? {
    guard let text = text("a time zone") else { return nil }
    guard TimeZone(identifier: text) != nil else {
      report("\(shown) is not a time zone that this machine knows", hint: "write a name such as Europe/Berlin, or UTC")
      return nil
    }
    return text
  }
}

extension Section<NotifyKey> {
  fileprivate func settings() -> NotificationSettings? {
    let events = self[.on]?.items("a list of events", example: "[units-held]")?
      .distinct({ (field: Field) -> NoticeEvent? in field.choice() }, sameAs: { $0 }).map(\.value)
    if let field = self[.on], case .list(let list) = field.value.content, list.isEmpty {
      field.report("is an empty list", hint: "add an event, or remove the key for all events")
    }
    let zone = self[.zone].flatMap { $0.timeZone() }
    let quiet = self[.quiet].flatMap { $0.hours() }
    if self[.quiet] == nil { self[.zone]?.report("has no effect without `quiet`", hint: "remove it") }
    let digest = self[.digest].flatMap { $0.duration() } ?? .zero
    guard var settings = self[.mail] == nil ? webhook() : mail() else { return nil }
    settings.events = events.map(Set.init) ?? Set(NoticeEvent.allCases)
    settings.quiet = quiet.map { DailyHours(start: $0.start, end: $0.end, zone: zone ?? "UTC") }
    settings.digest = digest
    return settings
  }

  private func webhook() -> NotificationSettings? {
    for key in [NotifyKey.server, .from, .credentials] {
      self[key]?.report("has no effect without `mail`", hint: "remove it")
    }
    let format: NotificationSettings.Format = self[.format].flatMap { $0.choice() } ?? .standard
    let secret = self[.secret].flatMap { $0.secretReference() } ?? .none
    if format != .standard {
      self[.secret]?.report(
        "has no effect with `format: \(format.rawValue)`, which has no signatures", hint: "remove it")
    }
    guard let field = self[.webhook] else {
      field.report("the key `webhook` is missing", hint: "add it, or `mail` with `server` and `from`")
      return nil
    }
    return field.secretReference(isOptional: false).map {
      NotificationSettings(webhook: $0, format: format, secret: secret)
    }
  }

  private func mail() -> NotificationSettings? {
    for key in [NotifyKey.webhook, .format, .secret] {
      self[key]?.report("has no effect with `mail`", hint: "remove it, or make two entries")
    }
    for key in [NotifyKey.server, .from] where self[key] == nil {
      field.report("the key `\(key.rawValue)` is missing", hint: "add it; `mail` needs it")
    }
    let recipients = self[.mail]?.oneOrMore { $0.mailAddress() } ?? []
    if let list = self[.mail], recipients.isEmpty, case .list = list.value.content {
      list.report("has no address", hint: "write addresses such as l10n@example.com")
    }
    let server = self[.server].flatMap { $0.mailServer() }
    let from = self[.from].flatMap { $0.mailSender() }
    let credentials = self[.credentials].flatMap { $0.secretReference() } ?? .none
    guard let server, let from, !recipients.isEmpty else { return nil }
    return NotificationSettings(
      webhook: .none,
      mail: MailSettings(
        recipients: recipients.map(\.value), host: server.host, port: server.port,
        isEncryptedAtOnce: server.isEncryptedAtOnce, senderName: from.name, sender: from.email,
        credentials: credentials))
  }
}

extension Field {
  fileprivate func mailAddress() -> String? {
    guard let text = text("a mail address") else { return nil }
    guard MailTransport.isAddress(text) else {
      report("\(shown) is not a mail address", hint: "write it as l10n@example.com, without a name and in ASCII")
      return nil
    }
    return text
  }

  fileprivate func mailSender() -> (name: String, email: String)? {
    guard let text = text("a sender") else { return nil }
    guard let author = Author.parse(text), MailTransport.isAddress(author.email) else {
      report("\(shown) is not a sender", hint: "write Name <address>, as in Dragoman <l10n@example.com>")
      return nil
    }
    return author
  }

  /// Reads the URL of a mail server, such as `smtps://host` or `smtp://host:587`.
  fileprivate func mailServer() -> (host: String, port: Int, isEncryptedAtOnce: Bool)? {
    let hint = "write smtps://host, or smtp://host:587 for STARTTLS"
    guard let text = text("a URL") else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address contains a user name or a password; a pipeline file must not contain secrets",
        hint: "remove everything before the @, and set `credentials` to where the secret is")
      return nil
    }
    guard case .url(let scheme, let authority) = Address(text), scheme == "smtp" || scheme == "smtps",
      text.hasSuffix("://" + authority) || text.hasSuffix("://" + authority + "/")
    else {
      report("\(shown) is not the URL of a mail server", hint: hint)
      return nil
    }
    let isEncryptedAtOnce = scheme == "smtps"
    // The colons of an IPv6 address are in brackets, so only a colon after the brackets precedes a port.
    let end = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
    let colon = authority[end...].lastIndex(of: ":")
    let host = String(authority[..<(colon ?? authority.endIndex)])
    let digits = colon.map { String(authority[authority.index(after: $0)...]) }
    let port = digits.map { Int($0) ?? 0 } ?? (isEncryptedAtOnce ? 465 : 587)
    guard !host.isEmpty, (1...65535).contains(port), host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      report("\(shown) has no host, or no valid port", hint: hint)
      return nil
    }
    return (host, port, isEncryptedAtOnce)
  }
}
