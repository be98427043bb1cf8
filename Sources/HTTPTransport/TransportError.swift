package import Localization

/// The reason why a request had no answer, or an unsuccessful one.
package struct TransportError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The request itself cannot be sent: a URL, header or body that is not well formed.
    case invalidRequest
    case hostNotFound
    case connectionFailed
    /// The connection was not made within `Deadlines.connect`.
    case connectTimedOut
    /// No bytes were transferred for `Deadlines.stall`.
    case stalled
    /// The whole exchange took longer than `Deadlines.whole`.
    case timedOut
    /// The TLS handshake failed, for example because of the server's certificate.
    case tls
    /// The connection ended in the middle.
    case connectionLost
    /// The server redirects to another host, from https to http, or too often.
    case redirectRefused
    /// The response is larger than the request allows.
    case bodyTooLarge
    /// The headers of the response are larger than any server needs.
    case headersTooLarge
    /// The body to send could not be read.
    case bodySource
    /// An error status.
    case status(Int)
    case cancelled
    /// The request might change something, but the transport is read-only.
    case readOnly
    /// Anything else that libcurl reports.
    case other
  }

  package let kind: Kind
  /// The attempted request: `PUT https://example.com/a`. Never contains credentials or a query.
  package let operation: String
  /// The cause, in the library's or the server's words.
  package let detail: String
  /// How long the server asks to wait.
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

  /// Whether the server could not be reached or is not able to answer now, rather than having refused.
  package var isUnreachable: Bool {
    switch kind {
    case .hostNotFound, .connectionFailed, .connectTimedOut, .stalled, .timedOut, .connectionLost, .tls: true
    case .status(let status): status >= 500
    default: false
    }
  }
}
