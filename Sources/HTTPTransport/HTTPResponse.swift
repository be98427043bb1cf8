/// The status and headers of a response.
package struct HTTPResponseHead: Sendable {
  package var status: Int
  /// The headers in the order of arrival. The names are in the server's spelling.
  package var headers: [(name: String, value: String)]
  /// The URL of the response after redirects.
  package var url: HTTPURL

  package init(status: Int, headers: [(name: String, value: String)], url: HTTPURL) {
    self.status = status
    self.headers = headers
    self.url = url
  }

  /// Returns the value of the first header with this name; `nil` if there is none. The case of the name is ignored.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var isSuccess: Bool { (200...299).contains(status) }

  /// Returns the wait that the server requests with `Retry-After`, limited to between 1 s and 15 min; `nil` if it requests none.
  /// - Parameter now: the current time in seconds since 1970, for servers that send a date.
  package func retryAfter(now: Int64) -> Duration? { header("Retry-After").flatMap { RetryHint.parse($0, now: now) } }
}

/// A response with its whole body.
package struct HTTPResponse: Sendable {
  package var head: HTTPResponseHead
  package var body: [UInt8]
  /// The wait that the server requests with `Retry-After`, between 1 s and 15 min; `nil` if it requests none.
  package var retryAfter: Duration?

  package init(head: HTTPResponseHead, body: [UInt8], retryAfter: Duration? = nil) {
    self.head = head
    self.body = body
    self.retryAfter = retryAfter
  }

  package var status: Int { head.status }

  /// Returns the response as an error, for a caller that does not accept its status. The error does not contain the body. A ``SignInPage`` counts as
  /// status 401.
  /// - Parameter explains: whether the message gives the usual cause of status 401 or 403, which is the credentials.
  package func error(_ operation: String, hint: String? = nil, explains: Bool = true) -> TransportError {
    if let page = SignInPage(head) {
      return TransportError(kind: .status(401), operation: operation, detail: page.words(status: status))
    }
    let text = StatusWords.text(for: status).map { explains ? $0[...] : $0.prefix { $0 != ":" } }
    let words = text.map { " \($0)" } ?? ""
    let hint = hint.map { ", \($0)" } ?? ""
    return TransportError(
      kind: .status(status), operation: operation, detail: "the server returned \(status)\(words)\(hint)",
      retryAfter: retryAfter)
  }
}

enum StatusWords {
  static func text(for status: Int) -> String? {
    switch status {
    case 401: "(unauthorized): the credentials are missing, or the server did not accept them"
    case 403: "(forbidden): the credentials lack the permission for this"
    case 404: "(not found)"
    case 405: "(method not allowed)"
    case 409: "(conflict)"
    case 412: "(precondition failed)"
    case 413: "(content too large)"
    case 423: "(locked)"
    case 429: "(too many requests)"
    case 500: "(internal server error)"
    case 502: "(bad gateway)"
    case 503: "(service unavailable)"
    case 507: "(insufficient storage)"
    default: nil
    }
  }
}
