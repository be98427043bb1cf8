// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// LibreTranslate's API, implemented from the description that the server publishes.
struct LibreTranslateService: MachineTranslationService {
  static let kind = "libretranslate"
  static let marking = ProtectedText.Marking.html
  let http: VendorHTTP
  let locales: VendorLocales
  let batchSize: Int
  let batchCharacters: Int
  let fingerprint: String
  let secret: @Sendable () throws -> Secret?

  private struct Question: Encodable {
    var q: [String]
    var source: String
    var target: String
    var format = "html"
    var api_key: String?
  }

  private struct Response: Decodable {
    var translatedText: [String?]
  }

  private struct Language: Decodable {
    var code: String
  }

  func languages() async throws -> [String] {
    try await http.json(VendorHTTP.Request("GET", ["languages"]), as: [Language].self).map(\.code)
  }

  /// Translates one letter to check whether the server refuses the key or requires one, because the list of languages needs no key.
  func probe() async throws -> VendorProbe? {
    guard let code = try await languages().first else {
      return VendorProbe(faults: ["The server has no languages. Check its log for missing models."])
    }
    _ = try await translate(["a"], comment: nil, from: "en", to: code)
    let access = VendorAccess(try secret(), isChecked: false)
    return VendorProbe(facts: [access.sentence("key")])
  }

  func translate(
    _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
  ) async throws -> [String?] {
    let question = Question(
      q: texts, source: locales.code(of: source), target: code, api_key: try secret()?.reveal())
    let request = try VendorHTTP.Request("POST", ["translate"], json: question)
    return try await http.json(request, as: Response.self).translatedText
  }
}
