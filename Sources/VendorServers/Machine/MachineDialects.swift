internal import Foundation
internal import TestSupport
import Testing

/// The APIs of the machine translation vendors, with only the requests that the adapters send. The server records an issue for an unknown request.
package enum MachineDialects {
  private static func texts(_ value: Any?) -> [String] {
    let texts = value as? [String]
    if texts?.isEmpty != false { Issue.record("no texts") }
    return texts ?? []
  }

  private static func value(_ text: String?) -> Any { text ?? NSNull() as Any }

  /// Returns the dialect of DeepL's API. Requests are checked against DeepL's published specification, if the specification's file exists.
  /// - Parameters:
  ///   - glossaries: the glossaries of the account.
  ///   - seen: a function that is called with the body of each translation request.
  package static func deepl(
    glossaries: DeepLAccount = DeepLAccount(), seen: @escaping @Sendable ([String: Any]) -> Void = { _ in }
  ) throws -> MachineServer.Dialect {
    let specification = try OpenAPIDocument("deepl/openapi.yaml")
    return MachineServer.Dialect(
      read: { request in
        for fault in specification?.faults(of: request) ?? [] { Issue.record("\(fault)") }
        guard request.header("Authorization") == "DeepL-Auth-Key secret-token" else {
          return .other(.json(["message": "Invalid key"], status: 403))
        }
        switch (request.method, "/" + request.path.joined(separator: "/")) {
        case ("GET", "/v2/languages"):
          #expect(request.query == ["type": "target"])
          return .other(.json(["UK", "DE", "EN-US", "PT-BR"].map { ["language": $0, "name": $0] }))
        case ("GET", "/v2/usage"):
          return .other(.json(["character_count": 10, "character_limit": 500_000]))
        case (_, "/v2/glossary-language-pairs"), (_, "/v2/glossaries"), ("DELETE", _):
          return glossaries.respond(to: request).map { .other($0) } ?? .unknown
        case ("POST", "/v2/translate"):
          let body = MachineServer.object(
            request,
            required: [
              "text", "source_lang", "target_lang", "preserve_formatting", "split_sentences", "tag_handling",
              "ignore_tags",
            ], optional: ["context", "formality", "glossary_id"])
          seen(body)
          #expect(texts(body["text"]).count <= 50)
          return .translate(texts(body["text"]))
        default: return .unknown
        }
      },
      respond: { texts in
        .json(["translations": texts.map { ["detected_source_language": "EN", "text": value($0)] }])
      }, spent: .json(["message": "Quota Exceeded"], status: 456))
  }

  package static func google() -> MachineServer.Dialect {
    MachineServer.Dialect(
      read: { request in
        guard request.header("X-Goog-Api-Key") == "secret-token" else {
          return .other(.json(["error": ["code": 403, "message": "no key"]], status: 403))
        }
        switch (request.method, "/" + request.path.joined(separator: "/")) {
        case ("GET", "/language/translate/v2/languages"):
          return .other(.json(["data": ["languages": ["uk", "de", "zh-CN"].map { ["language": $0] }]]))
        case ("POST", "/language/translate/v2"):
          let body = MachineServer.object(request, required: ["q", "source", "target", "format"])
          #expect(body["format"] as? String == "html" && body["source"] as? String == "en")
          return .translate(texts(body["q"]))
        default: return .unknown
        }
      },
      respond: { texts in
        .json(["data": ["translations": texts.map { ["translatedText": value($0.map(withReferences))] }]])
      },
      spent: .json(
        ["error": ["code": 403, "message": "Daily Limit Exceeded", "errors": [["reason": "dailyLimitExceeded"]]]],
        status: 403))
  }

  /// Returns HTML with quotation marks and apostrophes as character references, as Google returns them. Tags stay the same.
  private static func withReferences(_ html: String) -> String {
    html.split(separator: "<", omittingEmptySubsequences: false).enumerated().map { index, part in
      let text = index == 0 ? part.startIndex : part.firstIndex(of: ">") ?? part.endIndex
      return part[..<text] + part[text...].replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }.joined(separator: "<")
  }

  package static func azure() -> MachineServer.Dialect {
    MachineServer.Dialect(
      read: { request in
        switch (request.method, "/" + request.path.joined(separator: "/")) {
        case ("GET", "/languages"):
          #expect(request.query == ["api-version": "3.0", "scope": "translation"])
          let names = ["uk", "de", "zh-Hans"].map { ($0, ["name": $0, "dir": "ltr"]) }
          return .other(.json(["translation": Dictionary(uniqueKeysWithValues: names)]))
        case ("POST", "/translate"):
          guard request.header("Ocp-Apim-Subscription-Key") == "secret-token" else {
            return .other(.json(["error": ["code": 401_000, "message": "no key"]], status: 401))
          }
          let query = request.query
          #expect(Set(query.keys) == ["api-version", "from", "to", "textType"] && query["textType"] == "html")
          let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [[String: String]] ?? []
          #expect(body.allSatisfy { Set($0.keys) == ["Text"] } && !body.isEmpty && body.count <= 25)
          return .translate(body.compactMap { $0["Text"] })
        default: return .unknown
        }
      },
      respond: { texts in
        .json(texts.map { ["translations": $0.map { [["text": $0, "to": "uk"]] } ?? []] })
      },
      spent: .json(
        ["error": ["code": 403_000, "message": "The subscription has exceeded its free quota."]], status: 403))
  }

  /// Returns the dialect of LibreTranslate's API. Requests are checked against the server's own description, if the description's file exists.
  package static func libreTranslate() throws -> MachineServer.Dialect {
    let specification = try OpenAPIDocument("mt/libretranslate/openapi-assembled.json")
    return MachineServer.Dialect(
      read: { request in
        // The description defines only forms. The server also accepts JSON, which the description's own examples use.
        for fault in specification?.faults(of: request) ?? [] where !fault.hasSuffix("no body of type application/json")
        {
          Issue.record("\(fault)")
        }
        switch (request.method, "/" + request.path.joined(separator: "/")) {
        case ("GET", "/languages"):
          return .other(.json(["uk", "de"].map { ["code": $0, "name": $0, "targets": ["en"]] }))
        case ("POST", "/translate"):
          let body = MachineServer.object(request, required: ["q", "source", "target", "format", "api_key"])
          #expect(body["api_key"] as? String == "secret-token")
          return .translate(texts(body["q"]))
        default: return .unknown
        }
      }, respond: { texts in .json(["translatedText": texts.map(value)]) },
      spent: nil)
  }
}
