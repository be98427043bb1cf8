internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `crowdin`.
package enum CrowdinKind: VendorKind {
  package static let name = "crowdin"
  package static let summary = "Keeps strings in a file-based or string-based Crowdin project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, glossary: true,
    webhooks: true, archive: true)
  package static let options =
    [
      VendorOption("project", .text, "The project's number, shown on its page under Tools, API.", isRequired: true),
      .credentials(
        "A personal access token with the scopes for projects, source files and strings, and translations.",
        isRequired: true),
      VendorOption(
        "url", .url, "The API's address. Crowdin Enterprise: `https://ORGANIZATION.api.crowdin.com/api/v2`.",
        default: standardURL),
      VendorOption(
        "branch", .text,
        "The branch of the project; it must exist. Required for a string-based project with several branches.",
        default: "no branch; in a string-based project, the only one"),
      VendorOption(
        "changed", .choice(Changed.allCases.map(\.rawValue)),
        "What happens at Crowdin to translations whose source text changes. Kept translations are accepted after approval.",
        default: Changed.clear.rawValue),
      .locales, .webhook,
    ] + PlatformSettings.options

  /// What Crowdin does with a string's translations when the source text changes.
  enum Changed: String, Sendable, CaseIterable {
    /// The translations are removed from the string, and stay in Crowdin's translation memory.
    case clear
    /// The translations stay, but lose their approvals.
    case keep
  }

  static let standardURL = "https://api.crowdin.com/api/v2"
  /// The limits for requests. Crowdin allows 20 concurrent requests for each account, and slows down users who send more than 10 requests a second.
  static let pace = PaceSettings(perSecond: 8, burst: 10, concurrent: 4)
  /// Crowdin's language codes by our language tags, for languages where the two differ. Most of these codes have a region that other systems omit.
  static let exceptions: [LocaleIdentifier: String] = [
    "br": "br-FR", "ca-valencia": "val-ES", "es": "es-ES", "fy": "fy-NL", "ga": "ga-IE", "gu": "gu-IN", "hy": "hy-AM",
    "ml": "ml-IN", "ne": "ne-NP", "nn": "nn-NO", "pa": "pa-IN", "pt": "pt-PT", "rm": "rm-CH", "si": "si-LK",
    "sr-Latn": "sr-CS", "sv": "sv-SE", "ur": "ur-PK", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW",
  ]

  /// A custom header that contains the secret. Crowdin does not sign webhook requests, but can send custom headers with them.
  package static let webhook: VendorWebhook? = .secret(header: "X-Dragoman-Secret")

  package static func place(of settings: VendorSettings) -> String? {
    settings.placeOfBranch(default: standardURL)
  }

  private static func codes(_ settings: VendorSettings) -> VendorLocales {
    settings.locales(.hyphen, exceptions: exceptions)
  }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { codes(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let project = try settings.required("project", of: name)
    guard project.allSatisfy(\.isASCII), project.allSatisfy(\.isNumber) else {
      throw VendorError(
        kind: .configuration, at: "vendor crowdin",
        detail: "project: “\(project)” is not a number. Crowdin shows it on the project's page under Tools, API.")
    }
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL), authentication: .authorization(scheme: "Bearer"),
      pace: pace, environment: environment)
    let locales = codes(settings)
    let changed = settings.options.text("changed").flatMap(Changed.init) ?? .clear
    let givenName = vendorName(of: settings) ?? name
    let times =
      changed == .keep
      ? CrowdinTextTimes(folder: environment.stateFolder, vendor: givenName, isReadOnly: environment.isReadOnly) : nil
    return PlatformVendor(
      name: givenName,
      platform: CrowdinPlatform(
        client: CrowdinClient(
          http: http, project: project, branch: settings.options.text("branch"), changed: changed,
          sleep: environment.sleep),
        locales: locales, place: place(of: settings) ?? project, times: times),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
