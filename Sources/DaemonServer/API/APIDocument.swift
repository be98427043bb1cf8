internal import Foundation
internal import HTTPTypes
internal import Pipeline

/// The OpenAPI document of the API, generated from its operations. docs/reference/openapi.json is a copy; a test compares it with this document.
enum APIDocument {
  static func json(of operations: [APIOperation]) -> JSON {
    var paths: [String: [String: JSON]] = [:]
    for operation in operations {
      paths[operation.path, default: [:]][operation.method.rawValue.lowercased()] = json(operation)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Dragoman", "version": "1",
        "description": .string(
          "The state of Dragoman's pipelines, and people's decisions. Texts of repositories and translators are returned "
            + "unchanged: escape them before you show them."),
        "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/api/v1"]],
      "paths": .object(paths.mapValues(JSON.object)),
      "components": [
        "schemas": .object(APISchemas.all.mapValues(\.json)),
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "A token of `dragoman tokens add`, with the role viewer, operator or admin.",
          ]
        ],
      ],
    ]
  }

  /// Returns the document as text, with one line for each member.
  static func text(of operations: [APIOperation]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(json(of: operations)), as: UTF8.self) + "\n"
  }

  private static func json(_ operation: APIOperation) -> JSON {
    var members: [String: JSON] = [
      "operationId": .string(operation.name), "summary": .string(operation.summary),
    ]
    let parameters =
      operation.pathParameters.map { json($0, in: "path") } + operation.query.map { json($0, in: "query") }
    if !parameters.isEmpty { members["parameters"] = .array(parameters) }
    if let body = operation.body {
      members["requestBody"] = ["required": true, "content": ["application/json": ["schema": body.json]]]
    }
    if let role = operation.role {
      members["security"] = [["token": []]]
      members["description"] = .string("Role: \(role.rawValue).")
    } else {
      members["security"] = []
    }
    var responses: [String: JSON] = [:]
    let type = operation.path == "/events" ? "text/event-stream" : "application/json"
    responses[String(operation.status.code)] = [
      "description": .string(operation.status.reasonPhrase),
      "content": .object([type: ["schema": operation.response.json]]),
    ]
    for status in operation.allProblems {
      responses[String(status.code)] = [
        "description": .string(status.reasonPhrase),
        "content": ["application/json": ["schema": Schema.named("Problem").json]],
      ]
    }
    members["responses"] = .object(responses)
    return .object(members)
  }

  private static func json(_ parameter: APIOperation.Parameter, in place: String) -> JSON {
    var schema = parameter.schema
    // The server refuses a parameter with the character U+0000.
    if case .string(nil, nil, let length, nil) = schema { schema = .string(length: length, pattern: "^[^\\u0000]*$") }
    return [
      "name": .string(parameter.name), "in": .string(place), "required": .boolean(parameter.isRequired),
      "description": .string(parameter.description), "schema": schema.json,
    ]
  }
}

extension APIOperation {
  /// The statuses of all problems that the operation can return.
  var allProblems: [HTTPResponse.Status] {
    var all: [HTTPResponse.Status] = [.badRequest, .requestHeaderFieldsTooLarge, .serviceUnavailable] + problems
    if role != nil { all += [.unauthorized, .forbidden] }
    if body != nil { all += [.contentTooLarge, .unsupportedMediaType] }
    if path.contains("{") { all.append(.notFound) }
    return all
  }
}
