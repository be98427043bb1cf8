internal import Foundation
package import Localization
package import TestSupport
import Testing

/// A stateful test double of POEditor's API v2 (poeditor.com/docs/api), with only the requests that the adapter sends. An issue is recorded for
/// unknown requests and for terms that are added twice.
package final class POEditorServer: Sendable {
  private struct Term {
    var term: String
    var context: String
    var plural: String
    var comment: String
    var tags: [String]
    /// The translations by language. The content is a text, or a dictionary of forms.
    var translations: [String: (content: Any, isFuzzy: Bool, isProofread: Bool)] = [:]
  }

  /// The contents of the server, which the lock protects.
  private final class State {
    var terms: [Term] = []
    var reference = "en"
    /// The code with which every request is refused; `nil` if requests are accepted.
    var refusal: String?
  }

  private static let languages = [
    "en": ["one", "other"], "de": ["one", "other"], "uk": ["one", "few", "many", "other"],
  ]
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()

  package init() {}

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.method == "POST", !request.target.contains("?"), var form = request.form else {
      return unknown(request, "a form by POST")
    }
    guard request.header("Authorization") == nil else { return unknown(request, "no Authorization") }
    guard form.removeValue(forKey: "api_token") == "secret-token" else { return Self.fail("4011", "Invalid API Token") }
    guard form.removeValue(forKey: "id") == "7717" else { return Self.fail("403", "You don't have permission") }
    let names: [String: Set<String>] = [
      "projects/view": [], "languages/list": [], "terms/list": ["language"], "terms/add": ["data"],
      "terms/update": ["data"], "terms/delete": ["data"], "languages/update": ["language", "fuzzy_trigger", "data"],
      "translations/add": ["language", "data"],
    ]
    let path = request.path.joined(separator: "/")
    guard let known = names[path], Set(form.keys) == known else { return unknown(request, "\(form.keys.sorted())") }
    return lock.withLock {
      if let refusal = state.refusal { return Self.fail(refusal, "refused") }
      if let language = form["language"], Self.languages[language] == nil {
        return Self.fail("4044", "no such language")
      }
      let data = (try? JSONSerialization.jsonObject(with: Data((form["data"] ?? "[]").utf8))) as? [[String: Any]]
      guard let data else { return Self.fail("4042", "Data should be JSON") }
      switch path {
      case "projects/view":
        return Self.succeed(["project": ["id": 7717, "name": "Birds", "reference_language": state.reference]])
      case "languages/list":
        return Self.succeed([
          "languages": Self.languages.keys.sorted().map {
            ["name": $0, "code": $0, "translations": 0, "percentage": 0]
          }
        ])
      case "terms/list": return Self.succeed(["terms": state.terms.map { Self.object($0, form["language"] ?? "") }])
      case "terms/add", "terms/update", "terms/delete": return terms(path, data, request)
      default: return translations(path, form, data, request)
      }
    }
  }

  private func terms(_ path: String, _ data: [[String: Any]], _ request: RecordedRequest) -> LoopbackReply {
    for item in data {
      guard Set(item.keys).isSubset(of: ["term", "context", "plural", "comment", "tags"]) else {
        return unknown(request, "\(item.keys.sorted())")
      }
      let place = place(of: item)
      switch path {
      case "terms/add":
        guard place == nil else {
          Issue.record("the term \(item["term"] ?? "") was added twice")
          continue
        }
        state.terms.append(
          Term(
            term: item["term"] as? String ?? "", context: item["context"] as? String ?? "",
            plural: item["plural"] as? String ?? "", comment: item["comment"] as? String ?? "",
            tags: item["tags"] as? [String] ?? []))
      case "terms/update":
        guard let place else { continue }
        if let plural = item["plural"] as? String { state.terms[place].plural = plural }
        if let comment = item["comment"] as? String { state.terms[place].comment = comment }
        if let tags = item["tags"] as? [String] { state.terms[place].tags = tags }
      default: if let place { state.terms.remove(at: place) }
      }
    }
    return Self.succeed(["terms": ["parsed": data.count]])
  }

  private func translations(
    _ path: String, _ form: [String: String], _ data: [[String: Any]], _ request: RecordedRequest
  ) -> LoopbackReply {
    let language = form["language"] ?? ""
    for item in data {
      guard Set(item.keys) == ["term", "context", "translation"],
        let translation = item["translation"] as? [String: Any],
        Set(translation.keys) == ["content"], let content = translation["content"]
      else { return unknown(request, "\(item)") }
      guard let place = place(of: item) else { continue }
      let isPlural = !state.terms[place].plural.isEmpty
      let forms = content as? [String: String]
      let fits = isPlural ? forms.map { Set($0.keys) } == Self.languages[language].map(Set.init) : content is String
      guard fits else {
        return unknown(request, "the content \(content) in \(language)")
      }
      let old = state.terms[place].translations[language]
      if path == "translations/add", old != nil { continue }
      state.terms[place].translations[language] = (content, false, false)
      if form["fuzzy_trigger"] == "1", old.map({ "\($0.content)" != "\(content)" }) ?? true {
        for other in state.terms[place].translations.keys where other != language {
          state.terms[place].translations[other]?.isFuzzy = true
        }
      }
    }
    return Self.succeed(["translations": ["parsed": data.count, "added": data.count, "updated": 0]])
  }

  private func place(of item: [String: Any]) -> Int? {
    state.terms.firstIndex { $0.term == item["term"] as? String && $0.context == item["context"] as? String }
  }

  /// Translates all strings into a language, and marks the translations as proofread.
  package func translate(_ language: LocaleIdentifier) {
    lock.withLock {
      for place in state.terms.indices {
        let source = state.terms[place].translations["en"]?.content
        var content: Any = "\(language): \(source as? String ?? "")"
        if let forms = source as? [String: String] {
          let categories = Self.languages[language.rawValue] ?? []
          content = Dictionary(
            uniqueKeysWithValues: categories.map { ($0, "\(language) \($0): \(forms[$0] ?? forms["other"] ?? "")") })
        }
        state.terms[place].translations[language.rawValue] = (content, false, true)
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for place in state.terms.indices {
        guard let forms = state.terms[place].translations[language.rawValue]?.content as? [String: String] else {
          continue
        }
        state.terms[place].translations[language.rawValue] = (forms.filter { $0.key == form }, false, isReviewed)
      }
    }
  }

  /// Sets the project's reference language, and the error code with which every request is refused. If `reference` is `nil`, the language does not
  /// change. If `refusal` is `nil`, requests are accepted.
  func set(reference: String? = nil, refusal: String? = nil) {
    lock.withLock {
      state.reference = reference ?? state.reference
      state.refusal = refusal
    }
  }

  package var content: String {
    lock.withLock {
      state.terms.sorted { ($0.context, $0.term) < ($1.context, $1.term) }.map { term in
        "\(term.context) \(term.term) [\(term.comment)] plural=\(term.plural) tags=\(term.tags) "
          + term.translations.sorted { $0.key < $1.key }.map { code, text in
            let forms = (text.content as? [String: String]).map { "\($0.sorted { $0.key < $1.key })" }
            return "\(code)=\(forms ?? "\(text.content)")\(text.isFuzzy ? " fuzzy" : "")"
          }.joined(separator: " ")
      }.joined(separator: "\n")
    }
  }

  private static func object(_ term: Term, _ language: String) -> [String: Any] {
    let found = term.translations[language]
    return [
      "term": term.term, "context": term.context, "plural": term.plural, "comment": term.comment, "tags": term.tags,
      "created": "2026-01-05T10:00:00+0000", "updated": "", "reference": "",
      "translation": [
        "content": found?.content ?? "", "fuzzy": found?.isFuzzy == true ? 1 : 0,
        "proofread": found?.isProofread == true ? 1 : 0, "updated": "",
      ] as [String: Any],
    ]
  }

  private func unknown(_ request: RecordedRequest, _ detail: String) -> LoopbackReply {
    Issue.record("the API has no \(request.method) \(request.target) with \(detail)")
    return .respond(status: 599)
  }

  private static func succeed(_ result: [String: Any]) -> LoopbackReply {
    .json(["response": ["status": "success", "code": "200", "message": "OK"], "result": result])
  }

  private static func fail(_ code: String, _ message: String) -> LoopbackReply {
    .json(["response": ["status": "fail", "code": code, "message": message]])
  }
}
