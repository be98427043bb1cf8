internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `weblate`. The strings of each catalog are in one component of a Weblate project.
package enum WeblateKind: VendorKind {
  package static let name = "weblate"
  package static let summary = "Keeps the strings of each catalog in a component of a Weblate project."
  package static let capabilities = VendorCapabilities(
    exchange: .strings, plurals: true, comments: true, reviewStates: true, lengthLimits: true, glossary: true,
    webhooks: true, archive: true)
  package static let options =
    [
      VendorOption("url", .url, "The address of the Weblate server.", default: standardURL),
      VendorOption(
        "project", .text, "The project's name in its address. Dragoman adds a component for each catalog.",
        isRequired: true),
      .credentials("An API token of a member of the project's team Administration.", isRequired: true),
      VendorOption(
        "requests", .number(60...1_000_000), "The average number of requests an hour.", default: "\(standardRequests)"),
      VendorOption(
        "flags", .text, "The Weblate flags for new components, separated by commas. Flags select Weblate's checks.",
        default: standardFlags),
      .locales, .webhook,
    ] + PlatformSettings.options

  /// The address of the server that Weblate's makers host.
  static let standardURL = "https://hosted.weblate.org"
  /// Weblate's default limit of requests an hour for each user.
  static let standardRequests = 5000
  static let standardFlags = "objc-format"
  /// Weblate's language codes by our language tags, for languages where the two differ in more than the separator (observed in version 2026.10.1).
  static let exceptions: [LocaleIdentifier: String] = [
    "ca-valencia": "ca@valencia", "yue": "yue_Hant", "zh-HK": "zh_Hant_HK",
  ]

  package static let webhook: VendorWebhook? = .standard

  package static func place(of settings: VendorSettings) -> String? {
    settings.options.text("project").map { "\(address(of: settings)) \($0)" }
  }

  /// Returns the server's address. `/api` at the end is removed, because people also copy the address of the API.
  private static func address(of settings: VendorSettings) -> String {
    let address = CanonicalPlace.address(settings.options.text("url") ?? standardURL)
    return address.hasSuffix("/api") ? String(address.dropLast(4)) : address
  }

  package static func vendorName(of settings: VendorSettings) -> String? {
    if let name = settings.givenName { return name }
    guard let project = settings.options.text("project"), let base = try? HTTPURL(address(of: settings)) else {
      return nil
    }
    return "weblate:\(base.host)/\(project)"
  }

  static func locales(_ settings: VendorSettings) -> VendorLocales {
    settings.locales(.underscore, exceptions: exceptions)
  }

  package static func locales(of settings: VendorSettings) -> VendorLocales? { locales(settings) }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    guard let project = settings.options.text("project"), !project.isEmpty else {
      throw VendorError(kind: .configuration, at: "vendor weblate", detail: "the key project is missing")
    }
    guard !project.contains("/") else {
      throw VendorError(
        kind: .configuration, at: "project of the vendor weblate",
        detail: "“\(project)” is not a project. Use only the last part of its address")
    }
    let base = try HTTPURL(address(of: settings))
    let hourly = Double(settings.options.number("requests") ?? standardRequests)
    let http = VendorHTTP(
      vendor: name, base: base, authentication: .authorization(scheme: "Token"),
      pace: PaceSettings(perSecond: hourly / 3600, burst: 60, concurrent: 2), environment: environment)
    let locales = locales(settings)
    return PlatformVendor(
      name: vendorName(of: settings) ?? name,
      platform: WeblatePlatform(
        client: WeblateClient(http: http, project: project), place: place(of: settings) ?? project, locales: locales,
        flags: settings.options.text("flags") ?? standardFlags, environment: environment),
      locales: locales, settings: PlatformSettings(settings), environment: environment)
  }
}
