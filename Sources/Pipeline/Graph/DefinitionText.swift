import Localization

/// The settings on which each stage depends, as texts. Equal settings have equal texts. A stage runs again when its text changes.
extension PipelineDefinition {
  /// The settings for reading sources.
  var extractionText: String {
    text(
      ["extract"] + extract.macros.sorted() + ["exclude"] + extract.exclude.sorted()
        + (extract.paths.isEmpty ? [] : ["paths"] + extract.paths.sorted()) + submoduleParts)
  }

  /// The settings that affect how completion is counted when a commit is read. The list is empty without fallbacks. Otherwise, the update
  /// of Dragoman that added this setting would have changed the text of every pipeline, and all jobs would have run again.
  var countingParts: [String] {
    fallbacks.chains.sorted { $0.key < $1.key }.flatMap { ["fallback", $0.key.rawValue] + $0.value.map(\.rawValue) }
  }

  /// The settings of submodules. The list is empty without submodules, for the same reason as in `countingParts`.
  private var submoduleParts: [String] {
    guard !submodules.isEmpty else { return [] }
    let sorted = submodules.sorted { $0.path < $1.path }
    return ["submodules"] + sorted.flatMap { [$0.path.text, $0.url ?? "", String(describing: $0.credentials)] }
  }

  /// The settings that affect how a commit is read.
  var readingText: String { text([extractionText] + text(languages)) }

  /// The settings that decide which units are sent to which vendor.
  var planningText: String {
    var parts = [readingText, deliver.mode.rawValue, deliver.branch]
    for vendor in vendors {
      parts += ["vendor", vendor.name ?? "", vendor.units.rawValue]
      parts += place(of: vendor)
      parts += text(vendor.languages)
      parts += vendor.scope.parts
      // These settings are included only if they are set: see `deliveryText`.
      if let fallback = vendor.fallback {
        parts += ["fallback", fallback, String(vendor.patience.components.seconds)]
      }
      if let then = vendor.then { parts += ["then", then] }
    }
    if let memory { parts += ["memory", String(memory.arrivesTranslated)] + memory.files }
    parts.append("freeze")
    parts += rounds.freeze.map(\.text).sorted()
    return text(parts)
  }

  /// Returns the settings on which the push and pull jobs of a vendor depend: its name, and the kinds, options and credentials of all
  /// vendors.
  func vendorText(_ name: String) -> String {
    var parts = [name]
    for vendor in vendors {
      parts += place(of: vendor)
      parts.append(String(describing: vendor.credentials))
    }
    return text(parts)
  }

  /// The settings that decide what is delivered, and to which branch.
  var deliveryText: String {
    var parts = [planningText, catalogs.rawValue, deliver.when.rawValue, deliver.authorName, deliver.authorEmail]
    parts += vendors.map(\.unchanged.rawValue)
    parts += [String(describing: deliver.credentials), String(describing: repository.credentials)]
    if let glossary { parts += ["glossary", glossary.file, glossary.missing.rawValue] }
    for vendor in vendors where !vendor.repair.isEmpty || vendor.otherLanguage != .hold {
      parts += ["repair", vendor.otherLanguage.rawValue] + vendor.repair.map(\.rawValue).sorted()
    }
    // The following settings are included only if they are set. Otherwise, an update of Dragoman that adds a setting would change the text
    // of every pipeline, and all jobs would run again.
    if deliver.sign != .none { parts += ["sign", String(describing: deliver.sign)] }
    if deliver.signsOff { parts.append("sign-off") }
    if deliver.subject != DeliverSettings().subject { parts += ["subject", deliver.subject] }
    if deliver.namesTranslators {
      parts += ["co-authors"] + deliver.addresses.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
    parts += renewedTokenParts
    return text(parts)
  }

  /// The settings of our pull requests.
  var proposalText: String {
    var parts = [
      deliveryText, deliver.forge ?? "", deliver.api ?? "", String(describing: deliver.token), String(deliver.isDraft),
    ]
    if !deliver.extras.isEmpty {
      parts += ["labels"] + deliver.extras.labels + ["reviewers"] + deliver.extras.reviewers
      parts.append(deliver.extras.merge?.rawValue ?? "")
    }
    return text(parts)
  }

  /// Returns the settings of the statuses of a branch's commits.
  func reportText(on branch: String) -> String {
    var parts: [String] = [readingText, statusText, deliver.mode.rawValue, deliver.forge ?? "", deliver.api ?? ""]
    parts.append(String(describing: deliver.token))
    parts.append(String(describing: deliver.credentials))
    parts.append(String(describing: repository.credentials))
    // These settings are included only if they are set: see `deliveryText`.
    if deliver.annotates { parts.append("annotations") }
    parts += renewedTokenParts
    if deliver.statuses.contains(.freeze) {
      parts.append("freeze")
      parts += rounds.freeze.map(\.text).sorted()
    }
    for requirement in requirements(on: branch) {
      parts.append(requirement.language?.rawValue ?? "default")
      // The percentage is written in tenths of a percent, as in earlier versions, unless it has more decimals.
      let (tenths, rest) = requirement.needed.millionths.quotientAndRemainder(dividingBy: 100_000)
      parts.append(rest == 0 ? String(tenths) : requirement.needed.description)
      if let catalogs = requirement.catalogs { parts += ["catalogs", catalogs.description] }
    }
    return text(parts)
  }

  /// The settings of the comments on people's pull requests, and of the freeze statuses of these pull requests.
  var reviewText: String {
    var parts: [String] = [readingText, statusText, String(deliver.comments), deliver.forge ?? "", deliver.api ?? ""]
    parts.append(String(describing: deliver.token))
    parts.append(deliver.app?.id ?? "")
    if let oauth = deliver.oauth { parts += ["oauth", oauth.client] }
    parts += rounds.freeze.map(\.text).sorted()
    return text(parts)
  }

  /// The settings of a renewed token; empty if the token is not renewed.
  private var renewedTokenParts: [String] {
    if let app = deliver.app { return ["app", app.id, String(describing: app.key)] }
    guard let oauth = deliver.oauth else { return [] }
    return ["oauth", oauth.client, String(describing: oauth.secret), String(describing: oauth.refreshToken)]
  }

  private var statusText: String { deliver.statuses.map(\.rawValue).sorted().joined(separator: " ") }

  private func place(of vendor: VendorDefinition) -> [String] {
    [vendor.kind] + vendor.options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.description] }
  }

  private func text(_ languages: [LocaleIdentifier]?) -> [String] {
    guard let languages else { return ["all"] }
    return ["languages"] + languages.map(\.rawValue).sorted()
  }

  private func text(_ parts: [String]) -> String {
    // The length prefixes distinguish ["ab", "c"] from ["a", "bc"].
    parts.map { "\($0.utf8.count):\($0)" }.joined(separator: ",")
  }
}
