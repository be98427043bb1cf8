// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// Version 2 of DeepL's API for texts, implemented from its published specification.
struct DeepLService: MachineTranslationService {
  static let kind = "deepl"
  static let marking = ProtectedText.Marking.xml
  /// The maximum number of texts in one request. The API accepts at most 50 texts and 128 KiB. The limit of bytes determines ``batchCharacters``: a
  /// character takes up to 4 bytes, or more if JSON escapes it.
  let batchSize = 50
  let batchCharacters = 20_000
  let http: VendorHTTP
  let formality: String
  /// The IDs of the glossaries in the pipeline file, by the code of the target language in upper case.
  let glossaries: [String: String]
  /// The glossaries that are made from the pipeline's glossary, for languages that `glossaries` does not contain.
  let shared: DeepLGlossaries
  let takesComments: Bool
  /// The fingerprint of the settings in the pipeline file.
  let settings: String

  var fingerprint: String { settings + shared.digest }

  private struct Question: Encodable {
    var text: [String]
    var source_lang: String
    var target_lang: String
    var context: String?
    var formality: String?
    var glossary_id: String?
    var preserve_formatting = true
    var split_sentences = "nonewlines"
    var tag_handling = "xml"
    var ignore_tags = ["x"]
  }

  private struct Response: Decodable {
    struct Translation: Decodable {
      var text: String?
    }
    var translations: [Translation?]
  }

  private struct Language: Decodable {
    var language: String
  }

  private struct Usage: Decodable {
    var character_count: Int
    var character_limit: Int
  }

  func languages() async throws -> [String] {
    try await http.json(
      VendorHTTP.Request("GET", ["v2", "languages"], query: [("type", "target")]), as: [Language].self
    ).map(\.language)
  }

  func probe() async throws -> VendorProbe? {
    let usage = try await http.json(VendorHTTP.Request("GET", ["v2", "usage"]), as: Usage.self)
    var probe = VendorProbe(
      facts: ["The key is accepted.", "\(usage.character_count) of \(usage.character_limit) characters are used."])
    if usage.character_count >= usage.character_limit {
      probe.faults.append("The account's character limit is used up. Wait for the next month, or change the plan.")
    }
    return probe
  }

  func translate(
    _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
  ) async throws -> [String?] {
    var glossary = glossaries[code.uppercased()]
    if glossary == nil { glossary = try await shared.id(from: source, to: code) }
    let question = Question(
      text: texts, source_lang: Self.sourceCode(of: source), target_lang: code, context: comment,
      formality: formality == "default" ? nil : formality, glossary_id: glossary)
    let request = try VendorHTTP.Request("POST", ["v2", "translate"], json: question)
    do {
      return try await http.json(request, as: Response.self).translations.map { $0?.text }
    } catch let error as TransportError where error.kind == .status(456) {
      throw VendorError(
        kind: .limitReached, at: "deepl: translate",
        detail: "the account's character limit is used up. Wait for the next month, or change the plan")
    } catch {
      // Somebody may have deleted the glossary, so the next request looks for it again.
      await shared.forget()
      throw error
    }
  }

  /// Returns DeepL's code of a source language. The code has no region.
  static func sourceCode(of language: LocaleIdentifier) -> String {
    let code = language.rawValue.prefix { $0 != "-" }.uppercased()
    return code == "NO" ? "NB" : code
  }
}
