internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `deepl`.
package enum DeepLKind: VendorKind {
  package static let name = "deepl"
  package static let summary = "Translates with DeepL."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true, comments: true, glossary: true)
  package static let options =
    [
      .credentials("A DeepL API key. Keys that end with `:fx` use the address of the free plan.", isRequired: true),
      VendorOption(
        "url", .url,
        "The API's address. Default: `https://api.deepl.com`, or `https://api-free.deepl.com` for free keys."),
      VendorOption(
        "formality", .choice(["default", "more", "less", "prefer_more", "prefer_less"]),
        "The formality of translations. `more` and `less` fail for languages without such forms.", default: "default"
      ),
      VendorOption(
        "glossaries", .languages,
        "The ID of a DeepL glossary for a language: `{ de: def3a26b-3e84-45b3-84ae-0c0aaf3525f7 }`."),
      VendorOption(
        "context", .choice(["comment", "none"]),
        "Whether a text's comment is sent as its context. DeepL accepts one context per request.", default: "comment"
      ),
      .locales,
    ] + EngineSettings.options

  static let freeURL = "https://api-free.deepl.com"
  static let standardURL = "https://api.deepl.com"
  /// The limits for requests. DeepL documents no limit, but returns 429 if it gets too many requests.
  static let pace = PaceSettings(perSecond: 5, burst: 5, concurrent: 2)
  /// DeepL's language codes by our language tags, for languages where the two differ. For example, DeepL requires a region for English and
  /// Portuguese.
  static let exceptions: [LocaleIdentifier: String] = [
    "en": "EN-US", "pt": "PT-PT", "no": "NB", "zh-CN": "ZH-HANS", "zh-TW": "ZH-HANT",
  ]

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    var url = settings.options.text("url")
    if url == nil { url = try environment.secret()?.reveal().hasSuffix(":fx") == true ? freeURL : standardURL }
    let http = VendorHTTP(
      vendor: name, base: try HTTPURL(url ?? standardURL), authentication: .authorization(scheme: "DeepL-Auth-Key"),
      pace: pace, environment: environment)
    let locales = settings.locales(.hyphen, exceptions: exceptions)
    let glossaries = settings.options.languages("glossaries") ?? [:]
    let service = DeepLService(
      http: http, formality: settings.options.text("formality") ?? "default",
      glossaries: Dictionary(glossaries.map { (locales.code(of: $0.key).uppercased(), $0.value) }) { first, _ in first
      },
      shared: DeepLGlossaries(
        http: http, pipeline: environment.pipeline, installation: environment.installation, read: environment.glossary),
      takesComments: settings.options.text("context") != "none", settings: settings.fingerprint)
    return EngineVendor(
      name: settings.defaultName(of: name), engine: MachineEngine(service), locales: locales,
      settings: EngineSettings(settings), environment: environment)
  }
}
