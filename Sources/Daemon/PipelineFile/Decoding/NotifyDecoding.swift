import Foundation
internal import Localization
internal import Pipeline

extension Field {
  func notifications() -> [NotificationSettings] {
    guard let items = items("a list of notifications") else { return [] }
    return items.compactMap { Section<NotifyKey>($0)?.settings() }
  }

  /// Reads hours such as `22:00-07:00`.
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
      report("\(shown) does not name hours of the day", hint: "write them as 22:00-07:00")
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
    let webhook = self[.webhook].flatMap { $0.secretReference(isOptional: false) }
    let format: NotificationSettings.Format = self[.format].flatMap { $0.choice() } ?? .standard
    let secret = self[.secret].flatMap { $0.secretReference() } ?? .none
    if format != .standard {
      self[.secret]?.report(
        "has no effect with `format: \(format.rawValue)`, which has no signatures", hint: "remove it")
    }
    let zone = self[.zone].flatMap { $0.timeZone() }
    let quiet = self[.quiet].flatMap { $0.hours() }
    if self[.quiet] == nil { self[.zone]?.report("has no effect without `quiet`", hint: "remove it") }
    let digest = self[.digest].flatMap { $0.duration() } ?? .zero
    guard let webhook else { return nil }
    return NotificationSettings(
      events: events.map(Set.init) ?? Set(NoticeEvent.allCases), webhook: webhook, format: format, secret: secret,
      quiet: quiet.map { DailyHours(start: $0.start, end: $0.end, zone: zone ?? "UTC") }, digest: digest)
  }
}
