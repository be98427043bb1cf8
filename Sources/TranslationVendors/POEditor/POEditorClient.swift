internal import Foundation
internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to POEditor's API. Each request is a POST of a form that contains the token and the project. The
/// body of each response shows whether the request failed.
struct POEditorClient: Sendable {
  let http: VendorHTTP
  let project: String
  let secret: @Sendable () throws -> Secret?

  /// Sends a form, and returns the result in the response.
  /// - Parameter isRepeatable: whether the request can be repeated without further effect.
  /// - Throws: the error for POEditor's error code if the request failed.
  func send<Result: Decodable & Sendable>(
    _ path: [String], _ fields: [(name: String, value: String)] = [], as type: Result.Type, isRepeatable: Bool = true
  ) async throws -> Result {
    let token = try secret()?.reveal() ?? ""
    let form = ([("api_token", token), ("id", project)] + fields)
      .map { "\(HTTPURL.encode($0.0))=\(HTTPURL.encode($0.1))" }.joined(separator: "&")
    let request = VendorHTTP.Request(
      "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: .bytes(Array(form.utf8)),
      isRepeatable: isRepeatable, deadlines: Deadlines(stall: .seconds(120)))
    let envelope = try await http.json(request, as: POEditorMessages.Envelope<Result>.self)
    guard let result = envelope.result else { throw fault(envelope.response, path) }
    return result
  }

  /// Sends a list as the form's field `data`.
  func send<Result: Decodable & Sendable>(
    _ path: [String], language: String? = nil, _ fields: [(name: String, value: String)] = [],
    data: [some Encodable], as type: Result.Type, isRepeatable: Bool = true
  ) async throws -> Result {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(data), as: UTF8.self)
    return try await send(
      path, (language.map { [("language", $0)] } ?? []) + fields + [("data", text)], as: type,
      isRepeatable: isRepeatable)
  }

  /// Returns the error for one of POEditor's error codes (poeditor.com/docs/error_codes).
  private func fault(_ response: POEditorMessages.Response, _ path: [String]) -> any Error {
    let operation = "poeditor: POST /\(path.joined(separator: "/"))"
    let words = String(http.redacted(response.message ?? "no reason given").prefix(300))
    let detail = "POEditor refused the request with code \(response.code): \(words)"
    switch response.code {
    case "401", "4011":
      return TransportError(kind: .status(401), operation: operation, detail: detail + ". Check `credentials`")
    case "403", "4030", "4031", "4034": return TransportError(kind: .status(403), operation: operation, detail: detail)
    case "429", "4048":
      return TransportError(kind: .status(429), operation: operation, detail: detail, retryAfter: .seconds(60))
    case "4033":
      return TransportError(kind: .status(423), operation: operation, detail: detail, retryAfter: .seconds(60))
    case let code where code.count == 3 && code.hasPrefix("5"):
      return TransportError(kind: .status(Int(code) ?? 500), operation: operation, detail: detail)
    case "4032": return VendorError(kind: .limitReached, operation: operation, detail: detail)
    case "4043", "4044": return VendorError(kind: .unknownLanguage, operation: operation, detail: detail)
    default: return VendorError(kind: .refused, operation: operation, detail: detail)
    }
  }
}
