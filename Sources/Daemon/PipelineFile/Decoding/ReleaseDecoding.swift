internal import Localization
internal import Pipeline

extension Section<RoundsKey> {
  func settings() -> RoundSettings {
    var settings = RoundSettings()
    if let quiet = self[.quiet].flatMap({ $0.duration() }) { settings.quiet = quiet }
    if let latest = self[.latest].flatMap({ $0.duration() }) { settings.latest = latest }
    if let field = self[.freeze], let patterns = field.branchPatterns() {
      settings.freeze = patterns.map(\.value)
    }
    return settings
  }
}

extension Field {
  /// Completion in percent by branch pattern and language.
  func requirements() -> [BranchPattern: [String: Int]] {
    var requirements: [BranchPattern: [String: Int]] = [:]
    guard let pairs = pairs("a mapping of branch patterns") else { return [:] }
    for (key, value) in pairs {
      guard let pattern = key.branchPattern(), let levels = value.pairs("a mapping of languages to percent") else {
        continue
      }
      for (key, level) in levels {
        guard case .text("*") = key.value.content else {
          if let language = key.language(), let percent = level.percent() {
            requirements[pattern, default: [:]][language.rawValue] = percent
          }
          continue
        }
        if let percent = level.percent() { requirements[pattern, default: [:]]["*"] = percent }
      }
    }
    if !pairs.isEmpty {
      reportNotBuilt("requiring a completion", hint: "take it out; `dragoman status --require` checks it")
    }
    return requirements
  }

  private func percent() -> Int? {
    guard let text = text("a percentage") else { return nil }
    guard text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let percent = Int(text),
      percent <= 100
    else {
      report("\(shown) is not a percentage", hint: "write a whole number from 0 to 100")
      return nil
    }
    return percent
  }

  func notifications() -> [NotificationSettings] {
    guard let items = items("a list of notifications") else { return [] }
    if !items.isEmpty { reportNotBuilt("notifying", hint: "take it out") }
    return items.compactMap { item in
      guard let section = Section<NotifyKey>(item) else { return nil }
      let events = section[.on]?.items("a list of events", example: "[units-held]")?
        .distinct({ $0.text("an event") }, sameAs: { $0 }).map(\.value)
      let webhook = section[.webhook].flatMap { $0.credential() }
      let format = section[.format].flatMap { $0.text() }
      guard let events, let webhook else { return nil }
      return NotificationSettings(events: events, webhook: webhook, format: format)
    }
  }
}
