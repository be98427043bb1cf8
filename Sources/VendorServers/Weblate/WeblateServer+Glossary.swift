internal import Foundation
internal import Localization
internal import TestSupport
import Testing

/// The glossary of the project: the component `glossary`, which Weblate creates with each project.
extension WeblateServer {
  var terms: [String] { lock.withLock { state.terms.lines } }
  func editTerm(_ term: String, _ code: String, _ text: String) {
    lock.withLock {
      state.termLanguages.insert(code)
      state.terms.edit(term, code, text)
    }
  }

  /// Responds to requests about the glossary, and to requests for the list of components; returns `nil` for all other requests.
  func glossary(_ request: RecordedRequest, _ path: [String], _ query: [String: String]) -> LoopbackReply? {
    switch (request.method, path.first, path.count) {
    case ("GET", "projects", 3) where path[1...] == ["birds", "components"]:
      let catalogs = state.components.sorted { $0.key < $1.key }.map { slug, component in
        ["slug": slug, "is_glossary": false, "source_language": ["code": component.source]] as [String: Any]
      }
      return page(
        catalogs + [["slug": "glossary", "is_glossary": true, "source_language": ["code": "en"]]], query)
    case ("GET", "components", 4) where path[1...] == ["birds", "glossary", "translations"]:
      return page(state.termLanguages.sorted().map { ["language": ["code": $0]] }, query)
    case ("POST", "components", 4) where path[1...] == ["birds", "glossary", "translations"]:
      guard let code = request.object["language_code"] as? String, WeblateState.codes.contains(code),
        state.termLanguages.insert(code).inserted
      else { return .respond(status: 400) }
      return .json(["language_code": code], status: 201)
    case (_, "translations", 5) where path[1...2] == ["birds", "glossary"] && path[4] == "units":
      guard state.termLanguages.contains(path[3]) else { return Self.missing }
      return request.method == "GET" ? page(units(path[3]), query) : add(request, path[3])
    case ("PATCH", "units", 2):
      // The number of a string identifies its term and its language.
      guard let id = Int(path[1]), let text = (request.object["target"] as? [String])?.first,
        request.object["state"] as? Int == 20, WeblateState.codes.indices.contains(id % 10)
      else { return nil }
      _ = state.terms.set(id / 10, WeblateState.codes[id % 10], text)
      return .json(["id": id])
    default: return nil
    }
  }

  private func units(_ code: String) -> [[String: Any]] {
    state.terms.sorted.compactMap { id, term in
      // A term that was added in one language is missing in the other languages.
      guard let text = term.translations[code]?.text else { return nil }
      return [
        "id": id * 10 + (WeblateState.codes.firstIndex(of: code) ?? 0), "context": "", "source": [term.text],
        "target": [text], "previous_source": "", "flags": "", "extra_flags": "", "state": 20,
      ]
    }
  }

  private func add(_ request: RecordedRequest, _ code: String) -> LoopbackReply? {
    guard let source = (request.object["source"] as? [String])?.first,
      let target = (request.object["target"] as? [String])?.first, request.object["state"] as? Int == 20
    else { return nil }
    let known = state.terms.sorted.first { $0.term.text == source }
    let id = known?.id ?? state.terms.add(source)
    guard known?.term.translations[code] == nil else { return nil }
    _ = state.terms.set(id, code, target)
    return .json(["id": id * 10 + (WeblateState.codes.firstIndex(of: code) ?? 0)])
  }
}
