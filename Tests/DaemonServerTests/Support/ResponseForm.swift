import Foundation

/// A comparison of JSON with the schemas of an OpenAPI document. This type supports only the parts of OpenAPI that our document uses, and reads the
/// document as JSON, as clients do.
struct ResponseForm {
  private let root: [String: Any]

  init(_ document: Data) throws { root = try JSONSerialization.jsonObject(with: document) as? [String: Any] ?? [:] }

  /// The method, path and description of every operation.
  var operations: [(method: String, path: String, operation: [String: Any])] {
    object(root["paths"]).sorted { $0.key < $1.key }.flatMap { path, item in
      object(item).sorted { $0.key < $1.key }.map { ($0.key.uppercased(), path, object($0.value)) }
    }
  }

  /// Returns the parts of a response that the document does not allow.
  func faults(in body: String, status: Int, of operation: [String: Any]) -> [String] {
    guard let documented = object(operation["responses"])[String(status)].map(object) else {
      return ["status \(status) is not documented: \(body)"]
    }
    guard let schema = object(object(documented["content"])["application/json"])["schema"] else {
      return ["status \(status) has no JSON"]
    }
    guard let json = try? JSONSerialization.jsonObject(with: Data(body.utf8)) else { return ["no JSON: \(body)"] }
    return faults(of: json, object(schema), "response")
  }

  private func faults(of value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = reference.replacing("#/components/schemas/", with: "")
      guard let found = object(object(root["components"])["schemas"])[name] else { return ["no schema \(name)"] }
      return faults(of: value, object(found), "\(place)(\(name))")
    }
    switch schema["type"] as? String {
    case "object":
      guard let members = value as? [String: Any] else { return ["\(place) is no object"] }
      let properties = object(schema["properties"])
      let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
      return missing.map { "\(place).\($0) is missing" }
        + members.flatMap { name, member -> [String] in
          guard let form = properties[name] else { return ["\(place) has the unknown member \(name)"] }
          return faults(of: member, object(form), "\(place).\(name)")
        }
    case "array":
      guard let elements = value as? [Any] else { return ["\(place) is no array"] }
      return elements.flatMap { faults(of: $0, object(schema["items"]), "\(place)[]") }
    case "string": return textFaults(value, schema, place)
    case "integer", "number":
      guard let number = value as? NSNumber, String(cString: number.objCType) != "c" else {
        return ["\(place) is no number"]
      }
      if let least = schema["minimum"] as? NSNumber, number.int64Value < least.int64Value {
        return ["\(place) is less than \(least)"]
      }
      return []
    case "boolean":
      return (value as? NSNumber).map { String(cString: $0.objCType) == "c" } == true ? [] : ["\(place) is no boolean"]
    default: return ["\(place): the schema has no type"]
    }
  }

  private func textFaults(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    guard let text = value as? String else { return ["\(place) is no string"] }
    if let values = schema["enum"] as? [String], !values.contains(text) { return ["\(place) may not be \(text)"] }
    switch schema["format"] as? String {
    case "date-time" where (try? Date(text, strategy: .iso8601)) == nil: return ["\(place) is no time: \(text)"]
    case "date" where (try? Date(text + "T00:00:00Z", strategy: .iso8601)) == nil:
      return ["\(place) is no day: \(text)"]
    default: return []
    }
  }

  private func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }
}
