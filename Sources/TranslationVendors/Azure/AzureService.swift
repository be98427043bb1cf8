// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// Version 3 of Azure AI Translator's API, implemented from its published parameters and examples.
struct AzureService: MachineTranslationService {
  static let kind = "azure"
  static let marking = ProtectedText.Marking.html
  /// The maximum number of texts in one request. This limit and ``batchCharacters`` are from the vendor's specification; its newer documentation
  /// allows more.
  let batchSize = 25
  let batchCharacters = 5000
  let http: VendorHTTP
  let locales: VendorLocales
  let region: String?
  let category: String?
  let fingerprint: String

  private struct Question: Encodable {
    var Text: String
  }

  private struct Element: Decodable {
    struct Translation: Decodable {
      var text: String?
    }
    var translations: [Translation?]?
  }

  private struct Languages: Decodable {
    struct Language: Decodable {}
    var translation: [String: Language]
  }

  private var headers: [(name: String, value: String)] {
    region.map { [("Ocp-Apim-Subscription-Region", $0)] } ?? []
  }

  func languages() async throws -> [String] {
    let request = VendorHTTP.Request(
      "GET", ["languages"], query: [("api-version", "3.0"), ("scope", "translation")], headers: headers)
    return try await http.json(request, as: Languages.self).translation.keys.sorted()
  }

  /// Translates one letter to check the key, because the list of languages needs no key.
  func probe() async throws -> VendorProbe? {
    _ = try await translate(["a"], comment: nil, from: "en", to: "de")
    return VendorProbe(facts: ["The key is accepted."])
  }

  func translate(
    _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
  ) async throws -> [String?] {
    var query = [("api-version", "3.0"), ("from", locales.code(of: source)), ("to", code), ("textType", "html")]
    if let category { query.append(("category", category)) }
    let request = try VendorHTTP.Request(
      "POST", ["translate"], query: query.map { (name: $0.0, value: $0.1) }, headers: headers,
      json: texts.map { Question(Text: $0) })
    do {
      return try await http.json(request, as: [Element?].self).map { $0?.translations?.first??.text }
    } catch let error as TransportError where error.kind == .status(403) && error.detail.contains("quota") {
      throw VendorError(
        kind: .limitReached, at: "azure: translate",
        detail: "the subscription's quota is used up. Wait for the next month, or change the plan")
    }
  }
}
