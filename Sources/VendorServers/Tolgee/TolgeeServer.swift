internal import Foundation
internal import HTTPTransport
package import Localization
package import TestSupport
import Testing
internal import TranslationVendors

/// A stateful test double of a Tolgee server, with only the requests that the adapter sends. The server has project 7. An issue is recorded for
/// unknown requests, and for plural texts that are not plurals in ICU syntax or lack the form `other`. Requests are checked against the vendor's
/// OpenAPI document, if the document's file exists.
package final class TolgeeServer: Sendable {
  private struct Text {
    var text: String
    var state = "TRANSLATED"
    var outdated = false
    var auto = false
  }

  private struct Key {
    var name: String
    var namespace: String
    var description: String
    var isPlural: Bool
    var tags: Set<String> = []
    var limit = 0
    /// The texts by language tag.
    var texts: [String: Text] = [:]
  }

  /// The contents of the server, which the lock protects.
  private final class State {
    var keys: [Int: Key] = [:]
    var next = 100
    var hasNamespaces = true
  }

  private static let specification = Result { try OpenAPIDocument("tolgee/openapi-assembled.json") }
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  private let document: OpenAPIDocument?
  /// The number of keys on a page: fewer than the adapter requests, so the adapter must read several pages.
  private let page = 3

  package init() throws { document = try Self.specification.get() }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    for fault in document?.faults(of: request) ?? [] { Issue.record("\(fault)") }
    guard request.header("X-API-Key") == "secret-token" else { return Self.refusal(401, "invalid_api_key") }
    guard request.path.starts(with: ["v2", "projects", "7"]) else { return Self.refusal(404, "project_not_found") }
    return lock.withLock {
      let path = Array(request.path.dropFirst(3))
      switch (request.method, path.first, path.count) {
      case ("GET", nil, 0):
        return .json(["id": 7, "useNamespaces": state.hasNamespaces, "baseLanguage": Self.language("en")])
      case ("GET", "languages", 1): return languages(request)
      case ("GET", "translations", 1): return list(request)
      case ("POST", "keys", 2) where path[1] == "import":
        for key in request.object["keys"] as? [[String: Any]] ?? [] {
          // The API does not change existing keys.
          if !isThere(key) { add(key, isPlural: false) }
        }
        return .respond(status: 200)
      case ("POST", "keys", 2) where path[1] == "create":
        guard !isThere(request.object) else { return Self.refusal(400, "key_exists") }
        let id = add(request.object, isPlural: request.object["isPlural"] as? Bool ?? false)
        return .json(["id": id], status: 201)
      case ("PUT", "keys", 3):
        guard let id = Int(path[1]), state.keys[id] != nil else { return Self.refusal(404, "key_not_found") }
        if path[2] == "complex-update" { return change(id, request.object) }
        state.keys[id]?.tags.insert(request.object["name"] as? String ?? "")
        return .json(["id": 1, "name": request.object["name"] ?? ""])
      case ("DELETE", "keys", 1):
        let ids = request.object["ids"] as? [Int] ?? []
        guard ids.allSatisfy({ state.keys[$0] != nil }) else { return Self.refusal(404, "key_not_found") }
        for id in ids { state.keys[id] = nil }
        return .respond(status: 200)
      case ("POST", "single-step-import-resolvable", 1): return seed(request)
      default:
        Issue.record("the API has no \(request.method) \(request.target)")
        return .respond(status: 599)
      }
    }
  }

  private func languages(_ request: RecordedRequest) -> LoopbackReply {
    let tags = ["en", "de", "uk"]
    let number = Int(request.query["page"] ?? "") ?? 0
    let page: [String: Any] = ["number": number, "size": 2, "totalElements": 3, "totalPages": 2]
    return .json(["_embedded": ["languages": tags.dropFirst(number * 2).prefix(2).map(Self.language)], "page": page])
  }

  private func list(_ request: RecordedRequest) -> LoopbackReply {
    let query = request.query
    let all = state.keys.filter { $0.value.namespace == query["filterNamespace"] }.sorted { $0.key < $1.key }
    let rest = all.drop { $0.key <= Int(query["cursor"] ?? "") ?? 0 }
    // A query may have several languages.
    let tags = request.target.split(separator: "?").last?.split(separator: "&").compactMap { pair in
      pair.hasPrefix("languages=") ? HTTPURL.decode(pair.dropFirst(10)) : nil
    }
    let keys = rest.prefix(page).map { Self.object($0.key, $0.value, tags ?? []) }
    guard let last = rest.prefix(page).last?.key, !keys.isEmpty else { return .json(["page": [:] as [String: Any]]) }
    return .json(["_embedded": ["keys": keys], "nextCursor": "\(last)"])
  }

  private func isThere(_ key: [String: Any]) -> Bool {
    state.keys.values.contains {
      $0.name == key["name"] as? String && $0.namespace == key["namespace"] as? String
    }
  }

  @discardableResult private func add(_ object: [String: Any], isPlural: Bool) -> Int {
    state.next += 1
    let texts = (object["translations"] as? [String: String] ?? [:]).mapValues { Text(text: $0) }
    check(texts.values.map(\.text), isPlural)
    state.keys[state.next] = Key(
      name: object["name"] as? String ?? "", namespace: object["namespace"] as? String ?? "",
      description: object["description"] as? String ?? "", isPlural: isPlural,
      limit: object["maxCharLimit"] as? Int ?? 0, texts: texts)
    return state.next
  }

  /// Records an issue for each plural text that is not a plural in ICU syntax or lacks the form `other`. The real server would refuse such texts.
  private func check(_ texts: [String], _ isPlural: Bool) {
    for text in texts where isPlural && ICUPlural.read(text)?[.other] == nil {
      Issue.record("no plural form “other” in \(text)")
    }
  }

  private func change(_ id: Int, _ object: [String: Any]) -> LoopbackReply {
    guard var key = state.keys[id] else { return Self.refusal(404, "key_not_found") }
    #expect(object["name"] as? String == key.name && object["namespace"] as? String == key.namespace)
    if let text = object["description"] as? String { key.description = text }
    if let isPlural = object["isPlural"] as? Bool { key.isPlural = isPlural }
    if let limit = object["maxCharLimit"] as? Int { key.limit = limit }
    if let tags = object["tags"] as? [String] { key.tags = Set(tags) }
    let texts = object["translations"] as? [String: String] ?? [:]
    check(Array(texts.values), key.isPlural)
    for (tag, text) in texts where key.texts[tag]?.text != text {
      key.texts[tag] = Text(text: text)
      for other in key.texts.keys where tag == "en" && other != "en" { key.texts[other]?.outdated = true }
    }
    state.keys[id] = key
    return .json(["id": id])
  }

  private func seed(_ request: RecordedRequest) -> LoopbackReply {
    guard request.object["errorOnUnresolvedConflict"] as? Bool == false else { return Self.refusal(400, "conflict") }
    for item in request.object["keys"] as? [[String: Any]] ?? [] {
      let found = state.keys.first {
        $0.value.name == item["name"] as? String && $0.value.namespace == item["namespace"] as? String
      }
      guard let id = found?.key else { return Self.refusal(404, "key_not_found") }
      for (tag, text) in item["translations"] as? [String: [String: String]] ?? [:] {
        let overrides = text["resolution"] == "OVERRIDE"
        #expect(overrides || text["resolution"] == "EXPECT_NO_CONFLICT")
        check([text["text"] ?? ""], state.keys[id]?.isPlural ?? false)
        if overrides || (state.keys[id]?.texts[tag]?.text ?? "").isEmpty {
          state.keys[id]?.texts[tag] = Text(text: text["text"] ?? "")
        }
      }
    }
    return .json(["unresolvedConflicts": [] as [Any]])
  }

  /// Translates all strings into a language. The other arguments are properties of the translations.
  package func translate(_ language: LocaleIdentifier, state name: String = "REVIEWED", auto: Bool = false) {
    lock.withLock {
      for (id, key) in state.keys {
        let source = key.texts["en"]?.text ?? ""
        var text = "\(language): \(source)"
        if key.isPlural {
          let forms = ICUPlural.read(source) ?? [:]
          let wanted = PluralRules.categories(of: language).map {
            ($0, "\(language) \($0.rawValue): \(forms[$0] ?? forms[.other] ?? "")")
          }
          text = ICUPlural.write(Dictionary(uniqueKeysWithValues: wanted))
        }
        state.keys[id]?.texts[language.rawValue] = Text(text: text, state: name, auto: auto)
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for (id, key) in state.keys where key.isPlural {
        guard let forms = key.texts[language.rawValue].flatMap({ ICUPlural.read($0.text) }) else { continue }
        let left = Dictionary(uniqueKeysWithValues: forms.map { ($0, $0.rawValue == form ? $1 : "") })
        state.keys[id]?.texts[language.rawValue] = Text(
          text: ICUPlural.write(left), state: isReviewed ? "REVIEWED" : "TRANSLATED")
      }
    }
  }

  /// Sets the text of a key in a language as reviewed, even if the text is not valid.
  func enter(_ text: String, for name: String, in language: LocaleIdentifier) {
    lock.withLock {
      for (id, key) in state.keys where key.name == name {
        state.keys[id]?.texts[language.rawValue] = Text(text: text, state: "REVIEWED")
      }
    }
  }

  /// Turns namespaces off.
  func removeNamespaces() { lock.withLock { state.hasNamespaces = false } }

  /// The length limits of keys by name; 0 for no limit.
  var limits: [String: Int] {
    lock.withLock { Dictionary(state.keys.values.map { ($0.name, $0.limit) }) { first, _ in first } }
  }

  package var content: String {
    lock.withLock {
      state.keys.values.sorted { $0.name < $1.name }.map { key in
        "\(key.namespace) \(key.name) [\(key.description)] \(key.isPlural ? "plural" : "plain") tags=\(key.tags.sorted()) "
          + key.texts.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value.text)\($0.value.outdated ? " outdated" : "")"
          }
          .joined(separator: "; ")
      }.joined(separator: "\n")
    }
  }

  private static func object(_ id: Int, _ key: Key, _ tags: [String]) -> [String: Any] {
    [
      "keyId": id, "keyName": key.name, "keyNamespace": key.namespace, "keyDescription": key.description,
      "keyIsPlural": key.isPlural, "keyTags": key.tags.sorted().map { ["id": 1, "name": $0] },
      "translations": Dictionary(
        uniqueKeysWithValues: tags.map { tag in
          let text = key.texts[tag]
          let object: [String: Any] = [
            "id": 1, "text": text.map { $0.text as Any } ?? NSNull(), "state": text?.state ?? "UNTRANSLATED",
            "outdated": text?.outdated ?? false, "auto": text?.auto ?? false,
          ]
          return (tag, object)
        }),
    ]
  }

  private static func language(_ tag: String) -> [String: Any] {
    ["id": 1, "name": tag, "tag": tag, "base": tag == "en"]
  }

  private static func refusal(_ status: Int, _ code: String) -> LoopbackReply {
    .json(["code": code, "params": NSNull()], status: status)
  }
}
