internal import Foundation
internal import HTTPTypes
internal import Pipeline

/// One operation of the API: its description for the OpenAPI document, and the function that handles its requests. Both the document and the routes
/// are generated from the list of operations.
struct APIOperation: Sendable {
  struct Parameter: Sendable {
    var name: String
    var schema: Schema
    var description: String
    var isRequired = false
  }

  var method: HTTPRequest.Method
  /// The path below `/api/v1`, with parameters in braces, such as `/rounds/{id}`.
  var path: String
  /// The name of the operation in generated clients.
  var name: String
  var summary: String
  /// The role that a request needs; `nil` if no token is needed.
  var role: Role?
  var query: [Parameter] = []
  var body: Schema?
  /// The schema of the body of a successful response.
  var response: Schema
  var status = HTTPResponse.Status.ok
  /// The statuses of the problems that are specific to this operation. `allProblems` adds those that every operation can return, and those that
  /// follow from the operation's role, body and path.
  var problems: [HTTPResponse.Status] = []
  var handle: @Sendable (APIRequest) async throws -> any Encodable & Sendable

  var segments: [Substring] { path.split(separator: "/") }

  /// The parameters of the path, in order. All parameters are required.
  var pathParameters: [Parameter] {
    segments.filter { $0.hasPrefix("{") }.map { segment in
      let name = String(segment.dropFirst().dropLast())
      return switch name {
      case "id": Parameter(name: name, schema: .id, description: "The id.", isRequired: true)
      case "pipeline":
        Parameter(
          name: name, schema: .string(length: 1...200), description: "The name of the pipeline.", isRequired: true)
      default: Parameter(name: name, schema: .string(length: 1...200), description: "The name.", isRequired: true)
      }
    }
  }

  /// Returns the values of the path parameters, by name; `nil` if the path does not match.
  func match(_ parts: [String]) -> [String: String]? {
    let segments = segments
    guard segments.count == parts.count else { return nil }
    var found: [String: String] = [:]
    for (segment, part) in zip(segments, parts) {
      if segment.hasPrefix("{") {
        found[String(segment.dropFirst().dropLast())] = part
      } else if segment != part {
        return nil
      }
    }
    return found
  }
}

/// A request to an operation. Its token has already been checked.
struct APIRequest: Sendable {
  var path: [String: String]
  var query: [String: [String]]
  var body: [UInt8]
  /// The sender of the request. The sender's name is empty if the operation needs no role.
  var actor: Actor

  /// Returns the id in the path.
  /// - Throws: `APIProblem` if the id is not a positive number.
  func id() throws -> Int64 {
    guard let id = path["id"].flatMap({ Int64($0) }), id > 0 else {
      throw APIProblem(.badRequest, "parameter", "the id is not a positive whole number")
    }
    return id
  }

  /// The name of the pipeline in the path; empty if the path has no pipeline.
  var pipeline: String { path["pipeline"] ?? "" }

  func text(_ name: String) -> String? { query[name]?.last }

  /// Returns a number from the query; the default if the parameter is missing.
  /// - Throws: `APIProblem` if the parameter is not a number in the range.
  func number(_ name: String, in range: ClosedRange<Int64>, default standard: Int64) throws -> Int64 {
    guard let text = text(name) else { return standard }
    guard let value = Int64(text), range.contains(value) else {
      throw APIProblem(
        .badRequest, "parameter", "\(name) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Decodes the body from JSON.
  /// - Throws: `APIProblem` if the body cannot be decoded as this type.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw APIProblem(.badRequest, "body", "the body does not match the OpenAPI document")
    }
  }
}
