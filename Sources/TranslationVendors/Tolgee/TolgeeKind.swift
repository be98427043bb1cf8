internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `tolgee`.
package enum TolgeeKind: VendorKind {
  package static let name = "tolgee"
  package static let summary = "Keeps strings as keys of a Tolgee project, with a namespace for each catalog."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, webhooks: true)
  package static let options =
    [
      VendorOption(
        "project", .text, "The project's number, which is part of the address of its page.", isRequired: true),
      .credentials(
        "An API key with permission to view, create, edit and delete keys and to view and edit translations.",
        isRequired: true),
      VendorOption("url", .url, "The server's address.", default: standardURL),
      VendorOption("branch", .text, "The branch of the project.", default: "the project's default branch"),
      .locales, .webhook,
    ] + PlatformSettings.options

  static let standardURL = "https://app.tolgee.io"
  /// The limits for requests. By default, the server allows each user 400 requests a minute.
  static let pace = PaceSettings(perSecond: 5, burst: 10, concurrent: 2)

  package static let webhook: VendorWebhook? = .stamped(header: "Tolgee-Signature")

  package static func place(of settings: VendorSettings) -> String? {
    settings.placeOfBranch(default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales { settings.locales(.hyphen) }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    guard project.allSatisfy(\.isASCII), project.allSatisfy(\.isNumber) else {
      throw VendorError(
        kind: .configuration, at: "vendor tolgee",
        detail: "project: “\(project)” is not a number. The address of its page contains it: /projects/NUMBER")
    }
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL), authentication: .header("X-API-Key"), pace: pace,
      environment: environment, pauseInBody: TolgeeMessages.RateLimit.pause)
    let locales = codes(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: TolgeePlatform(
        client: TolgeeClient(http: http, project: project, branch: settings.options.text("branch")), locales: locales),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
