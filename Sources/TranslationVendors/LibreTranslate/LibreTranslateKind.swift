internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `libretranslate`: a server with the free software LibreTranslate, which teams can run themselves.
package enum LibreTranslateKind: VendorKind {
  package static let name = "libretranslate"
  package static let summary = "Translates with a LibreTranslate server."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true)
  package static let options =
    [
      VendorOption("url", .url, "The server's address.", isRequired: true),
      .credentials("An API key, if the server requires one."),
      VendorOption(
        "batch", .number(1...1000), "The maximum number of texts in a request; servers have their own limit.",
        default: "25"),
      VendorOption(
        "characters", .number(100...1_000_000),
        "The maximum number of characters in a request; servers have their own limit.",
        default: "5000"),
      .locales,
    ] + EngineSettings.options

  static let pace = PaceSettings(perSecond: 2, burst: 2, concurrent: 1)

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let url = try settings.required("url", of: name)
    // The key is sent in the JSON of the request, not in a header.
    let http = VendorHTTP(
      vendor: name, base: try HTTPURL(url), authentication: .none, pace: pace, environment: environment)
    let locales = settings.locales(.hyphen)
    let service = LibreTranslateService(
      http: http, locales: locales, batchSize: settings.options.number("batch") ?? 25,
      batchCharacters: settings.options.number("characters") ?? 5000, fingerprint: settings.fingerprint,
      secret: environment.secret)
    return EngineVendor(
      name: settings.defaultName(of: name), engine: MachineEngine(service), locales: locales,
      settings: EngineSettings(settings), environment: environment)
  }
}
