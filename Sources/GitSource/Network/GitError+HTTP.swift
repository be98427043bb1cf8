import HTTPTransport

extension GitError {
  /// Creates the error for a request without a response.
  /// - Parameter detail: replaces `error.detail` in the new error; `nil` to keep that text.
  init(_ error: TransportError, _ operation: String, detail: String? = nil, over connection: HTTPConnection) {
    let advice = ConnectionAdvice(connection: connection)
    var kind: Kind =
      switch error.kind {
      case .hostNotFound, .connectionFailed, .connectionLost, .other, .status: .unreachable
      case .connectTimedOut, .stalled, .timedOut: .timedOut
      case .tls, .redirectRefused, .bodyTooLarge, .headersTooLarge: .refused
      case .invalidRequest: .unsupported
      case .bodySource, .readOnly: .failed
      case .cancelled: .cancelled
      }
    if ConnectionAdvice.asksForClient(error.detail) { kind = .refused }
    // libcurl reports the status of a proxy's response to CONNECT only in the error message.
    if error.detail.contains("CONNECT tunnel failed, response 407") {
      self.init(.unauthorized, operation, Self.proxyWords(advice))
    } else if error.detail.contains("CONNECT tunnel failed, response 403") {
      let proxy = advice.proxy.map { "proxy \($0)" } ?? "proxy"
      self.init(.refused, operation, "the \(proxy) refuses the connection to this server (status 403)")
    } else {
      self.init(kind, operation, (detail ?? error.detail) + (advice.step(after: error).map { ". \($0)" } ?? ""))
    }
  }

  private static func proxyWords(_ advice: ConnectionAdvice) -> String {
    "the proxy requires credentials, or did not accept them; set repository.proxy_credentials to file:PATH"
      + (advice.proxy.map { " (proxy \($0))" } ?? "")
  }

  /// Creates the error for a response with an error status.
  /// - Parameters:
  ///   - body: the beginning of the response's body.
  ///   - pushes: whether the request was part of a push.
  /// - Returns: the error; `nil` for status 200.
  init?(
    _ head: HTTPResponseHead, body: [UInt8] = [], hasCredentials: Bool, pushes: Bool = false,
    over connection: HTTPConnection, _ operation: String
  ) {
    if head.status == 200 { return nil }
    let isText = head.header("Content-Type")?.hasPrefix("text/plain") == true
    let words = isText ? ServerWords.cleaned(String(decoding: body.prefix(1000), as: UTF8.self)) : ""
    let (kind, what): (Kind, String) =
      switch head.meaning {
      case 401:
        (
          .unauthorized,
          hasCredentials
            ? "the server did not accept the credentials"
            : "the server requires credentials; set credentials: in the pipeline file"
        )
      case 407: (.unauthorized, Self.proxyWords(ConnectionAdvice(connection: connection)))
      case 403: (.refused, "the server refuses access (status 403)")
      case 404, 410:
        (.noSuchRemote, "the server has no such repository, or the account may not see it (status \(head.status))")
      default: (.unreachable, "the server responded with status \(head.status)")
      }
    let step = head.status == 403 ? Self.step(hasCredentials: hasCredentials, pushes: pushes) : ""
    self.init(kind, operation, ServerWords.quoting(what, words) + step)
  }

  private static func step(hasCredentials: Bool, pushes: Bool) -> String {
    switch (hasCredentials, pushes) {
    case (true, true): ". Give the account write access, or name one that has it in deliver.credentials"
    case (true, false): ". Give the account access to the repository, or name one that has it in repository.credentials"
    case (false, true): ". Set deliver.credentials or repository.credentials, with an account that may push"
    case (false, false): ". Set repository.credentials"
    }
  }
}
