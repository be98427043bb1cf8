internal import HTTPTypes

/// The error for a request that cannot be fulfilled. Its status, code and message are returned to the client.
struct APIProblem: Error {
  var status: HTTPResponse.Status
  var code: String
  var message: String

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  static var badQuery: APIProblem {
    APIProblem(.badRequest, "parameter", "the query is not percent-encoded correctly, or contains the character U+0000")
  }
}
