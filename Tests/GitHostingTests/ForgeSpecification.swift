import Foundation
import GitHosting
import TestSupport

/// The published OpenAPI specification of a forge. Tests use the specification to check a request's path, method, query parameters, and the members
/// of its JSON body.
struct ForgeSpecification {
  private let kind: ForgeKind
  private let root: [String: Any]
  private let paths: [String: Any]
  private let prefix: [String]

  init(_ kind: ForgeKind) throws {
    self.kind = kind
    let (name, prefix): (String, [String]) =
      switch kind {
      case .github: ("github-2021", [])
      case .gitlab: ("gitlab-third-party-2023", [])
      case .gitea: ("gitea", [])
      case .forgejo: ("forgejo", [])
      case .bitbucket: ("bitbucket-cloud", [])
      case .bitbucketServer: ("bitbucket-data-center-9.4", ["api", "latest"])
      case .azure: ("azure-git-7.1", [])
      }
    let data = try SharedFolder.specs.data("forges/openapi/\(name).json")
    root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    paths = root["paths"] as? [String: Any] ?? [:]
    self.prefix = prefix
  }

  /// Returns the violations of the specification in a request; `nil` if the specification does not have the path.
  func faults(in request: RecordedRequest) -> [String]? {
    let parts = prefix + request.path
    guard let found = paths.keys.filter({ matches($0, parts) }).min(by: { holes($0) < holes($1) }),
      let item = paths[found] as? [String: Any]
    else { return nil }
    guard let operation = item[request.method.lowercased()] as? [String: Any] else {
      return ["no such method: \(found)"]
    }
    let given = (item["parameters"] as? [Any] ?? []) + (operation["parameters"] as? [Any] ?? [])
    let parameters = given.compactMap { resolve($0) }
    var faults: [String] = []
    let query = parameters.filter { $0["in"] as? String == "query" }
    let known = Set(query.compactMap { $0["name"] as? String })
    for name in request.query.keys where !known.contains(name) && !Self.general.contains(name) {
      faults.append("unknown parameter \(name)")
    }
    for parameter in query where parameter["required"] as? Bool == true {
      if let name = parameter["name"] as? String, request.query[name] == nil { faults.append("no parameter \(name)") }
    }
    let content =
      (resolve(operation["requestBody"])?["content"] as? [String: Any])?["application/json"] as? [String: Any]
    let schema = content?["schema"] ?? parameters.first { $0["in"] as? String == "body" }?["schema"]
    guard let schema else { return faults + (request.object.isEmpty ? [] : ["an unknown body"]) }
    return faults + self.faults(of: request.object, schema, at: "", depth: 0)
  }

  /// The known errors in the specifications: the endings of the violations that they cause, by forge.
  ///
  /// - Bitbucket Cloud requires the discriminator `type` in every object, which the examples in its documentation lack. Its pull requests lack the
  ///   `description` that the documentation names.
  /// - Bitbucket Data Center describes no body for build statuses.
  /// - Gitea's merge has `do`, and Forgejo's has `Do`. Both servers decode JSON without regard to case.
  /// - GitLab documents `name` of a status next to `context`, and the saved specification comes from a third party.
  private static let known: [ForgeKind: [String]] = [
    .bitbucket: ["type is missing", "unknown member description"], .bitbucketServer: ["an unknown body"],
    .gitea: ["do is missing"], .gitlab: ["unknown member name", "unknown parameter per_page"],
  ]

  /// Returns the violations except the known errors of the specification; `nil` if the specification does not have the path, and for GitHub's check
  /// runs. Check runs have alternatives (`oneOf`) next to common members, which this type does not support.
  func unknownFaults(in request: RecordedRequest) -> [String]? {
    if kind == .github, request.path.contains("check-runs") { return nil }
    return faults(in: request)?.filter { fault in !(Self.known[kind] ?? []).contains { fault.hasSuffix($0) } }
  }

  /// Paging and filters that all lists of a forge accept, although its specification omits them for some lists.
  private static let general: Set<String> = [
    "page", "pagelen", "limit", "start", "q", "sort", "state", "order", "direction", "at",
  ]

  private func matches(_ template: String, _ parts: [String]) -> Bool {
    let names = template.split(separator: "/").map(String.init)
    return names.count == parts.count
      && zip(names, parts).allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") || $0.lowercased() == $1.lowercased() }
  }

  private func holes(_ template: String) -> Int { template.count { $0 == "{" } }

  private func resolve(_ value: Any?) -> [String: Any]? {
    guard let object = value as? [String: Any] else { return nil }
    guard let place = object["$ref"] as? String, place.hasPrefix("#/") else { return object }
    var found: Any? = root
    for part in place.dropFirst(2).split(separator: "/") {
      found = (found as? [String: Any])?[String(part).replacing("~1", with: "/")]
    }
    return resolve(found)
  }

  private func faults(of sent: Any, _ schema: Any, at place: String, depth: Int) -> [String] {
    guard depth < 6, let schema = resolve(schema) else { return [] }
    if let choices = (schema["oneOf"] ?? schema["anyOf"]) as? [Any] {
      let all = choices.map { self.faults(of: sent, $0, at: place, depth: depth + 1) }
      return all.contains { $0.isEmpty } ? [] : all.first ?? []
    }
    if let list = sent as? [Any] {
      guard let items = schema["items"] else { return [] }
      return list.flatMap { self.faults(of: $0, items, at: place + "[]", depth: depth + 1) }
    }
    guard let object = sent as? [String: Any] else {
      if let words = schema["enum"] as? [String], let text = sent as? String, !words.contains(text) {
        return ["\(place): \(text) is none of \(words)"]
      }
      return []
    }
    var properties: [String: Any] = [:]
    var required: [String] = []
    collect(schema, &properties, &required)
    guard !properties.isEmpty else { return [] }
    var faults: [String] = required.filter { object[$0] == nil }.map { "\(place): \($0) is missing" }
    for (name, value) in object {
      // Gitea decodes member names without regard to case.
      guard let known = properties.first(where: { $0.key.lowercased() == name.lowercased() }) else {
        faults.append("\(place): unknown member \(name)")
        continue
      }
      faults += self.faults(of: value, known.value, at: "\(place).\(name)", depth: depth + 1)
    }
    return faults
  }

  private func collect(_ schema: [String: Any], _ properties: inout [String: Any], _ required: inout [String]) {
    properties.merge(schema["properties"] as? [String: Any] ?? [:]) { first, _ in first }
    required += schema["required"] as? [String] ?? []
    for part in schema["allOf"] as? [Any] ?? [] {
      if let part = resolve(part) { collect(part, &properties, &required) }
    }
  }
}
