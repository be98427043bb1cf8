internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `azure`: Azure AI Translator, version 3.
package enum AzureKind: VendorKind {
  package static let name = "azure"
  package static let summary = "Translates with Azure AI Translator."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true)
  package static let options =
    [
      .credentials("A key of the Translator resource.", isRequired: true),
      VendorOption(
        "region", .text, "The resource's region, such as `westeurope`; required for keys of a single region."),
      VendorOption("category", .text, "The category ID of a custom model."),
      VendorOption("url", .url, "The API's address.", default: standardURL),
      .locales,
    ] + EngineSettings.options

  static let standardURL = "https://api.cognitive.microsofttranslator.com"
  static let pace = PaceSettings(perSecond: 5, burst: 5, concurrent: 2)
  static let exceptions: [LocaleIdentifier: String] = [
    "pt-BR": "pt", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "no": "nb", "sr": "sr-Cyrl", "mn": "mn-Cyrl",
  ]

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let http = VendorHTTP(
      vendor: name, base: try settings.url(default: standardURL),
      authentication: .header("Ocp-Apim-Subscription-Key"), pace: pace, environment: environment)
    let locales = settings.locales(.hyphen, exceptions: exceptions)
    let service = AzureService(
      http: http, locales: locales, region: settings.options.text("region"),
      category: settings.options.text("category"), fingerprint: settings.fingerprint)
    return EngineVendor(
      name: settings.defaultName(of: name), engine: MachineEngine(service), locales: locales,
      settings: EngineSettings(settings), environment: environment)
  }
}
