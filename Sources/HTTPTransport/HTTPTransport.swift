internal import Localization
internal import Tracing

/// The settings that all requests of a transport share.
package struct TransportSettings: Hashable, Sendable {
  package var userAgent: String
  /// The path of a file with PEM certificates that replaces the system's authorities; `nil` to use these authorities.
  package var certificateAuthorities: String?
  /// Whether the environment's proxy variables, such as `https_proxy` and `no_proxy`, are used.
  package var usesEnvironmentProxy: Bool
  /// The number of idle connections that stay open for later requests; `nil` for libcurl's default, which depends on the number of running transfers.
  package var keptConnections: Int?
  package var clientCertificate: ClientCertificate?
  /// A proxy that replaces the environment's proxy; `nil` if none is configured.
  package var proxy: HTTPProxy?

  package init(
    userAgent: String = "dragoman", certificateAuthorities: String? = nil, usesEnvironmentProxy: Bool = true,
    keptConnections: Int? = nil, clientCertificate: ClientCertificate? = nil, proxy: HTTPProxy? = nil
  ) {
    self.clientCertificate = clientCertificate
    self.proxy = proxy
    self.userAgent = userAgent
    self.certificateAuthorities = certificateAuthorities
    self.usesEnvironmentProxy = usesEnvironmentProxy
    self.keptConnections = keptConnections
  }
}

/// An HTTP client, for example for vendors, forges and git servers. It supports deadlines and streams with back-pressure. All tasks share one libcurl
/// thread.
///
/// The thread ends when the transport is released. Redirects are followed only on the same server (``HTTPURL/mayRedirect(to:)``), at most
/// `redirectLimit` times, so that data for one server, such as credentials, is never sent to another. A redirect to a ``SignInPage`` is not followed
/// but returned as the response.
package final class HTTPTransport: Sendable {
  package static let redirectLimit = 5

  private let inbox: Inbox
  private let now: @Sendable () -> Int64
  private let observe: @Sendable (_ host: String, _ status: Int?) -> Void
  private let isReadOnly: Bool

  /// - Parameters:
  ///   - now: returns the time in seconds since 1970, for servers that send a date in `Retry-After`.
  ///   - observe: receives the host and the status of each response. The status is `nil` if there was no response. The function is called from
  ///     several tasks.
  ///   - isReadOnly: whether only requests with a safe method are sent.
  package init(
    _ settings: TransportSettings = TransportSettings(), isReadOnly: Bool = false,
    now: @escaping @Sendable () -> Int64 = systemSeconds,
    observe: @escaping @Sendable (_ host: String, _ status: Int?) -> Void = { _, _ in }
  ) {
    inbox = CurlLoop.start(settings)
    self.now = now
    self.observe = observe
    self.isReadOnly = isReadOnly
  }

  deinit { inbox.close() }

  /// Sends a request and returns the whole response with any status.
  /// - Throws: a transport error, for example if the response's body is larger than the request allows.
  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    do {
      return try await withResponse(to: request) { head, body in
        var bytes: [UInt8] = []
        for try await chunk in body { bytes += chunk }
        return HTTPResponse(head: head, body: bytes, retryAfter: head.retryAfter(now: now()))
      }
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(kind: .other, operation: request.operation, detail: "\(error)")
    }
  }

  /// Sends a request and lets `use` read the response's body as it arrives. The server waits while `use` does not read. If `use` does not read the
  /// whole body, the connection is closed and the rest is dropped.
  package func withResponse<Result: Sendable>(
    to request: HTTPRequest, _ use: (HTTPResponseHead, HTTPBody) async throws -> Result
  ) async throws -> Result {
    try request.check()
    guard !isReadOnly || HTTPRequest.readingMethods.contains(request.method) else {
      throw TransportError(
        kind: .readOnly, operation: request.operation, detail: "the request might change something, so it was not sent")
    }
    // The span contains only the host of the URL, because a path may contain a secret, as in the URLs of chat webhooks.
    return try await withSpan(request.method, ofKind: .client) { span in
      span.attributes["server.address"] = request.url.host
      span.attributes["http.request.method"] = request.method
      return try await withResponse(to: request, in: span, use)
    }
  }

  private func withResponse<Result: Sendable>(
    to request: HTTPRequest, in span: any Span, _ use: (HTTPResponseHead, HTTPBody) async throws -> Result
  ) async throws -> Result {
    var request = request
    for _ in 0...Self.redirectLimit {
      let transfer = Transfer(request, url: request.url)
      let step = try await run(transfer) { () async throws -> Step<Result> in
        let head: HTTPResponseHead
        do { head = try await transfer.head() } catch {
          observe(request.url.host, nil)
          throw error
        }
        observe(request.url.host, head.status)
        span.attributes["http.response.status_code"] = head.status
        if let next = try redirected(request, by: head) { return .redirect(next) }
        return .done(try await use(head, HTTPBody(transfer: transfer, inbox: inbox)))
      }
      switch step {
      case .done(let result): return result
      case .redirect(let next): request = next
      }
    }
    throw TransportError(
      kind: .redirectRefused, operation: request.operation, detail: "redirected more than \(Self.redirectLimit) times")
  }

  private enum Step<Result: Sendable>: Sendable {
    case done(Result)
    case redirect(HTTPRequest)
  }

  /// Starts a transfer, sends its body while `use` runs, and ends it when `use` returns.
  private func run<Result: Sendable>(
    _ transfer: Transfer, _ use: () async throws -> Result
  ) async throws -> Result {
    guard inbox.post(.start(transfer)) else { throw transfer.fault(.other, "libcurl could not be started") }
    defer { inbox.post(.cancel(transfer)) }
    return try await withTaskCancellationHandler {
      guard case .stream(let source, _) = transfer.request.body else { return try await use() }
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await self.feed(transfer, from: source) }
        defer { group.cancelAll() }
        return try await use()
      }
    } onCancel: {
      inbox.post(.cancel(transfer))
    }
  }

  private func feed(_ transfer: Transfer, from source: HTTPBodySource) async {
    let resume = { _ = self.inbox.post(.resume(transfer)) }
    do {
      for try await chunk in source {
        guard await transfer.feed(chunk, resume: resume) else { return }
      }
      _ = await transfer.feed(nil, resume: resume)
    } catch {
      transfer.fail(transfer.fault(.bodySource, "cannot read the data to send: \(error)"))
      inbox.post(.cancel(transfer))
    }
  }

  /// Returns the request for a redirect; `nil` if the request does not follow redirects, or if the response is not a redirect or redirects to a
  /// sign-in page. After status 303, the new request is a GET, or a HEAD as before, without a body.
  /// - Throws: `redirectRefused` if the redirect must not be followed.
  private func redirected(
    _ request: HTTPRequest, by head: HTTPResponseHead
  ) throws(TransportError) -> HTTPRequest? {
    guard request.followsRedirects, [301, 302, 303, 307, 308].contains(head.status),
      let location = head.header("Location"), SignInPage(head) == nil
    else { return nil }
    func refused(_ detail: String) -> TransportError {
      TransportError(kind: .redirectRefused, operation: request.operation, detail: detail)
    }
    let target: HTTPURL
    do { target = try request.url.resolving(location) } catch {
      throw refused("redirected to an invalid URL: \(error.detail)")
    }
    guard request.url.mayRedirect(to: target) else {
      throw refused(
        "redirected to \(target.scheme)://\(target.host):\(target.port), another server. Configure that URL instead"
      )
    }
    var next = request
    next.url = target
    switch (head.status, request.body) {
    case (303, _):
      next.method = request.method == "HEAD" ? "HEAD" : "GET"
      next.body = .none
    case (_, .stream): throw refused("redirected during an upload that cannot be sent twice")
    default: break
    }
    return next
  }
}

/// The body of a response as a sequence of pieces. It can be read only once.
package struct HTTPBody: AsyncSequence, Sendable {
  package typealias Element = [UInt8]
  package typealias Failure = TransportError
  let transfer: Transfer
  let inbox: Inbox

  package struct AsyncIterator: AsyncIteratorProtocol {
    let transfer: Transfer
    let inbox: Inbox

    package mutating func next() async throws(TransportError) -> [UInt8]? {
      let (transfer, inbox) = (transfer, inbox)
      return try await transfer.nextChunk { inbox.post(.resume(transfer)) }
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> [UInt8]? {
      let (transfer, inbox) = (transfer, inbox)
      return try await transfer.nextChunk { inbox.post(.resume(transfer)) }
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transfer: transfer, inbox: inbox) }
}

extension HTTPRequest {
  /// Rejects an invalid method or header name, and a line break or NUL in a header value or bearer token.
  fileprivate func check() throws(TransportError) {
    func refused(_ detail: String) -> TransportError {
      TransportError(kind: .invalidRequest, operation: "cannot send the request", detail: detail)
    }
    let isToken = { (text: String) in
      !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }
    guard isToken(method) else { throw refused("the method has invalid characters") }
    let breaksOut = { (value: String) in value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
    for (name, value) in headers + secretHeaders.map({ ($0.name, $0.value.reveal()) }) {
      guard isToken(name) else { throw refused("a header name has invalid characters") }
      guard !breaksOut(value) else { throw refused("the header \(name) contains a line break or a NUL") }
    }
    // Only a bearer token is checked, because the password of `basic` is encoded.
    if case .bearer(let token) = credentials, breaksOut(token.reveal()) {
      throw refused("the token in credentials contains a line break or a NUL")
    }
  }
}
