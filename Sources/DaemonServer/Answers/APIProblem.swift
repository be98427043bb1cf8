internal import HTTPTypes

/// The error that tells a client why its request cannot be answered.
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
