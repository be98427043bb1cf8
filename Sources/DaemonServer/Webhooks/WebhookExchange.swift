internal import HTTPTypes
internal import Hummingbird

/// Responses that are the same for the webhooks of repositories and of vendors.
enum WebhookExchange {
  private struct Outcome: Encodable {
    var result: String
  }

  /// The response to a GET request.
  static var onlyPost: Response {
    var response = ServerResponse.problem(.methodNotAllowed, "method", "webhooks are sent with POST")
    response.headers[.allow] = "POST"
    return response
  }

  static func response(_ status: HTTPResponse.Status, _ result: WebhookGate.Result) -> Response {
    ServerResponse.json(status, Outcome(result: result.rawValue))
  }
}
