internal import HTTPTransport
internal import Localization
internal import TranslationVendors

extension VendorHTTP {
  /// Sends a request whose answer only matters as a success or a failure. A success is JSON or an empty body. An HTML page is a failure:
  /// some forges answer with their sign-in page instead of refusing a token.
  /// - Parameter settled: a part of the server's message if it answers 400 because the requested state is already set.
  func tell(_ request: Request, settled: String? = nil) async throws {
    let response = try await send(request, accepting: settled == nil ? [] : [400])
    if response.status == 400 {
      guard let settled, String(decoding: response.body, as: UTF8.self).contains(settled) else {
        throw VendorError(
          kind: .refused, at: "\(request.method) /\(request.path.joined(separator: "/"))",
          detail: "the server answered 400, “\(words(of: response))”")
      }
      return
    }
    if !response.body.isEmpty { _ = try decode(response, request, as: AnyAnswer.self) }
  }

  /// The beginning of an answer, without secrets.
  func words(of response: HTTPResponse) -> String {
    String(redacted(String(decoding: response.body.prefix(4096), as: UTF8.self)).prefix(300)).withVisibleControls
  }
}

/// Any JSON.
private struct AnyAnswer: Decodable {
  init(from decoder: any Decoder) throws {}
}
