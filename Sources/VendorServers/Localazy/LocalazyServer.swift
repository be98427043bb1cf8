internal import Foundation
package import Localization
package import TestSupport
import Testing

/// A stateful test double of Localazy's API, with only the requests that the adapter sends. An issue is recorded for unknown requests, for keys and
/// forms that the importer does not accept, for translations of unknown keys, and for keys that are imported twice with the same source text.
package final class LocalazyServer: Sendable {
  private struct Key {
    var file: Int
    var name: String
    var comment = ""
    var deprecated = -1
    /// The texts by language. The value is a text, or an object of texts by form (`@one`).
    var values: [String: Any] = [:]
  }

  /// The contents of the server, which the lock protects.
  private final class State {
    /// The folder and the name of each file. The number of a file is its index.
    var files: [[String]] = []
    var keys: [Int: Key] = [:]
    var next = 100
    /// The number of times that the progress of each import was requested.
    var imports: [Int] = []
    /// The status of every import. If this is `nil`, an import's status depends on how often its progress was requested.
    var status: String?
    /// Whether the list of a language contains only the keys with a text in this language.
    var hidesUntranslated = false
  }

  private static let languages: [(id: Int, code: String, forms: Set<String>)] = [
    (85, "en", ["@one", "@other"]), (97, "de", ["@one", "@other"]), (400, "uk", ["@one", "@few", "@many", "@other"]),
  ]
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  /// The number of keys on a page: fewer than the adapter requests, so the adapter must read several pages.
  private let page = 3

  package init() {}

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.header("Authorization") == "Bearer secret-token" else {
      return .json(["success": false, "code": 401, "message": "Unauthorized"], status: 401)
    }
    var path = request.path
    let query = request.query
    return lock.withLock {
      if path == ["projects"], request.method == "GET", query == ["languages": "true"] { return projects() }
      guard path.count > 2, path[0] == "projects", path[1] == "birds" else { return unknown(request) }
      path.removeFirst(2)
      switch (request.method, path[0], path.count) {
      case ("GET", "files", 1) where query.isEmpty:
        return .json(
          state.files.enumerated().map {
            ["id": "_e\($0.offset)", "type": "json", "path": $0.element[0], "name": $0.element[1]]
          })
      case ("GET", "files", 4) where path[2] == "keys": return list(path[1], path[3], query, request)
      case ("POST", "import", 1): return startImport(request)
      case ("GET", "import", 2):
        guard let number = Int(path[1]), state.imports.indices.contains(number) else {
          return .json(["status": "invalid_id"])
        }
        state.imports[number] += 1
        let known = ["not_found", "scheduled", "in_progress", "done"]
        return .json(["status": state.status ?? known[min(state.imports[number], 4) - 1], "added": 1])
      case ("POST", "keys", 2) where path[1] == "deprecate" && Set(request.object.keys) == ["phrases"]:
        for id in request.object["phrases"] as? [String] ?? [] {
          guard let number = number(id) else { return unknown(request) }
          state.keys[number]?.deprecated = 0
        }
        return .json(["result": true])
      case ("PUT", "keys", 2) where Set(request.object.keys) == ["comment", "deprecated"]:
        guard let number = number(path[1]) else { return .json(["message": "Not found"], status: 404) }
        state.keys[number]?.comment = request.object["comment"] as? String ?? ""
        state.keys[number]?.deprecated = request.object["deprecated"] as? Int ?? -1
        return .json(["result": true])
      case ("DELETE", "keys", 2):
        guard let number = number(path[1]) else { return .json(["message": "Not found"], status: 404) }
        state.keys[number] = nil
        return .json(["result": true])
      default: return unknown(request)
      }
    }
  }

  private func projects() -> LoopbackReply {
    let languages = Self.languages.map {
      ["id": $0.id, "code": $0.code, "tag": $0.code, "name": $0.code] as [String: Any]
    }
    return .json([
      ["id": "_a1", "slug": "other", "name": "Other", "sourceLanguage": 85, "languages": languages],
      ["id": "_a2", "slug": "birds", "name": "Birds", "sourceLanguage": 85, "languages": languages],
    ])
  }

  private func list(
    _ file: String, _ language: String, _ query: [String: String], _ request: RecordedRequest
  ) -> LoopbackReply {
    guard Set(query.keys).isSubset(of: ["limit", "extra_info", "deprecated", "next"]), query["extra_info"] == "true",
      query["deprecated"] == "true", (1...1000).contains(Int(query["limit"] ?? "") ?? 0),
      Self.languages.contains(where: { $0.code == language })
    else { return unknown(request) }
    let all = state.keys.filter { "_e\($0.value.file)" == file }.sorted { $0.key < $1.key }
      .filter { !state.hidesUntranslated || $0.value.values[language] != nil }
    let rest = all.drop { $0.key <= Int(query["next"] ?? "0") ?? 0 }
    let keys = rest.prefix(page).map { number, key -> [String: Any] in
      var object: [String: Any] = [
        "id": "_k\(number)", "key": [key.name], "vid": -1, "comment": key.comment, "deprecated": key.deprecated,
        "hidden": false, "limit": -1,
      ]
      object["value"] = key.values[language]
      return object
    }
    var response: [String: Any] = ["keys": keys]
    if rest.count > page { response["next"] = "\(rest.prefix(page).last?.key ?? 0)" }
    return .json(response)
  }

  private func startImport(_ request: RecordedRequest) -> LoopbackReply {
    let body = request.object
    guard Set(body.keys) == ["forceSource", "filterSource", "files"], let files = body["files"] as? [[String: Any]]
    else {
      return unknown(request)
    }
    // A failed import changes nothing.
    for file in state.status == "error" ? [] : files {
      guard Set(file.keys) == ["name", "path", "content"], let content = file["content"] as? [String: Any],
        content["type"] as? String == "json", let name = file["name"] as? String, let folder = file["path"] as? String,
        let language = Self.languages.first(where: { content[$0.code] != nil }), content.count == 2,
        let texts = content[language.code] as? [String: Any]
      else { return unknown(request) }
      if !state.files.contains([folder, name]) { state.files.append([folder, name]) }
      let number = state.files.firstIndex(of: [folder, name]) ?? 0
      for (key, value) in texts {
        if key.hasPrefix("@") || (value as? [String: String]).map({ Set($0.keys) != language.forms }) ?? false {
          Issue.record("the importer does not accept \(key): \(value) in \(language.code)")
        }
        take(number, key, value, language.code, forceSource: body["forceSource"] as? Bool ?? false)
      }
    }
    state.imports.append(0)
    return .json(["result": "\(state.imports.count - 1)"])
  }

  private func take(_ file: Int, _ name: String, _ value: Any, _ language: String, forceSource: Bool) {
    guard let number = state.keys.first(where: { $0.value.file == file && $0.value.name == name })?.key else {
      guard language == "en" else {
        Issue.record("a translation of an unknown key \(name)")
        return
      }
      state.next += 1
      state.keys[state.next] = Key(file: file, name: name, values: ["en": value])
      return
    }
    if language == "en", let old = state.keys[number]?.values["en"], "\(old)" == "\(value)" {
      Issue.record("the key \(name) was added twice")
    }
    // Existing source texts are kept unless `forceSource` is set. Existing translations are always kept.
    if language == "en" ? forceSource : state.keys[number]?.values[language] == nil {
      state.keys[number]?.values[language] = value
    }
  }

  private func number(_ id: String) -> Int? { state.keys.keys.first { "_k\($0)" == id } }

  /// Translates all strings into a language.
  package func translate(_ language: LocaleIdentifier) {
    lock.withLock {
      let forms = Self.languages.first { $0.code == language.rawValue }?.forms ?? []
      for (number, key) in state.keys {
        let source = key.values["en"]
        var value: Any = "\(language): \(source as? String ?? "")"
        if let texts = source as? [String: String] {
          value = Dictionary(
            uniqueKeysWithValues: forms.map { ($0, "\(language) \($0): \(texts[$0] ?? texts["@other"] ?? "")") })
        }
        state.keys[number]?.values[language.rawValue] = value
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier) {
    lock.withLock {
      for (number, key) in state.keys {
        guard let forms = key.values[language.rawValue] as? [String: String] else { continue }
        state.keys[number]?.values[language.rawValue] = forms.filter { $0.key == "@\(form)" }
      }
    }
  }

  /// Sets the status of every import.
  func set(status: String) { lock.withLock { state.status = status } }

  /// Configures the server to list only the keys that have a text in the requested language.
  func hideUntranslated() { lock.withLock { state.hidesUntranslated = true } }

  package var content: String {
    lock.withLock {
      state.keys.values.sorted { $0.name < $1.name }.map { key in
        "\(state.files[key.file].joined(separator: "/")) \(key.name) [\(key.comment)] deprecated=\(key.deprecated) "
          + key.values.sorted { $0.key < $1.key }.map { code, value in
            let forms = (value as? [String: String]).map {
              "\($0.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
            }
            return "\(code)=\(forms ?? "\(value)")"
          }.joined(separator: " ")
      }.joined(separator: "\n")
    }
  }

  private func unknown(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record(
      "the API has no \(request.method) \(request.target) with \(String(decoding: request.body, as: UTF8.self))")
    return .respond(status: 599)
  }
}
