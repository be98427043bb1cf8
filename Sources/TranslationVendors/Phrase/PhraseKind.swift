internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `phrase`.
package enum PhraseKind: VendorKind {
  package static let name = "phrase"
  package static let summary = "Keeps strings as keys of a Phrase Strings project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, screenshots: true,
    glossary: true, webhooks: true)
  package static let options =
    [
      VendorOption("project", .text, "The project's ID, shown in the project's API settings.", isRequired: true),
      .credentials("An access token with the scopes read and write.", isRequired: true),
      VendorOption(
        "url", .url, "The API's address. US data center: `https://api.us.app.phrase.com/v2`.",
        default: standardURL),
      VendorOption("branch", .text, "The branch of the project.", default: "the project itself"),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://api.phrase.com/v2"
  /// The limits for requests. Phrase allows each user 1000 requests in 5 minutes and 4 concurrent requests
  /// (developers.phrase.com/en/api/strings/rate-limiting).
  static let pace = PaceSettings(perSecond: 3, burst: 20, concurrent: 2)

  package static let webhook: VendorWebhook? = .body(header: "X-PhraseApp-Signature")

  package static func place(of settings: VendorSettings) -> String? {
    settings.placeOfBranch(default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales { settings.locales(.hyphen) }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL), authentication: .authorization(scheme: "token"),
      pace: pace, environment: environment)
    let locales = codes(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: PhrasePlatform(
        client: PhraseClient(http: http, project: project, branch: settings.options.text("branch")), locales: locales,
        glossary: "dragoman \(environment.pipeline)"),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
