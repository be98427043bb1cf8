internal import TestSupport

/// The glossary of the project.
extension LokaliseServer {
  /// The number of terms on a page: fewer than the adapter requests, so the adapter must read several pages.
  private static let termPage = 2

  /// Responds to a request; returns `nil` if the API does not support the request.
  static func respond(to request: RecordedRequest, _ body: [String: Any], _ terms: inout StoredTerms) -> LoopbackReply?
  {
    switch request.method {
    case "GET":
      guard request.query["limit"] == "500", Set(request.query.keys).isSubset(of: ["limit", "cursor"]) else {
        return nil
      }
      let start = request.query["cursor"].flatMap { Int($0) } ?? 0
      let rest = terms.sorted.filter { $0.id > start }
      let shown = rest.prefix(termPage)
      return .json([
        "data": shown.map { object($0.id, $0.term) },
        "meta": [
          "count": shown.count, "limit": 500, "cursor": shown.last?.id ?? 0, "hasMore": rest.count > shown.count,
        ],
      ])
    case "POST":
      var added: [[String: Any]] = []
      for new in body["terms"] as? [[String: Any]] ?? [] {
        let names: Set = ["term", "description", "caseSensitive", "translatable", "forbidden", "translations"]
        guard Set(new.keys) == names, let text = new["term"] as? String,
          let description = new["description"] as? String
        else { return nil }
        let id = terms.add(text, description)
        guard set(new, id, &terms) else { return nil }
        added += terms.all[id].map { [object(id, $0)] } ?? []
      }
      return .json(["data": added, "meta": ["count": added.count]])
    case "PUT":
      var changed: [[String: Any]] = []
      for change in body["terms"] as? [[String: Any]] ?? [] {
        guard Set(change.keys) == ["id", "translations"], let id = change["id"] as? Int, set(change, id, &terms) else {
          return nil
        }
        changed += terms.all[id].map { [object(id, $0)] } ?? []
      }
      return .json(["data": changed, "meta": ["count": changed.count]])
    default: return nil
    }
  }

  /// Replaces all translations of a term. Returns `false` for an invalid request.
  private static func set(_ body: [String: Any], _ id: Int, _ terms: inout StoredTerms) -> Bool {
    guard let list = body["translations"] as? [[String: Any]] else { return false }
    terms.clear(id)
    for translation in list {
      guard let number = translation["langId"] as? Int, languages.indices.contains(number - 600),
        let text = translation["translation"] as? String, terms.set(id, languages[number - 600], text) != nil
      else { return false }
    }
    return true
  }

  private static func object(_ id: Int, _ term: StoredTerms.Term) -> [String: Any] {
    [
      "id": id, "term": term.text, "description": term.description, "caseSensitive": false, "translatable": true,
      "forbidden": false,
      "translations": languages.enumerated().map { number, code in
        [
          "langId": 600 + number, "langIso": code, "translation": term.translations[code]?.text ?? "",
          "description": "",
        ] as [String: Any]
      },
    ]
  }
}
