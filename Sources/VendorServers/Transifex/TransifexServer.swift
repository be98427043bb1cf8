internal import Foundation
package import Localization
package import TestSupport
import Testing

/// A stateful test double of Transifex's API v3, with only the requests that the adapter sends. The server has one resource without a file. An issue
/// is recorded for unknown requests and for strings that are added twice. Requests are checked against the vendor's OpenAPI document, if the
/// document's file exists.
package final class TransifexServer: Sendable {
  private struct Entry {
    var key: String
    var context: String
    var isPlural: Bool
    var strings: [String: String]
    var instructions: String
    var tags: [String] = []
    var limit = 0
    /// The time of the last change of the source text on the server's clock.
    var changed: Int
    /// The translations by language.
    var translations: [String: (strings: [String: String], isReviewed: Bool, origin: String, at: Int)] = [:]
    /// The times at which translations were reviewed again after they were entered, by language.
    var reviews: [String: Int] = [:]
  }

  /// The contents of the server, which the lock protects.
  private final class State {
    var entries: [Int: Entry] = [:]
    var next = 100
    var clock = 0
  }

  static let (project, resource) = ("o:org:p:birds", "o:org:p:birds:r:app")
  private static let rules = ["en": ["one", "other"], "de": ["one", "other"], "uk": ["one", "few", "many", "other"]]
  private static let bulk = "application/vnd.api+json;profile=\"bulk\""
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  private let document: OpenAPIDocument?
  /// The number of objects on a page: fewer than the adapter requests, so the adapter must read several pages.
  private let page = 3

  private static let specification = Result { try OpenAPIDocument("transifex/transifex-transifex-api-openapi.yml") }

  package init() throws { document = try Self.specification.get() }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    for fault in document?.faults(of: request) ?? [] { Issue.record("\(fault)") }
    guard request.header("Authorization") == "Bearer secret-token" else {
      return Self.error(401, "unauthorized", "Authentication credentials were not provided.")
    }
    guard request.header("Accept") == "application/vnd.api+json" else { return unknown(request, "this Accept") }
    return lock.withLock {
      state.clock += 1
      let query = request.query
      switch (request.method, request.path) {
      case ("GET", ["projects", Self.project]):
        let source: [String: Any] = ["data": ["type": "languages", "id": "l:en"]]
        return Self.api([
          "data": ["type": "projects", "id": Self.project, "relationships": ["source_language": source]]
        ])
      case ("GET", ["projects", Self.project, "languages"]):
        return Self.api(["data": ["de", "uk"].map(Self.language)])
      case ("GET", ["resources", Self.resource]):
        return Self.api(["data": ["type": "resources", "id": Self.resource]])
      case ("GET", let path) where path.count == 2 && path[0] == "resources":
        return Self.error(404, "not_found", "The requested resource was not found.")
      case ("GET", ["languages", "l:en"]): return Self.api(["data": Self.language("en")])
      case ("GET", ["resource_strings"]): return list(request, query)
      case ("GET", ["resource_translations"]): return listTranslations(request, query)
      case ("POST", ["resource_strings"]), ("PATCH", ["resource_strings"]), ("DELETE", ["resource_strings"]),
        ("PATCH", ["resource_translations"]):
        return change(request)
      default: return unknown(request, "this path")
      }
    }
  }

  private func change(_ request: RecordedRequest) -> LoopbackReply {
    guard request.header("Content-Type") == Self.bulk, Set(request.object.keys) == ["data"],
      let data = request.object["data"] as? [[String: Any]], (1...150).contains(data.count)
    else { return unknown(request, "this body") }
    let resource = ["data": ["type": "resources", "id": Self.resource]]
    let isNew = request.method == "POST"
    if isNew,
      data.contains(where: {
        (($0["relationships"] as? [String: Any])?["resource"] as? [String: [String: String]]) != resource
      })
    {
      return unknown(request, "another resource")
    }
    if isNew, data.contains(where: { known($0["attributes"] as? [String: Any] ?? [:]) }) {
      Issue.record("a string was added twice")
      return Self.error(409, "conflict", "A resource string with key already exists")
    }
    for item in data {
      let attributes = item["attributes"] as? [String: Any] ?? [:]
      let id = item["id"] as? String ?? ""
      let number = Int(id.split(separator: ":").dropFirst(7).first ?? "", radix: 16)
      switch (request.method, request.path[0]) {
      case ("POST", _):
        let isPlural = attributes["pluralized"] as? Bool ?? false
        guard let strings = attributes["strings"] as? [String: String], fits(strings, isPlural, "en") else {
          return unknown(request, "these strings")
        }
        state.next += 1
        state.entries[state.next] = Entry(
          key: attributes["key"] as? String ?? "", context: attributes["context"] as? String ?? "", isPlural: isPlural,
          strings: strings, instructions: attributes["instructions"] as? String ?? "",
          limit: attributes["character_limit"] as? Int ?? 0, changed: state.clock)
      case ("PATCH", "resource_strings"):
        guard let number, let entry = state.entries[number] else { return Self.error(404, "not_found", "no \(id)") }
        if let strings = attributes["strings"] as? [String: String] {
          guard fits(strings, entry.isPlural, "en") else { return unknown(request, "these strings") }
          state.entries[number]?.strings = strings
          state.entries[number]?.changed = state.clock
        }
        if let text = attributes["instructions"] as? String { state.entries[number]?.instructions = text }
        if let limit = attributes["character_limit"] as? Int { state.entries[number]?.limit = limit }
        if let tags = attributes["tags"] as? [String] { state.entries[number]?.tags = tags }
      case ("PATCH", _):
        let code = String(id.split(separator: ":").last ?? "")
        guard let number, let entry = state.entries[number], Self.rules[code] != nil else {
          return Self.error(404, "not_found", "no \(id)")
        }
        guard let strings = attributes["strings"] as? [String: String], fits(strings, entry.isPlural, code) else {
          return unknown(request, "these strings")
        }
        state.entries[number]?.translations[code] = (strings, false, "API", state.clock)
      default:
        guard let number, state.entries.removeValue(forKey: number) != nil else {
          return Self.error(404, "not_found", "no \(id)")
        }
      }
    }
    return request.method == "DELETE" ? .respond(status: 204) : Self.api(["data": []], status: isNew ? 201 : 200)
  }

  private func known(_ attributes: [String: Any]) -> Bool {
    state.entries.values.contains {
      $0.key == attributes["key"] as? String && $0.context == attributes["context"] as? String
    }
  }

  private func fits(_ strings: [String: String], _ isPlural: Bool, _ code: String) -> Bool {
    Set(strings.keys) == (isPlural ? Set(Self.rules[code] ?? []) : ["other"])
  }

  private func list(_ request: RecordedRequest, _ query: [String: String]) -> LoopbackReply {
    guard Set(query.keys).isSubset(of: ["filter[resource]", "limit", "page[cursor]"]) else {
      return unknown(request, "this query")
    }
    return pages(request, query) { [self.object($0, $1)] }
  }

  private func listTranslations(_ request: RecordedRequest, _ query: [String: String]) -> LoopbackReply {
    guard query["include"] == "resource_string", let code = query["filter[language]"]?.dropFirst(2),
      Self.rules[String(code)] != nil
    else { return unknown(request, "this query") }
    return pages(request, query) { number, entry in
      let found = entry.translations[String(code)]
      let string = self.object(number, entry)
      let id = "\(string["id"] ?? ""):l:\(code)"
      let attributes: [String: Any] = [
        "strings": found.map { $0.strings as Any } ?? NSNull(), "reviewed": found?.isReviewed ?? false,
        "proofread": false, "finalized": false, "origin": found.map { $0.origin as Any } ?? NSNull(),
        "datetime_translated": found.map { Self.time($0.at) as Any } ?? NSNull(),
        "datetime_reviewed": found.flatMap { $0.isReviewed ? Self.time(entry.reviews[String(code)] ?? $0.at) : nil }
          ?? NSNull() as Any, "datetime_proofread": NSNull(),
      ]
      let reference: [String: Any] = ["data": ["type": "resource_strings", "id": string["id"]]]
      return [
        [
          "type": "resource_translations", "id": id, "attributes": attributes,
          "relationships": ["resource_string": reference],
        ], string,
      ]
    }
  }

  /// Returns one page of a list.
  /// - Parameter objects: returns the objects of an entry. The first object is part of the list, and a second object is added to `included`.
  private func pages(
    _ request: RecordedRequest, _ query: [String: String], _ objects: (Int, Entry) -> [[String: Any]]
  ) -> LoopbackReply {
    guard query["filter[resource]"] == Self.resource else { return Self.error(404, "not_found", "no such resource") }
    guard let limit = query["limit"].flatMap({ Int($0) }), (150...1000).contains(limit) else {
      return unknown(request, "this limit")
    }
    let all = state.entries.sorted { $0.key < $1.key }
    let rest = all.drop { $0.key <= Int(query["page[cursor]"]?.dropFirst(2) ?? "0") ?? 0 }
    let shown = rest.prefix(page).map { objects($0.key, $0.value) }
    let last = rest.prefix(page).last?.key ?? 0
    let next: Any = rest.count > page ? "https://elsewhere.example/x?a=b&page%5Bcursor%5D=c%3A\(last)" : NSNull()
    return Self.api([
      "data": shown.map { $0[0] }, "included": shown.compactMap { $0.count > 1 ? $0[1] : nil },
      "links": ["self": "", "next": next, "previous": NSNull()],
    ])
  }

  private func object(_ number: Int, _ entry: Entry) -> [String: Any] {
    let hash = String(number, radix: 16)
    let attributes: [String: Any] = [
      "key": entry.key, "context": entry.context, "strings": entry.strings, "pluralized": entry.isPlural,
      "instructions": entry.instructions, "developer_comment": NSNull(), "character_limit": entry.limit,
      "tags": entry.tags,
      "strings_datetime_modified": Self.time(entry.changed),
    ]
    let id = "\(Self.resource):s:\(String(repeating: "0", count: 32 - hash.count))\(hash)"
    return ["type": "resource_strings", "id": id, "attributes": attributes]
  }

  /// Translates all strings into a language. The other arguments are properties of the translations.
  package func translate(_ language: LocaleIdentifier, origin: String = "EDITOR", isReviewed: Bool = true) {
    lock.withLock {
      state.clock += 1
      for (number, entry) in state.entries {
        let names = entry.isPlural ? Self.rules[language.rawValue] ?? [] : ["other"]
        let texts = names.map { ($0, "\(language) \($0): \(entry.strings[$0] ?? entry.strings["other"] ?? "")") }
        state.entries[number]?.translations[language.rawValue] = (
          Dictionary(uniqueKeysWithValues: texts), isReviewed, origin, state.clock
        )
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      state.clock += 1
      for (number, entry) in state.entries where entry.isPlural {
        guard let found = entry.translations[language.rawValue] else { continue }
        let forms = Dictionary(uniqueKeysWithValues: found.strings.map { ($0, $0 == form ? $1 : "") })
        state.entries[number]?.translations[language.rawValue] = (forms, isReviewed, found.origin, state.clock)
      }
    }
  }

  /// Sets the review time of all translations into a language to the current time. Only translations that are marked as reviewed report this time.
  func review(_ language: LocaleIdentifier) {
    lock.withLock {
      state.clock += 1
      for number in state.entries.keys { state.entries[number]?.reviews[language.rawValue] = state.clock }
    }
  }

  /// The length limits of strings by key; 0 for no limit.
  var limits: [String: Int] {
    lock.withLock { Dictionary(state.entries.values.map { ($0.key, $0.limit) }) { first, _ in first } }
  }

  package var content: String {
    lock.withLock {
      state.entries.values.sorted { $0.key < $1.key }.map { entry in
        "\(entry.context) \(entry.key) [\(entry.instructions)] tags=\(entry.tags) \(entry.strings.sorted { $0.key < $1.key }) "
          + entry.translations.sorted { $0.key < $1.key }
          .map { code, text in "\(code)=\(text.strings.sorted { $0.key < $1.key }.map(\.value))" }.joined(
            separator: " ")
      }.joined(separator: "\n")
    }
  }

  private static func language(_ code: String) -> [String: Any] {
    let rules = Dictionary(uniqueKeysWithValues: (rules[code] ?? []).map { ($0, "n is …") })
    return [
      "type": "languages", "id": "l:\(code)",
      "attributes": ["code": code, "name": code, "rtl": false, "plural_rules": rules, "plural_equation": ""],
    ]
  }

  private static func time(_ clock: Int) -> String {
    "2026-01-05T\(10 + clock / 3600):\(String(100 + clock / 60 % 60).dropFirst()):\(String(100 + clock % 60).dropFirst())Z"
  }

  private func unknown(_ request: RecordedRequest, _ detail: String) -> LoopbackReply {
    Issue.record(
      "the API has no \(request.method) \(request.target) with \(detail): \(String(decoding: request.body, as: UTF8.self))"
    )
    return .respond(status: 599)
  }

  private static func api(_ object: [String: Any], status: Int = 200) -> LoopbackReply {
    .json(object, status: status, type: "application/vnd.api+json")
  }

  private static func error(_ status: Int, _ code: String, _ detail: String) -> LoopbackReply {
    api(["errors": [["status": "\(status)", "code": code, "title": code, "detail": detail]]], status: status)
  }
}
