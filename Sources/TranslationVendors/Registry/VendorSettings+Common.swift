internal import HTTPTransport
internal import Localization

/// Settings that most kinds of vendors have.
extension VendorSettings {
  /// Returns the text of a required option. Settings from a pipeline file always contain the option, because the decoder checks them. Settings from
  /// other sources are not checked.
  /// - Parameter kind: the kind of the vendor, for the message.
  /// - Throws: `VendorError` of kind `configuration` if the option is missing.
  func required(_ option: String, of kind: String) throws(VendorError) -> String {
    guard let text = options.text(option) else {
      throw VendorError(kind: .configuration, at: "vendor \(kind)", detail: "the key \(option) is missing")
    }
    return text
  }

  /// An identifier of the options that affect an engine's answers, or the strings that a platform accepts. Equal options have equal
  /// fingerprints.
  var fingerprint: String {
    var digest = ContentDigest()
    for (name, value) in options.sorted(by: { $0.key < $1.key })
    where !["credentials", "state", "batch"].contains(name) {
      digest.update(text: name)
      digest.update(text: value.description)
    }
    return String(digest.finishHexadecimal().prefix(16))
  }

  /// Returns the address of the vendor's API.
  /// - Parameter standard: the address that is used if the settings contain none.
  func url(default standard: String) throws(TransportError) -> HTTPURL {
    try HTTPURL(options.text("url") ?? standard)
  }

  /// Returns the server's canonical address followed by the name of a project; `nil` without a project.
  func place(of project: String?, default standard: String) -> String? {
    project.map { "\(CanonicalPlace.address(options.text("url") ?? standard)) \($0)" }
  }

  /// Returns the place of a vendor whose projects have branches: the server's address and the options `project` and `branch`; `nil` without a
  /// project.
  func placeOfBranch(default standard: String) -> String? {
    place(
      of: options.text("project").map { $0 + (options.text("branch").map { ":\($0)" } ?? "") }, default: standard)
  }

  /// Returns the vendor's language codes, including the codes of the option `locales`.
  func locales(_ spelling: VendorLocales.Spelling, exceptions: [LocaleIdentifier: String] = [:]) -> VendorLocales {
    VendorLocales(spelling, exceptions: exceptions, overrides: options.languages("locales") ?? [:])
  }
}
