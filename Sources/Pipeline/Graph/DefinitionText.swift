import Localization

/// The parts of a definition that each stage depends on, as text that is equal for equal definitions. A stage runs again when its text
/// changes.
extension PipelineDefinition {
  /// The settings for reading sources.
  var extractionText: String { text(["extract"] + extract.macros.sorted() + ["exclude"] + extract.exclude.sorted()) }

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
    }
    parts.append("freeze")
    parts += rounds.freeze.map(\.text).sorted()
    return text(parts)
  }

  /// The settings for sending to a vendor and connecting to it.
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
    // Included only if set, so that a new version of Dragoman with more settings does not run jobs again.
    if deliver.sign != .none { parts += ["sign", String(describing: deliver.sign)] }
    if deliver.signsOff { parts.append("sign-off") }
    if deliver.subject != DeliverSettings().subject { parts += ["subject", deliver.subject] }
    return text(parts)
  }

  /// The settings of pull requests.
  var proposalText: String {
    text([
      deliveryText, deliver.forge ?? "", deliver.api ?? "", String(describing: deliver.token), String(deliver.isDraft),
    ])
  }

  /// The settings of the statuses of a branch's commits.
  func reportText(on branch: String) -> String {
    text(
      [
        readingText, deliver.statuses.map(\.rawValue).sorted().joined(separator: " "), deliver.mode.rawValue,
        deliver.forge ?? "", deliver.api ?? "", String(describing: deliver.token),
        String(describing: deliver.credentials), String(describing: repository.credentials),
      ] + requirements(on: branch).flatMap { [$0.language?.rawValue ?? "default", String($0.tenths)] })
  }

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
