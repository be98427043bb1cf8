internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The parts of requests and answers that are the same for the webhooks of repositories and of vendors.
enum WebhookExchange {
  private struct Outcome: Encodable {
    var result: String
  }

  /// The answer to every method but POST.
  static var onlyPost: Response {
    var response = Answer.problem(.methodNotAllowed, "method", "webhooks are sent with POST")
    response.headers[.allow] = "POST"
    return response
  }

  /// Reads the body. A length that is declared as too large is refused before anything is read.
  /// - Parameter limit: the largest body, in bytes.
  /// - Returns: `nil` if the body is larger.
  static func body(of request: Request, limit: Int) async throws -> [UInt8]? {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
    do { return Array(buffer: try await request.body.collect(upTo: limit)) } catch is NIOTooManyBytesError {
      return nil
    }
  }

  static func answer(_ status: HTTPResponse.Status, _ result: WebhookGate.Result) -> Response {
    Answer.json(status, Outcome(result: result.rawValue))
  }
}
