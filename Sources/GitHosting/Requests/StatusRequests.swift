internal import HTTPTransport
internal import Localization
internal import TranslationVendors

extension VendorHTTP {
  /// Sends a request and checks only whether it succeeded. JSON or an empty body is a success. An HTML page is a failure, because some forges return
  /// their sign-in page instead of refusing a token.
  func tell(_ request: Request) async throws {
    let response = try await send(request)
    if !response.body.isEmpty { _ = try decode(response, request, as: AnyJSON.self) }
  }

  /// Returns the beginning of a response, without secrets.
  func words(of response: HTTPResponse) -> String {
    String(redacted(String(decoding: response.body.prefix(4096), as: UTF8.self)).prefix(300)).withVisibleControls
  }
}

/// Any JSON value.
private struct AnyJSON: Decodable {
  init(from decoder: any Decoder) throws {}
}
