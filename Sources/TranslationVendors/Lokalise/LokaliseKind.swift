internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `lokalise`.
package enum LokaliseKind: VendorKind {
  package static let name = "lokalise"
  package static let summary = "Keeps strings as keys of a Lokalise project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, screenshots: true,
    glossary: true, webhooks: true, archive: true)
  package static let options =
    [
      VendorOption("project", .text, "The project's ID, or `ID:branch` for a branch of the project.", isRequired: true),
      .credentials("An API token with permission to read and write keys.", isRequired: true),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      VendorOption(
        "platform", .choice(["ios", "web", "android", "other"]), "The platform of new keys.", default: "ios"),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://api.lokalise.com/api2"
  /// The limits for requests. Lokalise allows six requests a second for each token and IP address, and one request at a time is safe (the vendor's
  /// page on limits).
  static let pace = PaceSettings(perSecond: 5, burst: 5, concurrent: 1)
  /// Lokalise's language codes by our language tags, for languages where the two differ in more than the separator. Lokalise's codes for Chinese have
  /// a region instead of a script.
  static let exceptions: [LocaleIdentifier: String] = ["zh-Hans": "zh_CN", "zh-Hant": "zh_TW"]

  /// Lokalise generates the secret, and sends it in this header.
  package static let webhook: VendorWebhook? = .secret(header: "X-Secret")

  package static func place(of settings: VendorSettings) -> String? {
    settings.place(of: settings.options.text("project"), default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales {
    settings.locales(.underscore, exceptions: exceptions)
  }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    let client = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL),
      authentication: .header("X-Api-Token"), pace: pace, environment: environment)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: LokalisePlatform(
        client: client, project: project, platform: settings.options.text("platform") ?? "ios"),
      locales: codes(settings),
      settings: PlatformSettings(settings), environment: environment)
  }
}
