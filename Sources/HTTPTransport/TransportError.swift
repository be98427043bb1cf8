package import Localization

/// The reason why a request got no response or an unsuccessful response.
package struct TransportError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The request cannot be sent because its URL, a header, the credentials, the client certificate or a mail address is invalid.
    case invalidRequest
    case hostNotFound
    case connectionFailed
    /// The connection was not established within `Deadlines.connect`.
    case connectTimedOut
    /// No bytes were transferred for `Deadlines.stall`.
    case stalled
    /// The whole exchange took longer than `Deadlines.whole`.
    case timedOut
    /// The TLS handshake failed, for example because of the server's certificate.
    case tls
    /// The connection ended before the exchange was complete.
    case connectionLost
    /// A redirect is not followed: its URL is invalid or on another server, there were too many redirects, or the request's body is a stream, which
    /// cannot be sent twice.
    case redirectRefused
    /// The response is larger than the request allows.
    case bodyTooLarge
    /// The headers of the response are too large.
    case headersTooLarge
    /// The body to send could not be read.
    case bodySource
    /// The server returned an error status, or a mail server an error code. For a ``SignInPage``, the status is 401.
    case status(Int)
    case cancelled
    /// The request might change something, but the transport is read-only.
    case readOnly
    /// Any other error, for example of libcurl.
    case other
  }

  package let kind: Kind
  /// The attempted request, such as `PUT https://example.com/a`, or another operation, such as `use the client certificate`. It never contains
  /// credentials or a query.
  package let operation: String
  /// The cause: the message of the library or the server.
  package let detail: String
  /// The wait that the server requests; `nil` if it requests none.
  package let retryAfter: Duration?

  package init(kind: Kind, operation: String, detail: String, retryAfter: Duration? = nil) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
    self.retryAfter = retryAfter
  }

  package var description: String { "\(operation): \(detail)" }

  package var disposition: Disposition {
    switch kind {
    case .hostNotFound, .connectionFailed, .connectTimedOut, .stalled, .timedOut, .connectionLost, .headersTooLarge,
      .cancelled,
      .other:
      .retry
    case .tls, .redirectRefused: .askPerson
    case .invalidRequest, .bodyTooLarge, .bodySource, .readOnly: .permanent
    case .status(401), .status(403), .status(407): .askPerson
    case .status(408), .status(423), .status(425), .status(429), .status(500...599):
      retryAfter.map(Disposition.retryAfter) ?? .retry
    case .status: .permanent
    }
  }

  package var isFaultOfServer: Bool {
    switch kind {
    case .bodyTooLarge, .headersTooLarge, .status: true
    default: false
    }
  }

  /// Whether the server could not be reached or cannot process requests now, as opposed to a refused request.
  package var isUnreachable: Bool {
    switch kind {
    case .hostNotFound, .connectionFailed, .connectTimedOut, .stalled, .timedOut, .connectionLost, .tls: true
    case .status(let status): status >= 500
    default: false
    }
  }
}
