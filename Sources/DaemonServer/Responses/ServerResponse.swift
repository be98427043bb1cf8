internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Functions that create the server's responses: JSON, and texts of other types, such as metrics and pages.
enum ServerResponse {
  /// A problem that is returned to the client.
  struct Problem: Encodable {
    /// A fixed word by which programs recognize the problem.
    var code: String
    /// A sentence that describes the problem to people.
    var message: String
  }

  private struct Envelope: Encodable {
    var error: Problem
  }

  static func json(_ status: HTTPResponse.Status, _ value: some Encodable) -> Response {
    guard let text = text(of: value) else { return Response(status: .internalServerError) }
    return self.text(status, text, type: "application/json")
  }

  private static func text(of value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) + "\n" }
  }

  static func problem(_ status: HTTPResponse.Status, _ code: String, _ message: String) -> Response {
    json(status, Envelope(error: Problem(code: code, message: message)))
  }

  /// Returns the body of a problem.
  static func problemText(_ code: String, _ message: String) -> String {
    text(of: Envelope(error: Problem(code: code, message: message))) ?? ""
  }

  static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Response {
    Response(
      status: status, headers: headers(type: type), body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func headers(type: String) -> HTTPFields {
    [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
  }
}
