internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `poeditor`.
package enum POEditorKind: VendorKind {
  package static let name = "poeditor"
  package static let summary = "Keeps strings as terms of a POEditor project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true)
  package static let options =
    [
      VendorOption(
        "project", .text, "The project's number, which is part of the address of its page.", isRequired: true),
      .credentials("An API token with permission to write.", isRequired: true),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      .locales,
    ] + PlatformSettings.options

  static let standardURL = "https://api.poeditor.com/v2"
  /// The limits for requests. A free account may send 100 requests a minute and 2000 an hour, and should send one request at a time
  /// (poeditor.com/docs/api_rates). The pace does not take the hourly limit into account. If this limit is exceeded, the server returns 429.
  static let pace = PaceSettings(perSecond: 1.5, burst: 5, concurrent: 1)
  static let exceptions: [LocaleIdentifier: String] = ["zh-Hans": "zh-CN", "zh-Hant": "zh-TW"]

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
    // The token is not sent in a header, but as a field of each form.
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL), authentication: .none, pace: pace,
      environment: environment)
    let locales = codes(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: POEditorPlatform(
        client: POEditorClient(http: http, project: project, secret: environment.secret), locales: locales),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
