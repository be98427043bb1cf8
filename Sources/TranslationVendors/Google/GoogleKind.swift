internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `google`: Google Cloud Translation, version 2 (Basic), which accepts a plain API key.
package enum GoogleKind: VendorKind {
  package static let name = "google"
  package static let summary = "Translates with Google Cloud Translation (Basic)."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true)
  package static let options =
    [
      .credentials("An API key of a project in which Cloud Translation is enabled.", isRequired: true),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      .locales,
    ] + EngineSettings.options

  static let standardURL = "https://translation.googleapis.com"
  /// The limits for requests, far below the standard quota of 300,000 requests a minute (vendor's documentation, unverified).
  static let pace = PaceSettings(perSecond: 10, burst: 10, concurrent: 4)
  /// Google's language codes by our language tags, for languages where the two differ. For example, the codes for Chinese have a region
  /// instead of a script.
  static let exceptions: [LocaleIdentifier: String] = [
    "zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "nb": "no", "pt-BR": "pt", "he": "iw", "fil": "tl",
  ]

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL),
      authentication: .header("X-Goog-Api-Key"), pace: pace, environment: environment)
    let locales = settings.locales(.hyphen, exceptions: exceptions)
    let service = GoogleService(http: http, locales: locales, fingerprint: settings.fingerprint)
    return EngineVendor(
      name: settings.defaultName(of: name), engine: MachineEngine(service), locales: locales,
      settings: EngineSettings(settings), environment: environment)
  }
}
