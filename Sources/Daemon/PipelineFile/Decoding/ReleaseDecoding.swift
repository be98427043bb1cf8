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
  /// Reads a percentage for all languages, or one for each language and `default` for the others.
  /// - Parameter languages: the pipeline's languages; `nil` if it lists none or if they could not be read.
  func requirements(among languages: [LocaleIdentifier]?) -> [CompletionRequirement] {
    if case .text = value.content {
      return percent().map { [CompletionRequirement(language: nil, tenths: $0 * 10)] } ?? []
    }
    guard let pairs = pairs("a percentage, or a mapping of languages to percentages") else { return [] }
    return pairs.compactMap { key, level in
      if case .mapping = level.value.content {
        key.reportNotBuilt(
          "requiring a completion by branch", hint: "write require: 95, or require: { default: 95, de: 100 }")
        return nil
      }
      guard case .text("default") = key.value.content else {
        guard let language = key.language(), let percent = level.percent() else { return nil }
        if let languages, !languages.contains(language) {
          key.report(
            "\(language) is not one of the pipeline's `languages`", hint: "add it to `languages`, or remove it here")
        }
        return CompletionRequirement(language: language, tenths: percent * 10)
      }
      return level.percent().map { CompletionRequirement(language: nil, tenths: $0 * 10) }
    }
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
    if !items.isEmpty { reportNotBuilt("notifying", hint: "remove it") }
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
