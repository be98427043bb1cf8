internal import HTTPTransport
internal import Localization

/// Version 2 of Google Cloud Translation's API, implemented from its discovery document.
struct GoogleService: MachineTranslationService {
  static let kind = "google"
  static let marking = ProtectedText.Marking.html
  /// The maximum number of texts in one request. A request may have at most 128 texts and 30,000 code points (vendor's documentation, unverified).
  let batchSize = 128
  let batchCharacters = 25_000
  let http: VendorHTTP
  let locales: VendorLocales
  let fingerprint: String

  private struct Question: Encodable {
    var q: [String]
    var source: String
    var target: String
    var format = "html"
  }

  private struct Response: Decodable {
    struct Content: Decodable {
      struct Translation: Decodable {
        var translatedText: String?
      }
      var translations: [Translation?]
    }
    var data: Content
  }

  private struct Languages: Decodable {
    struct Content: Decodable {
      struct Language: Decodable {
        var language: String
      }
      var languages: [Language]
    }
    var data: Content
  }

  func languages() async throws -> [String] {
    try await http.json(
      VendorHTTP.Request("GET", ["language", "translate", "v2", "languages"]), as: Languages.self
    ).data.languages.map(\.language)
  }

  func translate(
    _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
  ) async throws -> [String?] {
    let question = Question(q: texts, source: locales.code(of: source), target: code)
    let request = try VendorHTTP.Request("POST", ["language", "translate", "v2"], json: question)
    do {
      return try await http.json(request, as: Response.self).data.translations.map { $0?.translatedText }
    } catch let error as TransportError where error.kind == .status(403) && error.detail.contains("Daily Limit") {
      throw VendorError(
        kind: .limitReached, at: "google: translate",
        detail: "the project's daily limit is reached. Wait until tomorrow, or raise the quota")
    }
  }
}
