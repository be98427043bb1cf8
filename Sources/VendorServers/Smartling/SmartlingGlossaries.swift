internal import Foundation
internal import TestSupport
import Testing

/// A test double of the glossaries of the account `acc`: a glossary of other people, and the glossaries that the adapter creates. ``SmartlingServer``
/// checks requests against the vendor's OpenAPI document before it passes them to this type.
struct SmartlingGlossaries {
  private struct Glossary {
    var name: String
    var locales: Set<String>
    var terms = StoredTerms()
    /// Notes that people added to translations, by the number of the term.
    var notes: [Int: String] = [:]
  }

  private static let (name, own) = ("dragoman birds", "en-US")
  /// The number of elements on a page: fewer than the adapter requests, so the adapter must read several pages.
  private static let page = 2
  private var all = ["g1": Glossary(name: "dragoman birds of other people", locales: ["en-US", "fr"])]

  var terms: [String] { all.values.first { $0.name == Self.name }?.terms.lines ?? [] }

  /// Adds a translation to the pipeline's glossary, as a person would. A missing glossary is created.
  mutating func edit(_ term: String, _ code: String, _ text: String) {
    let id = all.first { $0.value.name == Self.name }?.key ?? "g2"
    var glossary = all[id] ?? Glossary(name: Self.name, locales: [Self.own])
    glossary.locales.insert(code)
    glossary.terms.edit(term, code, text)
    for (number, stored) in glossary.terms.all where stored.text == term { glossary.notes[number] = "by a person" }
    all[id] = glossary
  }

  /// Responds to a request; returns `nil` if the API does not support the request.
  mutating func respond(to request: RecordedRequest, _ path: [String]) -> LoopbackReply? {
    let body = request.object
    switch (request.method, path.count) {
    case ("POST", 1) where path[0] == "search":
      let query = body["query"] as? String ?? ""
      let found = all.sorted { $0.key < $1.key }.filter { $0.value.name.contains(query) }
      return list(found.map { Self.object($0.key, $0.value) }, body)
    case ("POST", 0):
      guard let name = body["glossaryName"] as? String, let locales = body["localeIds"] as? [String] else { return nil }
      if all.values.contains(where: { $0.name == name }) { Issue.record("the glossary \(name) was added twice") }
      let id = "g\(all.count + 1)"
      let made = Glossary(name: name, locales: Set(locales))
      all[id] = made
      return SmartlingServer.success(Self.object(id, made))
    case ("PUT", 1) where all[path[0]] != nil:
      all[path[0]]?.locales = Set(body["localeIds"] as? [String] ?? [])
      return SmartlingServer.success(["glossaryUid": path[0]])
    case ("POST", 3) where path[1...] == ["entries", "search"]:
      guard let glossary = all[path[0]] else { return nil }
      return list(glossary.terms.sorted.map { Self.object($0.id, $0.term, glossary) }, body)
    case ("POST", 2) where path[1] == "entries": return add(path[0], body)
    case ("PUT", 3) where path[1] == "entries":
      guard let entry = Int(path[2].dropFirst()), let stored = all[path[0]]?.terms.all[entry] else { return nil }
      let texts = Self.texts(body)
      #expect(body["skipMissingTranslations"] as? Bool == true, "translations of other languages are removed")
      #expect(body["definition"] as? String == stored.description, "the definition is removed")
      return set(texts, of: entry, in: path[0])
    default: return nil
    }
  }

  private mutating func add(_ id: String, _ body: [String: Any]) -> LoopbackReply? {
    let texts = Self.texts(body)
    guard let term = texts[Self.own]?["term"] as? String, all[id] != nil else { return nil }
    let entry = all[id]?.terms.add(term, body["definition"] as? String ?? "") ?? 0
    return set(texts, of: entry, in: id)
  }

  private mutating func set(_ texts: [String: [String: Any]], of entry: Int, in id: String) -> LoopbackReply? {
    guard let glossary = all[id], let stored = glossary.terms.all[entry] else { return nil }
    guard glossary.locales.isSuperset(of: texts.keys) else {
      return SmartlingServer.refusal(400, "VALIDATION_ERROR", "the glossary has no such language")
    }
    for (code, text) in texts {
      if code == Self.own {
        #expect(text["term"] as? String == stored.text)
      } else if let term = text["term"] as? String {
        #expect(text["notes"] as? String == (stored.translations[code] == nil ? nil : glossary.notes[entry]))
        _ = all[id]?.terms.set(entry, code, term)
      }
    }
    return SmartlingServer.success(["entryUid": "e\(entry)"])
  }

  private static func texts(_ body: [String: Any]) -> [String: [String: Any]] {
    Dictionary((body["translations"] as? [[String: Any]] ?? []).map { ($0["localeId"] as? String ?? "", $0) }) { a, _ in
      a
    }
  }

  private static func object(_ id: String, _ glossary: Glossary) -> [String: Any] {
    [
      "glossaryUid": id, "accountUid": "acc", "glossaryName": glossary.name, "localeIds": glossary.locales.sorted(),
      "verificationMode": false, "archived": false, "fallbackLocales": [[String: Any]](),
    ]
  }

  private static func object(_ id: Int, _ term: StoredTerms.Term, _ glossary: Glossary) -> [String: Any] {
    let texts = term.translations.sorted { $0.key < $1.key }.map { code, text in
      ["localeId": code, "term": text.text].merging(glossary.notes[id].map { ["notes": $0] } ?? [:]) { a, _ in a }
    }
    return [
      "entryUid": "e\(id)", "definition": term.description, "archived": false,
      "translations": [["localeId": own, "term": term.text]] + texts,
    ]
  }

  private func list(_ objects: [[String: Any]], _ body: [String: Any]) -> LoopbackReply {
    let paging = body["paging"] as? [String: Any] ?? [:]
    let page = objects.dropFirst(paging["offset"] as? Int ?? 0).prefix(Self.page)
    return SmartlingServer.success(["totalCount": objects.count, "items": Array(page)])
  }
}
