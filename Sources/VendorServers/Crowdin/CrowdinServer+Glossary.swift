internal import Foundation
internal import Localization
internal import TestSupport

/// Glossary 6, which the project uses. Crowdin's concepts are terms in ``StoredTerms``. A concept and the concept's term in the source language have
/// the same ID.
extension CrowdinServer {
  package var terms: [String] { lock.withLock { state.terms.lines } }

  package func editTerm(_ term: String, _ code: String, _ text: String) {
    lock.withLock { state.terms.edit(term, code, text) }
  }

  /// Responds to a request; returns `nil` if the API does not support the request.
  func glossary(_ request: RecordedRequest) -> LoopbackReply? {
    guard request.path.starts(with: ["glossaries", "6", "terms"]) else { return nil }
    switch (request.method, request.path.count) {
    case ("GET", 3): return list(request, [], objects)
    case ("POST", 3):
      let body = request.object
      guard let language = body["languageId"] as? String, let text = body["text"] as? String,
        Set(body.keys).isSubset(of: ["languageId", "text", "description", "conceptId"])
      else { return nil }
      guard let concept = body["conceptId"] as? Int else {
        guard language == "en" else { return nil }
        let id = state.terms.add(text, body["description"] as? String ?? "")
        return .json(["data": Self.term(id, id, "en", text)], status: 201)
      }
      guard Self.languages.contains(language), state.terms.all[concept]?.translations[language] == nil,
        let id = state.terms.set(concept, language, text)
      else { return nil }
      return .json(["data": Self.term(id, concept, language, text)], status: 201)
    case ("PATCH", 4):
      guard let operations = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [[String: String]],
        operations.count == 1, operations[0]["op"] == "replace", operations[0]["path"] == "/text",
        let text = operations[0]["value"], let id = Int(request.path[3]), let place = state.terms.place(of: id)
      else { return nil }
      _ = state.terms.set(place.term, place.code, text)
      return .json(["data": Self.term(id, place.term, place.code, text)])
    default: return nil
    }
  }

  private var objects: [[String: Any]] {
    state.terms.sorted.flatMap { concept, term in
      [Self.term(concept, concept, "en", term.text)]
        + term.translations.sorted { $0.key < $1.key }.map { Self.term($0.value.id, concept, $0.key, $0.value.text) }
    }
  }

  private static func term(_ id: Int, _ concept: Int, _ language: String, _ text: String) -> [String: Any] {
    ["id": id, "glossaryId": 6, "userId": 1, "languageId": language, "text": text, "conceptId": concept]
  }
}
