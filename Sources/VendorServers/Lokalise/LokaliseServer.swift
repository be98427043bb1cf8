internal import Foundation
package import Localization
package import TestSupport
import Testing

/// A stateful test double of Lokalise's API, with only the requests that the adapter sends. An issue is recorded for unknown requests, and for keys,
/// screenshots and terms that are added twice.
package final class LokaliseServer: Sendable {
  /// The contents of the server, which the lock protects.
  private final class State {
    var keys: [Int: Key] = [:]
    var next = 100
    /// The suffix of the names of keys that are refused.
    var refused: String?
    /// The email address of the person who made all translations.
    var address: String?

    var screenshots: [Int: (title: String, data: String, keys: [Int])] = [:]
    var terms = StoredTerms()
  }

  private struct Text {
    var id: Int
    var text = ""
    var isReviewed = false
    var isUnverified = false
  }

  private struct Key {
    var name: String
    var filename: String
    var description: String
    var isPlural: Bool
    var isArchived = false
    var limit = 0
    var translations: [String: Text]
  }

  static let languages = ["en", "de", "uk"]
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  /// The number of keys on a page: fewer than the adapter requests, so the adapter must read several pages.
  private let page: Int

  package init(page: Int = 3) { self.page = page }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.header("X-Api-Token") == "secret-token" else {
      return .json(["error": ["message": "Invalid `X-Api-Token` header", "code": 400]], status: 400)
    }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    let path = parts[0].split(separator: "/").map(String.init)
    guard path.count >= 2, path[0] == "projects", path[1] == "p1" else { return unknown(request) }
    return lock.withLock {
      switch (request.method, path.dropFirst(2).joined(separator: "/")) {
      case ("GET", ""): return .json(["project_id": "p1", "base_language_iso": "en"])
      case ("GET", "languages"):
        return .json([
          "languages": Self.languages.enumerated().map { ["lang_id": 600 + $0.offset, "lang_iso": $0.element] }
        ])
      case ("GET", "keys"): return list(parts.count > 1 ? parts[1] : "", request)
      case ("POST", "keys"): return add(body)
      case ("PUT", "keys"): return change(body)
      case ("DELETE", "keys"):
        for id in body["keys"] as? [Int] ?? [] { state.keys[id] = nil }
        return .json(["project_id": "p1", "keys_removed": true, "keys_locked": 0])
      case (_, "glossary-terms"): return Self.respond(to: request, body, &state.terms) ?? unknown(request)
      case ("GET", "screenshots"):
        guard request.query == ["page": "1", "limit": "100"] else { return unknown(request) }
        return .json(["screenshots": state.screenshots.sorted { $0.key < $1.key }.map(Self.object)])
      case ("POST", "screenshots"): return addScreenshots(body, request)
      case ("PUT", _) where path.count == 4 && path[2] == "screenshots":
        guard let id = Int(path[3]), let keys = body["key_ids"] as? [Int] else { return unknown(request) }
        state.screenshots[id]?.keys = keys
        return .json(["screenshot": ["screenshot_id": id]])
      case ("PUT", _) where path.count == 4 && path[2] == "translations":
        return translate(Int(path[3]) ?? 0, body)
      default: return unknown(request)
      }
    }
  }

  private func list(_ query: String, _ request: RecordedRequest) -> LoopbackReply {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      values[parts[0]] = (parts.count > 1 ? parts[1] : "").removingPercentEncoding
    }
    let known: Set = [
      "pagination", "limit", "include_translations", "filter_filenames", "filter_key_ids", "filter_archived", "cursor",
    ]
    guard Set(values.keys).isSubset(of: known) else { return unknown(request) }
    // The filters are lists, separated by commas.
    let files = values["filter_filenames"]?.split(separator: ",").map(String.init)
    let numbers = values["filter_key_ids"]?.split(separator: ",").compactMap { Int($0) }
    let all = state.keys.filter { files?.contains($0.value.filename) ?? true && numbers?.contains($0.key) ?? true }
      .sorted { $0.key < $1.key }
    let start = Int(values["cursor"] ?? "0") ?? 0
    let shown = all.dropFirst(start).prefix(page)
    let next = start + shown.count < all.count ? [("X-Pagination-Next-Cursor", String(start + shown.count))] : []
    return .json(["keys": shown.map { Self.object($0.key, $0.value, state.address) }], headers: next)
  }

  private func add(_ body: [String: Any]) -> LoopbackReply {
    var errors: [[String: Any]] = []
    for new in body["keys"] as? [[String: Any]] ?? [] {
      let name = new["key_name"] as? String ?? ""
      let file = (new["filenames"] as? [String: String])?["ios"] ?? ""
      if let refused = state.refused, name.hasSuffix(refused) {
        errors.append([
          "message": "This key name is already taken", "code": 400, "key_name": ["ios": name, "web": name],
        ])
        continue
      }
      guard !state.keys.values.contains(where: { $0.name == name }) else {
        Issue.record("the key \(name) was added twice")
        continue
      }
      state.next += 10
      var texts: [String: Text] = [:]
      for (number, code) in Self.languages.enumerated() { texts[code] = Text(id: state.next + number + 1) }
      for text in new["translations"] as? [[String: String]] ?? [] {
        texts[text["language_iso"] ?? ""]?.text = text["translation"] ?? ""
      }
      state.keys[state.next] = Key(
        name: name, filename: file, description: new["description"] as? String ?? "",
        isPlural: new["is_plural"] as? Bool ?? false, limit: new["char_limit"] as? Int ?? 0, translations: texts)
    }
    return .json(["keys": [], "errors": errors])
  }

  private func addScreenshots(_ body: [String: Any], _ request: RecordedRequest) -> LoopbackReply {
    var added: [[String: Any]] = []
    for new in body["screenshots"] as? [[String: Any]] ?? [] {
      guard Set(new.keys) == ["data", "title", "ocr", "key_ids"], let data = new["data"] as? String,
        data.hasPrefix("data:image/png;base64,"), let title = new["title"] as? String,
        let keys = new["key_ids"] as? [Int],
        keys.allSatisfy({ state.keys[$0] != nil })
      else { return unknown(request) }
      if state.screenshots.values.contains(where: { $0.title == title }) { Issue.record("\(title) was added twice") }
      state.next += 10
      state.screenshots[state.next] = (title, data, keys)
      added.append(["screenshot_id": state.next, "title": title, "key_ids": keys])
    }
    return .json(["screenshots": added, "errors": [] as [Any]])
  }

  private static func object(_ id: Int, _ screenshot: (title: String, data: String, keys: [Int])) -> [String: Any] {
    ["screenshot_id": id, "title": screenshot.title, "key_ids": screenshot.keys]
  }

  /// The names of the keys that each screenshot shows, by the screenshot's title.
  package var screenshots: [String: [String]] {
    lock.withLock {
      Dictionary(
        state.screenshots.values.map { ($0.title, $0.keys.compactMap { state.keys[$0]?.name }.sorted()) }
      ) { first, _ in first }
    }
  }

  /// The terms of the glossary with their translations: `bird de=Vogel`.
  package var terms: [String] { lock.withLock { state.terms.lines } }
  package func editTerm(_ term: String, _ code: String, _ text: String) {
    lock.withLock { state.terms.edit(term, code, text) }
  }

  private func change(_ body: [String: Any]) -> LoopbackReply {
    var errors: [[String: Any]] = []
    for change in body["keys"] as? [[String: Any]] ?? [] {
      guard let id = change["key_id"] as? Int else { continue }
      if let refused = state.refused, state.keys[id]?.name.hasSuffix(refused) == true {
        errors.append(["message": "The key is locked", "code": 400, "key_id": id])
        continue
      }
      if let text = change["description"] as? String { state.keys[id]?.description = text }
      if let limit = change["char_limit"] as? Int { state.keys[id]?.limit = limit }
      if let isArchived = change["is_archived"] as? Bool { state.keys[id]?.isArchived = isArchived }
      if let isPlural = change["is_plural"] as? Bool, isPlural != state.keys[id]?.isPlural { setPlural(id, isPlural) }
    }
    return .json(["keys": [], "errors": errors])
  }

  private func translate(_ id: Int, _ body: [String: Any]) -> LoopbackReply {
    for (key, value) in state.keys {
      for (code, text) in value.translations where text.id == id {
        state.keys[key]?.translations[code]?.text = body["translation"] as? String ?? ""
        if let flag = body["is_unverified"] as? Bool { state.keys[key]?.translations[code]?.isUnverified = flag }
        if let flag = body["is_reviewed"] as? Bool { state.keys[key]?.translations[code]?.isReviewed = flag }
        return .json(["translation": ["translation_id": id]])
      }
    }
    return .json(["error": ["message": "Not Found", "code": 404]], status: 404)
  }

  /// Translates all strings into a language, and marks the translations as reviewed.
  package func translate(_ language: LocaleIdentifier) {
    lock.withLock {
      for (id, key) in state.keys {
        let source = key.translations["en"]?.text ?? ""
        var text = "\(language): \(source)"
        if key.isPlural, let forms = try? JSONDecoder().decode([String: String].self, from: Data(source.utf8)),
          let data = try? JSONSerialization.data(
            withJSONObject: Dictionary(
              // A translation has the forms of its own language, regardless of the source text's forms.
              PluralRules.categories(of: language).map(\.rawValue).map { form in
                (form, "\(language): \(forms[form] ?? forms["other"] ?? "")")
              }
            ) { first, _ in first }, options: .sortedKeys)
        {
          text = String(decoding: data, as: UTF8.self)
        }
        state.keys[id]?.translations[language.rawValue]?.text = text
        state.keys[id]?.translations[language.rawValue]?.isReviewed = true
        state.keys[id]?.translations[language.rawValue]?.isUnverified = false
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for (id, key) in state.keys where key.isPlural {
        guard var text = key.translations[language.rawValue],
          var forms = try? JSONDecoder().decode([String: String].self, from: Data(text.text.utf8))
        else { continue }
        // Lokalise returns the other forms as empty texts.
        for other in forms.keys where other != form { forms[other] = "" }
        text.text = (try? JSONEncoder().encode(forms)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        text.isReviewed = isReviewed
        state.keys[id]?.translations[language.rawValue] = text
      }
    }
  }

  /// Converts keys with plural forms to keys with a single text.
  /// - Parameter end: the suffix of the keys' names.
  func makePlain(_ end: String) {
    lock.withLock {
      for (id, key) in state.keys where key.isPlural && key.name.hasSuffix(end) { setPlural(id, false) }
    }
  }

  /// Sets whether a key has plural forms. The single text becomes the form `other`, or the form `other` becomes the single text.
  private func setPlural(_ id: Int, _ isPlural: Bool) {
    state.keys[id]?.isPlural = isPlural
    for (code, text) in state.keys[id]?.translations ?? [:] where !text.text.isEmpty {
      let forms = try? JSONDecoder().decode([String: String].self, from: Data(text.text.utf8))
      let plural = (try? JSONEncoder().encode(["other": text.text])).map { String(decoding: $0, as: UTF8.self) }
      state.keys[id]?.translations[code]?.text = (isPlural ? plural : forms?["other"]) ?? ""
    }
  }

  /// Changes the text of the keys whose names have this suffix, as a person would.
  package func edit(_ name: String, _ text: String, in code: String = "en") {
    lock.withLock {
      for (id, key) in state.keys where key.name.hasSuffix(name) { state.keys[id]?.translations[code]?.text = text }
    }
  }

  /// Configures the server to refuse keys whose names have this suffix. The response still has the status 200.
  func refuse(_ name: String?) { lock.withLock { state.refused = name } }

  package func sign(_ address: String) { lock.withLock { state.address = address } }

  /// The length limits of keys by name; 0 for no limit.
  package var limits: [String: Int] {
    lock.withLock { Dictionary(state.keys.values.map { ($0.name, $0.limit) }) { first, _ in first } }
  }

  package var content: String {
    lock.withLock {
      state.keys.values.sorted { $0.name < $1.name }.map { key in
        "\(key.name) [\(key.description)] \(key.isPlural ? "plural" : "") \(key.isArchived ? "archived" : "") "
          + key.translations.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
      }.joined(separator: "\n")
    }
  }

  private static func object(_ id: Int, _ key: Key, _ address: String?) -> [String: Any] {
    [
      "key_id": id, "key_name": ["ios": key.name, "web": key.name], "description": key.description,
      "is_plural": key.isPlural, "is_archived": key.isArchived, "char_limit": key.limit,
      "translations": key.translations.map { code, text in
        [
          "translation_id": text.id, "language_iso": code, "translation": text.text, "is_reviewed": text.isReviewed,
          "is_unverified": text.isUnverified, "is_fuzzy": false, "modified_by_email": address ?? NSNull() as Any,
        ] as [String: Any]
      },
    ]
  }

  private func unknown(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record("the API has no \(request.method) \(request.target)")
    return .respond(status: 599)
  }
}
