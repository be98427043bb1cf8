import Localization

/// What of a definition matters to which stage, as text that is the same for equal definitions. Stages run again when it changes.
extension PipelineDefinition {
  /// How sources are read.
  var extractionText: String { text(["extract"] + extract.macros.sorted() + ["exclude"] + extract.exclude.sorted()) }

  /// What a commit is seen as.
  var readingText: String { text([extractionText] + text(languages)) }

  /// What is sent to whom.
  var planningText: String {
    var parts = [readingText, deliver.mode.rawValue, deliver.branch]
    for vendor in vendors {
      parts += ["vendor", vendor.name ?? "", vendor.units.rawValue]
      parts += place(of: vendor)
      parts += text(vendor.languages)
    }
    parts.append("freeze")
    parts += rounds.freeze.map(\.text).sorted()
    return text(parts)
  }

  /// What is sent to a vendor, and how it is reached.
  func vendorText(_ name: String) -> String {
    var parts = [name]
    for vendor in vendors {
      parts += place(of: vendor)
      parts.append(String(describing: vendor.credentials))
    }
    return text(parts)
  }

  /// What is delivered, and where.
  var deliveryText: String {
    var parts = [planningText, catalogs.rawValue, deliver.when.rawValue, deliver.authorName, deliver.authorEmail]
    parts += vendors.map(\.unchanged.rawValue)
    parts += [String(describing: deliver.credentials), String(describing: repository.credentials)]
    return text(parts)
  }

  private func place(of vendor: VendorDefinition) -> [String] {
    [vendor.kind] + vendor.options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.description] }
  }

  private func text(_ languages: [LocaleIdentifier]?) -> [String] {
    guard let languages else { return ["all"] }
    return ["languages"] + languages.map(\.rawValue).sorted()
  }

  private func text(_ parts: [String]) -> String {
    // Lengths keep ["ab", "c"] apart from ["a", "bc"].
    parts.map { "\($0.utf8.count):\($0)" }.joined(separator: ",")
  }
}
