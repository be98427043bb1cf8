internal import HTTPTransport
package import Localization

/// The vendor `http`: an in-house system that implements Dragoman's HTTP protocol (docs/vendors/http.md).
package enum InHouseKind: VendorKind {
  package static let name = "http"
  package static let summary = "Sends strings to your own translation system over a small HTTP protocol."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, webhooks: true,
    archive: true)
  package static let options =
    [
      VendorOption(
        "url", .url, "The address of the system, such as `https://l10n.example.com/dragoman`.", isRequired: true),
      .credentials("A token, sent as `Authorization: Bearer TOKEN`."),
      VendorOption("batch", .number(1...10_000), "The maximum number of strings in a request.", default: "1000"),
      .locales, .webhook,
    ] + PlatformSettings.options

  package static let webhook: VendorWebhook? = .standard

  package static func place(of settings: VendorSettings) -> String? {
    settings.options.text("url").map(CanonicalPlace.address)
  }

  package static func vendorName(of settings: VendorSettings) -> String? {
    settings.givenName ?? place(of: settings).map { "http:\($0)" }
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales { settings.locales(.hyphen) }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let url = try settings.required("url", of: name)
    let client = VendorHTTP(
      vendor: name, base: try HTTPURL(url), authentication: .authorization(scheme: "Bearer"),
      pace: PaceSettings(perSecond: 50, burst: 50, concurrent: 4), environment: environment)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: InHousePlatform(client: client, batch: settings.options.number("batch") ?? 1000),
      locales: codes(settings),
      settings: PlatformSettings(settings), environment: environment)
  }
}
