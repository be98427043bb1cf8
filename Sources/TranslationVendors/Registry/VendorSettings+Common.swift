internal import HTTPTransport
internal import Localization

/// Settings that most kinds of vendors have.
extension VendorSettings {
  /// A required text. Pipeline files are checked before; other definitions are not.
  /// - Parameter kind: for the message.
  func required(_ option: String, of kind: String) throws(VendorError) -> String {
    guard let text = options.text(option) else {
      throw VendorError(kind: .configuration, at: "vendor \(kind)", detail: "the key \(option) is missing")
    }
    return text
  }

  /// Identifies the options that decide what an engine answers, or a platform takes. Equal options have equal fingerprints.
  var fingerprint: String {
    var digest = ContentDigest()
    for (name, value) in options.sorted(by: { $0.key < $1.key })
    where !["credentials", "state", "batch"].contains(name) {
      digest.update(text: name)
      digest.update(text: value.description)
    }
    return String(digest.finishHexadecimal().prefix(16))
  }

  /// The API's address.
  func url(default standard: String) throws(TransportError) -> HTTPURL {
    try HTTPURL(options.text("url") ?? standard)
  }

  /// The normalized name of a project on a server; `nil` without a project.
  func place(of project: String?, default standard: String) -> String? {
    project.map { "\(CanonicalPlace.address(options.text("url") ?? standard)) \($0)" }
  }

  /// The place of a vendor whose projects have branches: the options `project` and `branch`.
  func placeOfBranch(default standard: String) -> String? {
    place(
      of: options.text("project").map { $0 + (options.text("branch").map { ":\($0)" } ?? "") }, default: standard)
  }

  /// The vendor's codes of languages, with those of the option `locales`.
  func locales(_ spelling: VendorLocales.Spelling, exceptions: [LocaleIdentifier: String] = [:]) -> VendorLocales {
    VendorLocales(spelling, exceptions: exceptions, overrides: options.languages("locales") ?? [:])
  }
}
