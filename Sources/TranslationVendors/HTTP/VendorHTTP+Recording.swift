internal import HTTPTransport
internal import Localization
internal import Logging

extension VendorHTTP {
  /// The names of the response headers that are recorded.
  private static let recordedHeaders = [
    "Content-Type", "Link", "Location", "Retry-After", "X-Pagination-Next-Cursor", "X-Rate-Limit-Remaining",
    "X-Rate-Limit-Reset", "X-RateLimit-Remaining", "X-RateLimit-Reset",
  ]

  /// Writes an exchange as a fixture, if the environment has a recorder. If writing fails, the error is only logged.
  /// - Parameters:
  ///   - sent: the request with its credentials.
  ///   - response: `nil` if no response arrived.
  func record(_ request: Request, as sent: HTTPRequest, _ response: HTTPResponse?, _ secret: Secret?) {
    guard let recorder = environment.recorder else { return }
    var body: RecordedBody?
    if case .bytes(let bytes) = request.body { body = RecordedBody(bytes) }
    let hidden = sent.secretHeaders.map { ($0.name, ExchangeRedaction.mark) }
    let exchange = RecordedExchange(
      request: RecordedExchange.Request(
        method: request.method, path: "/" + request.path.map { HTTPURL.encode($0) }.joined(separator: "/"),
        query: request.query.map { [$0.name, $0.value] },
        headers: Dictionary((sent.headers + hidden).map { ($0.0.lowercased(), $0.1) }) { first, _ in first }, body: body
      ),
      response: response.map { response in
        RecordedExchange.Response(
          status: response.status,
          headers: Dictionary(
            Self.recordedHeaders.compactMap { name in response.head.header(name).map { (name.lowercased(), $0) } }
          ) { first, _ in first }, body: RecordedBody(response.body))
      })
    do {
      guard try !recorder.record(exchange, token: secret) else { return }
      environment.logger.warning(
        "an exchange was not recorded: the folder is full", metadata: ["vendor": "\(vendor)"])
    } catch {
      environment.logger.error("an exchange was not recorded", metadata: ["vendor": "\(vendor)", "error": "\(error)"])
    }
  }
}
