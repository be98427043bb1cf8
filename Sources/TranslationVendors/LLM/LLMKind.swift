internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `llm`: a language model behind an OpenAI-compatible or Anthropic endpoint.
package enum LLMKind: VendorKind {
  package static let name = "llm"
  package static let summary =
    "Translates with a language model, over any OpenAI-compatible endpoint or Anthropic's API."
  package static let capabilities = VendorCapabilities(
    exchange: .texts, plurals: true, comments: true, lengthLimits: true, glossary: true)
  package static let options =
    [
      VendorOption("model", .text, "The model's name, as the endpoint spells it.", isRequired: true),
      VendorOption(
        "api", .choice(LLMSettings.API.allCases.map(\.rawValue)),
        "`openai`: chat completions, which OpenAI and many servers support. `anthropic`: Anthropic's messages.",
        default: "openai"),
      VendorOption(
        "url", .url,
        "The address up to the version. Default: \(LLMSettings.API.allCases.map { "`\($0.standardURL)`" }.joined(separator: " or "))."
      ),
      .credentials("The API key."),
      VendorOption(
        "style", .text,
        "A style guide for the model: the text itself, or `file:` and the absolute path of a text file outside any repository."
      ),
      VendorOption(
        "glossary", .terms,
        "Terms and their translations: `{ Dragoman: Dragoman, de: { bird: Vogel } }`. A term that is its own translation must stay as it is."
      ),
      VendorOption(
        "glossary_file", .text,
        "A glossary in TBX or CSV: an absolute path outside any repository. Terms of `glossary` take precedence."),
      VendorOption("batch", .number(1...100), "The maximum number of texts in a request.", default: "20"),
      VendorOption(
        "corrections", .number(0...5),
        "How often a text is requested again after a wrong answer. The request names the fault.",
        default: "1"),
      VendorOption(
        "price", .decimals(["input", "output"]),
        "The price of a million tokens, in any currency: `{ input: 2.50, output: 10 }`."),
      VendorOption(
        "limit", .decimal,
        "The maximum cost of a round, in the currency of `price`. No request is sent that is expected to exceed it."),
      VendorOption("tokens", .number(256...200_000), "The maximum number of tokens in an answer.", default: "8192"),
      VendorOption(
        "tokens_key", .choice(LLMSettings.TokensKey.allCases.map(\.rawValue)),
        "The name of `tokens` in requests of `api: openai`. Some servers support only the older `max_tokens`.",
        default: "max_completion_tokens"),
      VendorOption(
        "format", .choice(LLMSettings.Format.allCases.map(\.rawValue)),
        "The way to get JSON from the model: a schema, any JSON object (`openai` only), a forced tool (`anthropic` only), or only the prompt (`text`).",
        default: "schema"),
      VendorOption(
        "temperature", .decimal,
        "The sampling temperature. If it is not set, it is not sent, because some models refuse it."),
      VendorOption("timeout", .duration, "The maximum duration of a request.", default: "10m"),
      VendorOption(
        "locales", .languages,
        "The name of the target language for the model, if the language's code is not enough: `sr: Serbian in Latin script`."
      ),
    ] + EngineSettings.options

  package static func check(_ settings: VendorSettings) throws(VendorError) {
    var settings = settings
    // The files may be on another machine, so the files are not read here. Only the form of the paths is checked.
    if let style = settings.options.text("style"), style.hasPrefix("file:"),
      style.dropFirst(5).first(where: { $0 != " " }) == "/"
    {
      settings.options["style"] = nil
    }
    if settings.options.text("glossary_file")?.hasPrefix("/") == true { settings.options["glossary_file"] = nil }
    _ = try LLMSettings(settings)
  }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let own = try LLMSettings(settings, shared: environment.glossary())
    let vendorName = settings.defaultName(of: name)
    let books = LLMBooks(
      folder: environment.stateFolder, vendor: vendorName, price: own.price, limit: own.limit, now: environment.now)
    let http = VendorHTTP(
      vendor: name, base: try HTTPURL(own.url), authentication: own.api.authentication, pace: pace,
      environment: environment)
    return EngineVendor(
      name: vendorName,
      engine: LLMEngine(
        settings: own, client: LLMClient(settings: own, http: http, books: books, environment: environment),
        books: books),
      locales: settings.locales(.hyphen),
      settings: EngineSettings(settings), environment: environment)
  }

  /// The limits for requests. They do not correspond to limits of the endpoints, which differ by account and mostly concern tokens. An endpoint
  /// returns 429 if its own limit is exceeded.
  static let pace = PaceSettings(perSecond: 2, burst: 4, concurrent: 4)
}
