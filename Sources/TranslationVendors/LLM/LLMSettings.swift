internal import Localization

/// The checked settings of a vendor `llm` from a pipeline file.
struct LLMSettings: Sendable {
  enum API: String, CaseIterable, Sendable {
    case openai, anthropic

    var standardURL: String {
      switch self {
      case .openai: "https://api.openai.com/v1"
      case .anthropic: "https://api.anthropic.com/v1"
      }
    }

    var authentication: VendorHTTP.Authentication {
      switch self {
      case .openai: .authorization(scheme: "Bearer")
      case .anthropic: .header("X-Api-Key")
      }
    }

    fileprivate var formats: [Format] {
      switch self {
      case .openai: [.schema, .object, .text]
      case .anthropic: [.schema, .tool, .text]
      }
    }

    /// The maximum temperature.
    fileprivate var hottest: Double {
      switch self {
      case .openai: 2
      case .anthropic: 1
      }
    }
  }

  enum TokensKey: String, CaseIterable, Sendable {
    case current = "max_completion_tokens"
    case older = "max_tokens"
  }

  enum Format: String, CaseIterable, Sendable { case schema, object, tool, text }

  let api: API
  let url: String
  let model: String
  let style: String?
  let glossary: LLMGlossary
  /// The digest of `glossary_file`, or else of the pipeline's glossary; empty if there is neither.
  let glossaryDigest: String
  let batch: Int
  let corrections: Int
  let price: LLMPrice?
  let limit: LLMCost?
  let tokens: Int
  let tokensKey: TokensKey
  let format: Format
  let temperature: Double?
  let timeout: Duration

  /// - Parameter shared: the pipeline's glossary, which is used if there is no `glossary_file`.
  init(_ settings: VendorSettings, shared: SharedGlossary? = nil) throws(VendorError) {
    let options = settings.options
    guard let model = options.text("model") else { throw Self.fault("model", "the key `model` is missing") }
    api = options.text("api").flatMap(API.init) ?? .openai
    url = options.text("url") ?? api.standardURL
    self.model = model
    style = try options.text("style").map { (value) throws(VendorError) in try LLMStyle.text(value) }
    let file = try options.text("glossary_file").map { (path) throws(VendorError) in try Self.glossary(at: path) }
    glossary = LLMGlossary(options.terms("glossary"), file: file?.glossary ?? shared?.glossary ?? Glossary())
    glossaryDigest = file?.digest ?? shared?.digest ?? ""
    batch = options.number("batch") ?? 20
    corrections = options.number("corrections") ?? 1
    tokens = options.number("tokens") ?? 8192
    tokensKey = options.text("tokens_key").flatMap(TokensKey.init) ?? .current
    format = options.text("format").flatMap(Format.init) ?? .schema
    timeout = options.duration("timeout") ?? .seconds(600)
    guard timeout >= .seconds(1) else { throw Self.fault("timeout", "a model needs at least 1s to respond") }
    guard api.formats.contains(format) else {
      throw Self.fault(
        "format",
        "`api: \(api.rawValue)` does not support `format: \(format.rawValue)`. Use \(api.formats.map(\.rawValue).joined(separator: ", "))"
      )
    }
    temperature = try options.text("temperature").map { [api] (text) throws(VendorError) in
      guard let value = Double(text), (0...api.hottest).contains(value) else {
        throw Self.fault("temperature", "\(text) is not a number from 0 to \(Int(api.hottest))")
      }
      return value
    }
    price = try options.names("price").map { (price) throws(VendorError) in
      guard let price = LLMPrice(input: price["input"] ?? "", output: price["output"] ?? "") else {
        throw Self.fault("price", "`input` and `output` must be numbers up to 10000 with at most 6 decimals")
      }
      return price
    }
    limit = try options.text("limit").map { (text) throws(VendorError) in
      guard let limit = LLMCost(text) else {
        throw Self.fault("limit", "\(text) is not a number up to 1000000 with at most 6 decimals")
      }
      return limit
    }
    if limit != nil, price == nil {
      throw Self.fault("limit", "a limit needs the price of tokens. Add `price: { input: …, output: … }`")
    }
  }

  /// An identifier of the settings that affect which texts are refused (``TranslationEngine/fingerprint``): endpoint, model, style guide, glossary,
  /// format, token limit and corrections.
  var fingerprint: String {
    var digest = ContentDigest()
    for text in [api.rawValue, url, model, style ?? "", glossary.description, glossaryDigest, format.rawValue] {
      digest.update(text: text)
    }
    for number in [tokens, corrections] { digest.update(number: number) }
    return String(digest.finishHexadecimal().prefix(16))
  }

  private static func glossary(at path: String) throws(VendorError) -> (glossary: Glossary, digest: String) {
    let bytes = try OperatorFile.bytes(of: path, key: "glossary_file", limit: 16 << 20)
    do { return (try Glossary.read(bytes, at: path).glossary, ContentDigest.hexadecimal(of: bytes)) } catch {
      throw fault("glossary_file", error.diagnostics.map(\.description).joined(separator: "; "))
    }
  }

  static func fault(_ key: String, _ detail: String) -> VendorError {
    VendorError(kind: .configuration, at: "vendor llm: \(key)", detail: detail)
  }
}
