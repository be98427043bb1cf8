internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `transifex`.
package enum TransifexKind: VendorKind {
  package static let name = "transifex"
  package static let summary = "Keeps strings in a resource of a Transifex project that has no file."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, webhooks: true)
  package static let options =
    [
      VendorOption("organization", .text, "The organization's name in addresses.", isRequired: true),
      VendorOption("project", .text, "The project's name in addresses.", isRequired: true),
      VendorOption(
        "resource", .text, "The resource's name in addresses. The resource must exist and have no file.",
        isRequired: true),
      .credentials("An API token of somebody who may change the project's source texts.", isRequired: true),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://rest.api.transifex.com"
  /// The limits for requests. Transifex allows 500 requests a minute (developers.transifex.com/reference/rate-limit).
  static let pace = PaceSettings(perSecond: 6, burst: 10, concurrent: 2)
  static let exceptions: [LocaleIdentifier: String] = [
    "zh-Hans": "zh-Hans", "zh-Hant": "zh-Hant", "sr-Latn": "sr@latin", "uz-Cyrl": "uz@Cyrl",
    "ca-valencia": "ca@valencia",
  ]

  package static let webhook: VendorWebhook? = .lines(
    url: "X-TX-Url", date: "Date", signature: "X-TX-Signature-V2")

  package static func place(of settings: VendorSettings) -> String? {
    settings.place(of: identifiers(of: settings)?.resource, default: standardURL)
  }

  package static func vendorName(of settings: VendorSettings) -> String? {
    settings.givenName ?? identifiers(of: settings).map { "transifex:\($0.resource)" }
  }

  /// Returns the API's identifiers of project and resource; `nil` if a name is missing.
  private static func identifiers(of settings: VendorSettings) -> (project: String, resource: String)? {
    guard let organization = settings.options.text("organization"), let project = settings.options.text("project"),
      let resource = settings.options.text("resource")
    else { return nil }
    let whole = "o:\(organization):p:\(project)"
    return (whole, "\(whole):r:\(resource)")
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales {
    settings.locales(.underscore, exceptions: exceptions)
  }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    guard let identifiers = identifiers(of: settings) else {
      throw VendorError(
        kind: .configuration, at: "vendor transifex",
        detail: "one of the keys organization, project and resource is missing")
    }
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL),
      authentication: .authorization(scheme: "Bearer"), accept: TransifexClient.mediaType, pace: pace,
      environment: environment)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: TransifexPlatform(
        client: TransifexClient(http: http, project: identifiers.project, resource: identifiers.resource)),
      locales: codes(settings),
      settings: PlatformSettings(settings), environment: environment)
  }
}
