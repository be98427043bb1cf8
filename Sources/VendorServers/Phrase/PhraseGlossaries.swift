internal import Foundation
internal import TestSupport
import Testing

/// A test double of the glossaries of the account a1: a glossary that people created for another project, and the glossaries that the adapter
/// creates. ``PhraseServer`` checks requests against the vendor's OpenAPI document before it passes them to this type.
struct PhraseGlossaries {
  private struct Glossary {
    var name: String
    var projects: [String]
    var terms = StoredTerms()
  }

  private static let name = "dragoman birds"
  private var all = ["g1": Glossary(name: "Company words", projects: ["p0"])]

  var terms: [String] { all.values.first { $0.name == Self.name && $0.projects.contains("p1") }?.terms.lines ?? [] }

  /// Adds a translation to the pipeline's glossary, as a person would. If the glossary is missing, it is created and assigned to another project.
  mutating func edit(_ term: String, _ code: String, _ text: String) {
    let id = all.first { $0.value.name == Self.name }?.key ?? "g2"
    all[id, default: Glossary(name: Self.name, projects: ["p0"])].terms.edit(term, code, text)
  }

  mutating func respond(to request: RecordedRequest) -> LoopbackReply {
    let path = Array(request.path.dropFirst(3))
    let body = request.object
    switch (request.method, path.count) {
    case ("GET", 0):
      return list(
        request,
        all.sorted { $0.key < $1.key }.map { id, glossary in
          ["id": id, "name": glossary.name, "projects": glossary.projects.map { ["id": $0] }]
        })
    case ("POST", 0):
      let name = body["name"] as? String ?? ""
      if all.values.contains(where: { $0.name == name }) { Issue.record("the glossary \(name) was added twice") }
      let id = "g\(all.count + 1)"
      all[id] = Glossary(name: name, projects: Self.projects(body))
      return .json(["id": id, "name": name], status: 201)
    case ("PATCH", 1) where all[path[0]] != nil:
      all[path[0]]?.projects = Self.projects(body)
      return .json(["id": path[0], "name": all[path[0]]?.name ?? ""])
    case ("GET", 2) where path[1] == "terms":
      return list(request, (all[path[0]]?.terms.sorted ?? []).map { Self.object($0.id, $0.term) })
    case ("POST", 2) where path[1] == "terms":
      let id = all[path[0]]?.terms.add(body["term"] as? String ?? "", body["description"] as? String ?? "") ?? 0
      return .json(["id": "\(id)", "term": body["term"] ?? ""], status: 201)
    case ("POST", 4), ("PATCH", 5):
      guard let term = Int(path[2]), let code = body["locale_code"] as? String, let text = body["content"] as? String,
        request.method == "PATCH" || all[path[0]]?.terms.all[term]?.translations[code] == nil,
        let id = all[path[0]]?.terms.set(term, code, text)
      else { return missing(request) }
      return .json(["id": "\(id)", "locale_code": code, "content": text], status: path.count == 4 ? 201 : 200)
    default: return missing(request)
    }
  }

  private static func projects(_ body: [String: Any]) -> [String] {
    (body["project_ids"] as? String ?? "").split(separator: ",").map(String.init)
  }

  private static func object(_ id: Int, _ term: StoredTerms.Term) -> [String: Any] {
    [
      "id": "\(id)", "term": term.text,
      "translations": term.translations.sorted { $0.key < $1.key }.map {
        ["id": "\($0.value.id)", "locale_code": $0.key, "content": $0.value.text]
      },
    ]
  }

  private func list(_ request: RecordedRequest, _ objects: [[String: Any]]) -> LoopbackReply {
    guard let number = request.query["page"].flatMap({ Int($0) }), number > 0,
      let size = request.query["per_page"].flatMap({ Int($0) }), (1...100).contains(size)
    else { return missing(request) }
    let rest = objects.dropFirst((number - 1) * size)
    let next = rest.count > size ? "<https://elsewhere.example/x>; rel=next" : ""
    return .json(Array(rest.prefix(size)), headers: [("Link", next)])
  }

  private func missing(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record("the API has no \(request.method) \(request.target)")
    return .respond(status: 599)
  }
}
