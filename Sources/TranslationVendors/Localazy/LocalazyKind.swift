internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `localazy`.
package enum LocalazyKind: VendorKind {
  package static let name = "localazy"
  package static let summary = "Keeps each catalog as a file of a Localazy project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, webhooks: true, archive: true)
  package static let options =
    [
      VendorOption("project", .text, "The project's ID or slug.", isRequired: true),
      .credentials("A project token with write permission, or a token of an organization's owner.", isRequired: true),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://api.localazy.com"
  /// The limits for requests. Localazy allows 100 requests a minute and 10 a second (the vendor's page on limits).
  static let pace = PaceSettings(perSecond: 1.6, burst: 8, concurrent: 2)

  package static let webhook: VendorWebhook? = .headers(
    ["X-Localazy-Timestamp"], separator: "-", signature: "X-Localazy-HMAC", tolerance: .seconds(900))

  package static func place(of settings: VendorSettings) -> String? {
    settings.place(of: settings.options.text("project"), default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales { settings.locales(.numberSign) }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL),
      authentication: .authorization(scheme: "Bearer"), pace: pace, environment: environment)
    let locales = codes(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: LocalazyPlatform(
        client: LocalazyClient(http: http, project: project, sleep: environment.sleep), locales: locales),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
