internal import HTTPTransport
internal import Localization

/// What most kinds of vendors read from their settings.
extension VendorSettings {
  /// A text without which there is no vendor. Pipeline files are checked for it before; other definitions are not.
  /// - Parameter kind: for the message.
  func required(_ option: String, of kind: String) throws(VendorError) -> String {
    guard let text = options.text(option) else {
      throw VendorError(kind: .configuration, at: "vendor \(kind)", detail: "the key \(option) is missing")
    }
    return text
  }

  /// The API's address.
  func url(default standard: String) throws(TransportError) -> HTTPURL {
    try HTTPURL(options.text("url") ?? standard)
  }

  /// One spelling for one project of a server; `nil` where the project is missing.
  func place(of project: String?, default standard: String) -> String? {
    project.map { "\(CanonicalPlace.address(options.text("url") ?? standard)) \($0)" }
  }

  /// The vendor's codes of languages, with those of the option `locales`.
  func locales(_ spelling: VendorLocales.Spelling, exceptions: [LocaleIdentifier: String] = [:]) -> VendorLocales {
    VendorLocales(spelling, exceptions: exceptions, overrides: options.languages("locales") ?? [:])
  }
}
