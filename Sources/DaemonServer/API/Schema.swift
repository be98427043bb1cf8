internal import Foundation
internal import HTTPTypes

/// A schema of a JSON value, as in OpenAPI. A value of `object` has only the listed members.
indirect enum Schema: Sendable {
  case string(format: String? = nil, values: [String]? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil)
  case integer(ClosedRange<Int64>? = nil)
  case number
  case boolean
  case array(Schema)
  case object([Member])
  /// An object with any members.
  case anyObject
  /// A reference to a schema in `components`.
  case named(String)

  struct Member: Sendable {
    var name: String
    var schema: Schema
    var isRequired: Bool
    var description: String?

    init(_ name: String, _ schema: Schema, optional: Bool = false, _ description: String? = nil) {
      self.name = name
      self.schema = schema
      isRequired = !optional
      self.description = description
    }
  }

  static let text = Schema.string()
  static let time = Schema.string(format: "date-time")
  static let id = Schema.integer(1...Int64.max)
  static let count = Schema.integer(0...Int64.max)

  static func oneOf(_ values: [String]) -> Schema { .string(values: values) }

  /// The schema as JSON.
  var json: JSON {
    switch self {
    case .string(let format, let values, let length, let pattern):
      var members: [String: JSON] = ["type": "string"]
      if let format { members["format"] = .string(format) }
      if let pattern { members["pattern"] = .string(pattern) }
      if let values { members["enum"] = .array(values.map(JSON.string)) }
      if let length {
        members["minLength"] = .number(Int64(length.lowerBound))
        members["maxLength"] = .number(Int64(length.upperBound))
      }
      return .object(members)
    case .integer(let range):
      var members: [String: JSON] = ["type": "integer", "format": "int64"]
      if let range {
        members["minimum"] = .number(range.lowerBound)
        if range.upperBound < .max { members["maximum"] = .number(range.upperBound) }
      }
      return .object(members)
    case .number: return ["type": "number"]
    case .boolean: return ["type": "boolean"]
    case .array(let element): return ["type": "array", "items": element.json]
    case .object(let list):
      var members: [String: JSON] = ["type": "object", "additionalProperties": false]
      members["properties"] = .object(
        Dictionary(uniqueKeysWithValues: list.map { member in (member.name, member.json) }))
      let required = list.filter(\.isRequired).map(\.name)
      if !required.isEmpty { members["required"] = .array(required.map(JSON.string)) }
      return .object(members)
    case .anyObject: return ["type": "object"]
    case .named(let name): return ["$ref": .string("#/components/schemas/\(name)")]
    }
  }
}

extension Schema.Member {
  fileprivate var json: JSON {
    guard let description, case .object(var members) = schema.json else { return schema.json }
    members["description"] = .string(description)
    return .object(members)
  }
}

extension Schema {
  /// Returns whether a value in a body matches the schema. Formats and patterns are checked by the code that uses the value.
  fileprivate func fits(_ value: ReceivedJSON) -> Bool {
    switch (self, value) {
    case (.string(_, let values, let length, _), .string(let text)):
      values.map { $0.contains(text) } ?? true && length.map { $0.contains(text.unicodeScalars.count) } ?? true
    case (.array(let element), .array(let list)): list.allSatisfy(element.fits)
    case (.object(let members), .object(let given)):
      given.keys.allSatisfy { name in members.contains { $0.name == name } }
        && members.allSatisfy { member in given[member.name].map(member.schema.fits) ?? !member.isRequired }
    // The schemas of bodies have no numbers, Booleans or references to other schemas.
    default: false
    }
  }

  /// Checks that a body matches the schema.
  /// - Throws: `APIProblem` if it does not.
  func check(_ body: [UInt8]) throws {
    guard let value = try? JSONDecoder().decode(ReceivedJSON.self, from: Data(body)), fits(value) else {
      throw APIProblem(.badRequest, "body", "the body does not match the OpenAPI document")
    }
  }
}

/// A JSON value in the body of a request.
private enum ReceivedJSON: Decodable {
  case string(String)
  case array([ReceivedJSON])
  case object([String: ReceivedJSON])
  /// A number, a Boolean or null.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let list = try? container.decode([ReceivedJSON].self) {
      self = .array(list)
    } else if let members = try? container.decode([String: ReceivedJSON].self) {
      self = .object(members)
    } else {
      self = .other
    }
  }
}

/// A JSON value for output.
enum JSON: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByArrayLiteral
{
  case string(String)
  case number(Int64)
  case boolean(Bool)
  case array([JSON])
  case object([String: JSON])

  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
