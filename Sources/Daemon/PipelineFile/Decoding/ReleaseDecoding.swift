internal import Localization
internal import Pipeline

extension Section<RoundsKey> {
  func settings() -> RoundSettings {
    var settings = RoundSettings()
    if let quiet = self[.quiet].flatMap({ $0.duration() }) { settings.quiet = quiet }
    if let latest = self[.latest].flatMap({ $0.duration() }) { settings.latest = latest }
    if let field = self[.overdue], let overdue = field.duration(atLeast: .seconds(60), "1m") {
      settings.overdue = overdue
    }
    if let field = self[.freeze], let patterns = field.branchPatterns() {
      settings.freeze = patterns.map(\.value)
    }
    return settings
  }
}

/// The requirements that `require` specifies.
struct Requirements {
  var all: [CompletionRequirement] = []
  var byBranch: [BranchRequirement] = []
}

extension Field {
  /// Reads a percentage for all languages, or a mapping. The keys of a mapping are languages with percentages, `default` for the other languages,
  /// branch patterns with mappings of languages to percentages, and `catalogs` with a mapping of path patterns.
  /// - Parameter languages: the pipeline's languages; `nil` if the pipeline lists no languages, or if they could not be read.
  func requirements(among languages: [LocaleIdentifier]?) -> Requirements {
    var requirements = Requirements()
    if case .text = value.content {
      requirements.all = percent().map { [CompletionRequirement(language: nil, needed: $0)] } ?? []
      return requirements
    }
    let pairs = pairs("a percentage, or a mapping of languages to percentages")
    if let pairs, pairs.isEmpty { report("requires nothing", hint: "write a percentage, or remove the key") }
    for (key, level) in pairs ?? [] {
      if case .text("catalogs") = key.value.content {
        requirements.all += level.catalogRequirements(among: languages)
        continue
      }
      guard case (.text(let name), .mapping) = (key.value.content, level.value.content), name != "default" else {
        if key.reportsPattern(with: level) { continue }
        requirements.all += level.requirement(of: key, among: languages)
        continue
      }
      guard let pattern = key.branchPattern() else { continue }
      let pairs = level.pairs("a mapping of languages to percentages") ?? []
      if pairs.isEmpty { level.report("requires nothing", hint: "write { default: 100 }") }
      requirements.byBranch.append(
        BranchRequirement(
          branches: pattern, requirements: pairs.flatMap { $1.requirement(of: $0, among: languages) }))
    }
    return requirements
  }

  /// Reads the completion that individual catalogs must reach. The value is a mapping of path patterns to a percentage, or to a mapping of languages
  /// to percentages.
  private func catalogRequirements(among languages: [LocaleIdentifier]?) -> [CompletionRequirement] {
    let pairs = pairs("a mapping of paths of catalogs to percentages") ?? []
    if pairs.isEmpty { report("requires nothing", hint: "write a pattern and a percentage, such as \"App/**\": 100") }
    return pairs.flatMap { key, level -> [CompletionRequirement] in
      guard case .text(let text) = key.value.content, let pattern = PathPattern(text) else {
        key.report(
          "\(key.shown) is not a path or a pattern of paths", hint: "write it as App/Localizable.xcstrings or App/**")
        return []
      }
      let found: [CompletionRequirement]
      if case .mapping = level.value.content {
        let inner = level.pairs("a mapping of languages to percentages") ?? []
        if inner.isEmpty { level.report("requires nothing", hint: "write { default: 100 }") }
        found = inner.flatMap { $1.requirement(of: $0, among: languages) }
      } else {
        found = level.percent().map { [CompletionRequirement(language: nil, needed: $0)] } ?? []
      }
      return found.map { CompletionRequirement(language: $0.language, needed: $0.needed, catalogs: pattern) }
    }
  }

  /// Reads the fallback languages, a mapping of languages to lists of languages.
  func fallbacks() -> LanguageFallbacks {
    var chains: [LocaleIdentifier: [LocaleIdentifier]] = [:]
    for (key, list) in pairs("a mapping of languages to lists of languages") ?? [] {
      guard let language = key.language(), let chain = list.languages() else { continue }
      for other in chain where other.value == language {
        other.field.report("\(language) cannot be its own fallback", hint: "remove it")
      }
      chains[language] = chain.map(\.value)
    }
    return LanguageFallbacks(chains)
  }

  /// Reads the percentage for one language or for `default`.
  private func requirement(of key: Field, among languages: [LocaleIdentifier]?) -> [CompletionRequirement] {
    guard case .text("default") = key.value.content else {
      guard let language = key.language(), let percent = percent() else { return [] }
      if let languages, !languages.contains(language) {
        key.report(
          "\(language) is not one of the pipeline's `languages`", hint: "add it to `languages`, or remove it here")
      }
      return [CompletionRequirement(language: language, needed: percent)]
    }
    return percent().map { [CompletionRequirement(language: nil, needed: $0)] } ?? []
  }

  /// Reports a key that is a branch pattern and has a percentage instead of a mapping.
  /// - Returns: whether the key was reported. A key is recognized as a branch pattern by a slash or a wildcard, which languages cannot contain.
  private func reportsPattern(with level: Field) -> Bool {
    guard case (.text(let name), .text) = (value.content, level.value.content),
      name.contains(where: { "*?/".contains($0) })
    else { return false }
    report(
      "\(shown) is a branch pattern, and needs a mapping of languages to percentages",
      hint: "write \(shown): { default: \(level.shownText) }")
    return true
  }

  private var shownText: String {
    guard case .text(let text) = value.content, Percentage(text) != nil else { return "100" }
    return text
  }

  private func percent() -> Percentage? {
    guard let text = text("a percentage") else { return nil }
    guard let percent = Percentage(text) else {
      report(
        "\(shown) is not a percentage", hint: "write a number from 0 to 100, with at most six decimals, such as 99.95")
      return nil
    }
    return percent
  }
}
