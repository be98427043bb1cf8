internal import Foundation
package import TestSupport
import Testing

/// A stateful test double of Phrase Strings, with only the requests that the adapter sends. The server has project p1 and an optional branch. An
/// issue is recorded for unknown requests, and for screenshots, markers, plural forms, glossaries and terms that are added twice. Requests are
/// checked against the vendor's OpenAPI document, if the document's file exists.
package final class PhraseServer: Sendable {
  struct Text {
    var id: String
    var content: String
    var unverified = false
    var state = "translated"
    var excluded = false
  }

  struct Key {
    var name: String
    var description: String
    var isPlural: Bool
    var tags: [String] = []
    var limit = 0
    /// The texts by locale and plural suffix.
    var texts: [String: [String: Text]] = [:]
  }

  /// The contents of the server, which the lock protects.
  final class State {
    var keys: [String: Key] = [:]
    var next = 100
    /// The person who made all translations: username and name.
    var user: [String: String]?

    var screenshots: [String: (name: String, markers: [String: String])] = [:]
    var glossaries = PhraseGlossaries()
  }

  /// The locales, each with its ID, name, code and plural forms. The first locale is the default.
  static let locales = [
    ("l1", "english", "en", ["zero", "one", "other"]), ("l2", "german", "de", ["zero", "one", "other"]),
    ("l3", "uk", "uk", ["zero", "one", "few", "many", "other"]),
  ]
  private static let specification = Result { try OpenAPIDocument("phrase/openapi-compiled.json") }
  let lock = NSLock()
  nonisolated(unsafe) let state = State()
  private let document: OpenAPIDocument?
  private let branch: String?

  /// - Parameter branch: the branch that every request must name; `nil` if requests must not name a branch.
  package init(branch: String? = nil) throws {
    document = try Self.specification.get()
    self.branch = branch
  }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    for fault in document?.faults(of: request) ?? [] { Issue.record("\(fault)") }
    guard request.header("Authorization") == "token secret-token" else {
      return .json(["error": "unauthorized", "error_description": "Token invalid"], status: 401)
    }
    if request.path == ["projects", "p1"], request.method == "GET" {
      return .json(["id": "p1", "name": "Birds", "account": ["id": "a1", "name": "Company"]])
    }
    if request.path.starts(with: ["accounts", "a1", "glossaries"]) {
      return lock.withLock { state.glossaries.respond(to: request) }
    }
    guard request.path.starts(with: ["projects", "p1"]) else {
      return .json(["message": "Not Found", "documentation_url": "https://example.com"], status: 404)
    }
    let isRead = request.method == "GET" || request.method == "DELETE"
    let form = MultipartParts(request)
    #expect(
      (isRead ? request.query["branch"] : form.map { $0.text("branch") } ?? request.object["branch"] as? String)
        == branch)
    return lock.withLock {
      let path = Array(request.path.dropFirst(2))
      let object = request.object
      switch (request.method, path.first, path.count) {
      case ("GET", "locales", 1): return list(request, Self.locales.map { Self.locale($0.0) })
      case ("GET", "keys", 1):
        return list(request, state.keys.sorted { $0.key < $1.key }.map { Self.object($0.key, $0.value) })
      case ("GET", "locales", 3):
        return list(request, state.keys.sorted { $0.key < $1.key }.flatMap { texts($0.key, $0.value, only: path[1]) })
      case ("GET", "keys", 3):
        guard let key = state.keys[path[1]] else { return Self.missing }
        return list(request, texts(path[1], key, only: nil))
      case ("POST", "keys", 1): return add(object)
      case ("PATCH", "keys", 2):
        guard let old = state.keys[path[1]] else { return Self.missing }
        if let text = object["description"] as? String { state.keys[path[1]]?.description = text }
        if let limit = object["max_characters_allowed"] as? Int { state.keys[path[1]]?.limit = limit }
        if let isPlural = object["plural"] as? Bool { setPlural(path[1], isPlural) }
        if let tags = object["tags"] as? String {
          state.keys[path[1]]?.tags = tags.split(separator: ",").map { String($0).replacing("/", with: "_") }
        }
        return .json(Self.object(path[1], state.keys[path[1]] ?? old))
      case ("DELETE", "keys", 2):
        return state.keys.removeValue(forKey: path[1]) == nil ? Self.missing : .respond(status: 204)
      case ("GET", "translations", 2):
        guard let user = state.user else { return .json(["message": "forbidden"], status: 403) }
        let all = state.keys.flatMap { texts($0.key, $0.value, only: nil) }
        guard var found = all.first(where: { $0["id"] as? String == path[1] }) else { return Self.missing }
        found["user"] = user
        return .json(found)

      case ("GET", "screenshots", 1):
        return list(
          request, state.screenshots.sorted { $0.key < $1.key }.map { ["id": $0.key, "name": $0.value.name] })
      case ("POST", "screenshots", 1):
        guard let name = form?.text("name"), form?.parts["filename"]?.isEmpty == false else { return Self.missing }
        if state.screenshots.values.contains(where: { $0.name == name }) { Issue.record("\(name) was added twice") }
        let id = number("s")
        state.screenshots[id] = (name, [:])
        return .json(["id": id, "name": name], status: 201)
      case ("GET", "screenshots", 3):
        guard let found = state.screenshots[path[1]] else { return Self.missing }
        return list(
          request,
          found.markers.sorted { $0.key < $1.key }.map { ["id": $0.key, "translation_key": ["id": $0.value]] })
      case ("POST", "screenshots", 3):
        guard let key = object["key_id"] as? String, state.keys[key] != nil, let found = state.screenshots[path[1]]
        else {
          return Self.missing
        }
        if found.markers.values.contains(key) { Issue.record("\(key) was marked twice on \(found.name)") }
        let id = number("m")
        state.screenshots[path[1]]?.markers[id] = key
        return .json(["id": id], status: 201)
      case ("POST", "translations", 1): return translate(object)
      case ("PATCH", "translations", _): return change(path, object)
      default:
        Issue.record("the API has no \(request.method) \(request.target)")
        return .respond(status: 599)
      }
    }
  }

  private func add(_ object: [String: Any]) -> LoopbackReply {
    let name = object["name"] as? String ?? ""
    guard !state.keys.values.contains(where: { $0.name == name }) else {
      let errors = [["resource": "Translation key", "field": "name", "message": "has already been taken"]]
      return .json(["message": "Validation failed", "errors": errors], status: 422)
    }
    let id = number("k")
    var key = Key(
      name: name, description: object["description"] as? String ?? "", isPlural: object["plural"] as? Bool ?? false,
      limit: object["max_characters_allowed"] as? Int ?? 0)
    if let text = object["default_translation_content"] as? String {
      key.texts["l1"] = ["": Text(id: number("t"), content: text)]
    }
    state.keys[id] = key
    return .json(Self.object(id, key), status: 201)
  }

  private func setPlural(_ id: String, _ isPlural: Bool) {
    guard let key = state.keys[id], key.isPlural != isPlural else { return }
    state.keys[id]?.isPlural = isPlural
    state.keys[id]?.texts = key.texts.mapValues { texts in
      guard var text = texts[isPlural ? "" : "other"] else { return [:] }
      text.id = number("t")
      return [isPlural ? "other" : "": text]
    }
  }

  private func translate(_ object: [String: Any]) -> LoopbackReply {
    guard let id = object["key_id"] as? String, let key = state.keys[id], let locale = object["locale_id"] as? String,
      let forms = Self.locales.first(where: { $0.0 == locale })?.3
    else { return Self.missing }
    let suffix = object["plural_suffix"] as? String ?? ""
    guard key.isPlural ? forms.contains(suffix) : suffix.isEmpty, key.texts[locale]?[suffix] == nil else {
      Issue.record("the form \(suffix) of \(key.name) in \(locale) exists already or is not valid")
      return .json(["message": "Validation failed", "errors": [] as [Any]], status: 422)
    }
    let text = Text(id: number("t"), content: object["content"] as? String ?? "")
    state.keys[id]?.texts[locale, default: [:]][suffix] = text
    return .json(["id": text.id], status: 201)
  }

  private func change(_ path: [String], _ object: [String: Any]) -> LoopbackReply {
    for (id, key) in state.keys {
      for (locale, texts) in key.texts {
        for (suffix, text) in texts where text.id == path[1] {
          if path.count == 3, path[2] == "unverify" {
            state.keys[id]?.texts[locale]?[suffix]?.unverified = true
          } else if path.count == 2, object["plural_suffix"] as? String ?? "" == suffix {
            state.keys[id]?.texts[locale]?[suffix]?.content = object["content"] as? String ?? ""
            if let flag = object["unverified"] as? Bool { state.keys[id]?.texts[locale]?[suffix]?.unverified = flag }
          } else {
            Issue.record("the API has no \(path) with \(object)")
          }
          return .json(["id": text.id])
        }
      }
    }
    return Self.missing
  }

  private func list(_ request: RecordedRequest, _ objects: [[String: Any]]) -> LoopbackReply {
    guard let number = request.query["page"].flatMap({ Int($0) }), number > 0,
      let page = request.query["per_page"].flatMap({ Int($0) }), (1...100).contains(page)
    else {
      Issue.record("the query of \(request.target) has no valid page and per_page")
      return .respond(status: 599)
    }
    let rest = objects.dropFirst((number - 1) * page)
    let next = rest.count > page ? "<https://elsewhere.example/x?page=\(number + 1)>; rel=next" : ""
    return .json(Array(rest.prefix(page)), headers: [("Link", "<https://elsewhere.example/x>; rel=first, " + next)])
  }

  func sign(_ user: [String: String]) { lock.withLock { state.user = user } }

  /// The length limits of keys by name; 0 for no limit.
  var limits: [String: Int] {
    lock.withLock { Dictionary(state.keys.values.map { ($0.name, $0.limit) }) { first, _ in first } }
  }

  /// The names of the keys that each screenshot shows, by the screenshot's name.
  var screenshots: [String: [String]] {
    lock.withLock {
      Dictionary(
        state.screenshots.values.map { ($0.name, $0.markers.values.compactMap { state.keys[$0]?.name }.sorted()) }
      ) { first, _ in first }
    }
  }

  /// The terms of the pipeline's glossary; empty if the project does not use this glossary.
  var terms: [String] { lock.withLock { state.glossaries.terms } }
  func editTerm(_ term: String, _ code: String, _ text: String) {
    lock.withLock { state.glossaries.edit(term, code, text) }
  }

  package var content: String {
    lock.withLock {
      state.keys.values.sorted { $0.name < $1.name }.map { key in
        let texts = key.texts.sorted { $0.key < $1.key }.flatMap { locale, texts in
          texts.sorted { $0.key < $1.key }.map { suffix, text in
            "\(locale) \(suffix)=\(text.content)\(text.unverified ? " unverified" : "")"
          }
        }
        return "\(key.name) [\(key.description)] \(key.isPlural ? "plural" : "plain") tags=\(key.tags) "
          + texts.joined(separator: "; ")
      }.joined(separator: "\n")
    }
  }

  func number(_ prefix: String) -> String {
    state.next += 1
    return "\(prefix)\(state.next)"
  }

  private func texts(_ id: String, _ key: Key, only: String?) -> [[String: Any]] {
    key.texts.filter { only == nil || $0.key == only }.sorted { $0.key < $1.key }.flatMap { locale, texts in
      texts.sorted { $0.key < $1.key }.map { suffix, text in
        [
          "id": text.id, "content": text.content, "unverified": text.unverified, "excluded": text.excluded,
          "plural_suffix": suffix, "key": ["id": id, "name": key.name, "plural": key.isPlural],
          "locale": ["id": locale, "name": locale, "code": locale], "state": text.state,
        ] as [String: Any]
      }
    }
  }

  private static func object(_ id: String, _ key: Key) -> [String: Any] {
    ["id": id, "name": key.name, "description": key.description, "plural": key.isPlural, "tags": key.tags]
  }

  private static func locale(_ id: String) -> [String: Any] {
    guard let found = locales.first(where: { $0.0 == id }) else { return [:] }
    return ["id": id, "name": found.1, "code": found.2, "default": id == "l1", "plural_forms": found.3]
  }

  private static let missing = LoopbackReply.json(["message": "Not Found"], status: 404)
}
