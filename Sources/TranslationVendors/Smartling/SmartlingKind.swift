internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `smartling`.
package enum SmartlingKind: VendorKind {
  package static let name = "smartling"
  package static let summary = "Keeps each catalog as a gettext file of a Smartling project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, glossary: true, webhooks: true, archive: true)
  package static let options =
    [
      VendorOption("project", .text, "The project's ID.", isRequired: true),
      .credentials("An API token of the project, as `USER_IDENTIFIER:USER_SECRET`.", isRequired: true),
      VendorOption("url", .url, "The address of the APIs.", default: standardURL),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://api.smartling.com"
  /// The limits for requests. Smartling documents no limit per second, but four requests at a time are safe.
  static let pace = PaceSettings(perSecond: 5, burst: 5, concurrent: 4)
  static let exceptions: [LocaleIdentifier: String] = ["zh-Hans": "zh-CN", "zh-Hant": "zh-TW"]

  package static let webhook: VendorWebhook? = .headers(
    ["Event-Id", "Event-Timestamp"], separator: ".", signature: "Event-Signature", tolerance: .seconds(300))

  package static func place(of settings: VendorSettings) -> String? {
    settings.place(of: settings.options.text("project"), default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales {
    settings.locales(.hyphen, exceptions: exceptions)
  }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    let base = try settings.url(default: standardURL)
    let tokens = SmartlingTokens(
      http: VendorHTTP(vendor: name, base: base, authentication: .none, pace: pace, environment: environment),
      secret: environment.secret, now: environment.now)
    let client = SmartlingClient(
      tokens: tokens,
      http: { token in
        var signed = environment
        signed.secret = { token }
        return VendorHTTP(
          vendor: name, base: base, authentication: .authorization(scheme: "Bearer"), accept: "*/*", pace: pace,
          environment: signed)
      }, project: project, sleep: environment.sleep)
    let locales = codes(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: SmartlingPlatform(
        client: client, locales: locales, place: place(of: settings) ?? project,
        glossary: "dragoman \(environment.pipeline)"),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
