internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The answers of the server: JSON, or the text of metrics.
enum Answer {
  /// What went wrong, and for which request.
  struct Problem: Encodable {
    /// A fixed word for programs.
    var code: String
    /// A sentence for people.
    var message: String
  }

  private struct Envelope: Encodable {
    var error: Problem
  }

  static func json(_ status: HTTPResponse.Status, _ value: some Encodable) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    guard let data = try? encoder.encode(value) else { return Response(status: .internalServerError) }
    return text(status, String(decoding: data, as: UTF8.self) + "\n", type: "application/json")
  }

  static func problem(_ status: HTTPResponse.Status, _ code: String, _ message: String) -> Response {
    json(status, Envelope(error: Problem(code: code, message: message)))
  }

  static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
