internal import Foundation
internal import HTTPTransport
internal import TestSupport
internal import Yams

/// A vendor's OpenAPI specification. Requests are checked against the specification's methods, paths, queries, required headers, media types,
/// members, types and allowed values.
final class OpenAPIDocument: Sendable {
  private let main: String
  private let prefix: String
  /// The files of the specification that have been read, by path. The references in these files are absolute: `FILE#/components/schemas/Key`.
  private let files: Files

  /// The files of a specification, which the threads of a server share.
  private final class Files: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String: [String: Any]] = [:]

    func root(_ path: String) throws -> [String: Any] {
      try lock.withLock {
        if let known = all[path] { return known }
        let data = try SharedFolder.specs.data(path)
        let read: Any? =
          path.hasSuffix(".json")
          ? try JSONSerialization.jsonObject(with: data) : try Yams.load(yaml: String(decoding: data, as: UTF8.self))
        let root = Self.absolute(read ?? [:], in: path) as? [String: Any] ?? [:]
        all[path] = root
        return root
      }
    }

    private static func absolute(_ value: Any, in path: String) -> Any {
      if let list = value as? [Any] { return list.map { absolute($0, in: path) } }
      guard let object = value as? [String: Any] else { return value }
      return Dictionary(
        uniqueKeysWithValues: object.map { key, value -> (String, Any) in
          guard key == "$ref", let reference = value as? String else { return (key, absolute(value, in: path)) }
          let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          let folder = path.split(separator: "/").dropLast().joined(separator: "/")
          let file = parts[0].isEmpty ? path : "\(folder)/\(parts[0].trimmingPrefix("./"))"
          return (key, "\(file)#\(parts.count > 1 ? parts[1] : "")")
        })
    }
  }

  private var root: [String: Any] { (try? files.root(main)) ?? [:] }

  /// Reads a specification. If the folder of specifications does not exist, prints a notice and returns `nil`.
  /// - Parameter prefix: the start of request paths that is not part of the specification's paths.
  init?(_ path: String, prefix: String = "") throws {
    guard SharedFolder.specs.isThere else {
      print(SharedFolder.specs.notice)
      return nil
    }
    main = path
    self.prefix = prefix
    files = Files()
    _ = try files.root(path)
  }

  /// Returns a message for each way in which a request violates the specification; empty if the request is valid.
  /// - Parameter extraQueries: query names that the vendor documents elsewhere.
  func faults(of request: RecordedRequest, extraQueries: Set<String> = []) -> [String] {
    let parts = request.target.split(separator: "?", maxSplits: 1)
    let path = String(parts.first ?? "").dropFirst(prefix.count)
    let place = "\(request.method) \(path)"
    guard let template = template(of: String(path), method: request.method.lowercased()),
      let item = object(root["paths"])[template].map(resolved),
      let operation = item[request.method.lowercased()].map(object)
    else { return ["\(place): the specification has no such request"] }
    var faults: [String] = []
    let parameters = (list(item["parameters"]) + list(operation["parameters"])).map(resolved)
    let known = Set(parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String })
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let name = HTTPURL.decode(pair.prefix { $0 != "=" }) ?? ""
      if !known.contains(name), !extraQueries.contains(name) { faults.append("\(place): no query \(name)") }
    }
    for parameter in parameters where parameter["in"] as? String == "header" && parameter["required"] as? Bool == true {
      let name = parameter["name"] as? String ?? ""
      if request.header(name) == nil { faults.append("\(place): the header \(name) is missing") }
    }
    return faults + bodyFaults(of: request, operation).map { "\(place): \($0)" }
  }

  private func bodyFaults(of request: RecordedRequest, _ operation: [String: Any]) -> [String] {
    let body = resolved(operation["requestBody"])
    guard !request.body.isEmpty else { return body["required"] as? Bool == true ? ["the body is missing"] : [] }
    let kinds = object(body["content"])
    // A media type with parameters may have its own schema, as in JSON:API's bulk requests.
    let whole = request.header("Content-Type") ?? ""
    let kind = String(whole.prefix { $0 != ";" })
    guard let content = (kinds[whole] ?? kinds[kind]).map(object) else { return ["no body of type \(whole)"] }
    let schema = resolved(content["schema"])
    if kind == "multipart/form-data" {
      guard let form = MultipartParts(request) else { return ["the form cannot be read"] }
      return form.parts.keys.sorted().flatMap { name -> [String] in
        guard let member = object(schema["properties"])[name] else { return ["no part \(name)"] }
        return enumFaults(form.text(name) ?? "", resolved(member), name)
      }
    }
    guard kind.hasSuffix("json"), let json = try? JSONSerialization.jsonObject(with: Data(request.body)) else {
      return []
    }
    return faults(of: json, schema, "body")
  }

  private func faults(of value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    for key in ["oneOf", "anyOf"] where schema[key] != nil {
      let found = list(schema[key]).map { faults(of: value, resolved($0), place) }
      return found.contains { $0.isEmpty } ? [] : found.first ?? []
    }
    let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
    let actual = Self.type(of: value)
    if !types.isEmpty, !types.contains(actual), !(actual == "integer" && types.contains("number")) {
      return ["\(place) is \(actual) instead of \(types.joined(separator: " or "))"]
    }
    if let members = value as? [String: Any], schema["properties"] != nil {
      let properties = object(schema["properties"])
      let required = list(schema["required"]).compactMap { $0 as? String }
        .filter { resolved(properties[$0])["readOnly"] as? Bool != true && members[$0] == nil }
      return required.map { "\(place).\($0) is missing" }
        + members.sorted { $0.key < $1.key }.flatMap { name, member -> [String] in
          guard let property = properties[name] else {
            return schema["additionalProperties"] == nil ? ["\(place) has no member \(name)"] : []
          }
          return faults(of: member, resolved(property), "\(place).\(name)")
        }
    }
    if let elements = value as? [Any], schema["items"] != nil {
      return elements.flatMap { faults(of: $0, resolved(schema["items"]), "\(place)[]") }
    }
    return (value as? String).map { enumFaults($0, schema, place) } ?? []
  }

  private func enumFaults(_ text: String, _ schema: [String: Any], _ place: String) -> [String] {
    for key in ["oneOf", "anyOf"] where schema[key] != nil {
      let found = list(schema[key]).map { enumFaults(text, resolved($0), place) }
      return found.contains { $0.isEmpty } ? [] : found.first ?? []
    }
    let allowed = list(schema["enum"]).compactMap { $0 as? String }
    return allowed.isEmpty || allowed.contains(text) ? [] : ["\(place) may not be “\(text)”"]
  }

  private static func type(of value: Any) -> String {
    switch value {
    case is NSNull: "null"
    case is String: "string"
    case is [Any]: "array"
    case is [String: Any]: "object"
    case let number as NSNumber where isBoolean(number): "boolean"
    case let number as NSNumber where number.doubleValue == number.doubleValue.rounded(): "integer"
    default: "number"
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

  /// Returns the specification's path that matches the path and method of a request. If several match, the path with the fewest parameters is
  /// returned.
  private func template(of path: String, method: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return object(root["paths"]).filter { template, item in
      let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
      return wanted.count == parts.count
        && zip(wanted, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
        && resolved(item)[method] != nil
    }.keys.min { $0.count { $0 == "{" } < $1.count { $0 == "{" } }
  }

  private func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }
  private func list(_ value: Any?) -> [Any] { value as? [Any] ?? [] }

  /// Returns a schema or parameter with its references resolved, and with the members of all schemas in `allOf`.
  private func resolved(_ value: Any?) -> [String: Any] {
    var schema = object(value)
    if let reference = schema["$ref"] as? String {
      let parts = reference.split(separator: "#", maxSplits: 1)
      var found: Any = parts.first.flatMap { try? files.root(String($0)) } ?? [:]
      for part in parts.last?.split(separator: "/") ?? [] { found = object(found)[String(part)] ?? [:] }
      return resolved(found)
    }
    for part in list(schema["allOf"]).map(resolved) {
      schema.merge(part) { old, new in
        if let old = old as? [String: Any], let new = new as? [String: Any] { return old.merging(new) { a, _ in a } }
        if let old = old as? [Any], let new = new as? [Any] { return old + new }
        return old
      }
    }
    return schema
  }
}
