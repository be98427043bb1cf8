internal import Foundation
package import HTTPTransport
package import Localization
internal import Logging

/// A client for the JSON API of one vendor or forge, with the API's base address, authentication and pace. It repeats requests after temporary
/// failures, and decodes JSON. All vendors except `folder` and `pseudo` use this type.
package struct VendorHTTP: Sendable {
  /// The way in which requests are authenticated.
  package enum Authentication: Sendable {
    case none
    /// `Authorization: <scheme> <token>`.
    case authorization(scheme: String)
    /// HTTP Basic (RFC 7617). The secret is `user:password`, or a password without a user.
    case basic
    /// The token in a header that is specific to the vendor.
    case header(String)
  }

  /// The part of the pipeline file that contains the client's settings. Error messages name these settings in their next steps.
  package enum Settings: Sendable {
    case vendor
    /// The settings of a forge. After refusals, the caller adds the next steps.
    case forge
  }

  /// The maximum number of attempts to send a request before the request's error is thrown. The worker repeats the whole stage later. After an
  /// attempt that exceeded `Deadlines.whole`, the request is not sent again.
  package static let attempts = 4
  /// The longest pause after which a request is sent again. If the server requires a longer pause, the error is thrown, and the worker repeats the
  /// stage later.
  package static let longestPause = Duration.seconds(60)

  let vendor: String
  private let base: HTTPURL
  private let authentication: Authentication
  private let accept: String
  let environment: VendorEnvironment
  private let pace: PaceSettings
  private let paces: RequestPaces
  private let pauseInBody: (@Sendable ([UInt8]) -> Duration?)?
  private let settings: Settings
  /// Secrets that requests contain in addition to the secret of the environment. These secrets are also removed from servers' messages.
  package var moreSecrets: [Secret] = []
  let sentSecrets = SentSecrets()

  /// - Parameters:
  ///   - vendor: the vendor's kind, for messages.
  ///   - settings: the part of the pipeline file that contains the address and the credentials.
  ///   - base: the base address, which may have a path.
  ///   - accept: the media type of responses.
  ///   - pauseInBody: returns the pause that the body of a response with status 429 requires. This function is called if no header contains a pause.
  package init(
    vendor: String, of settings: Settings = .vendor, base: HTTPURL, authentication: Authentication,
    accept: String = "application/json",
    pace: PaceSettings, environment: VendorEnvironment, paces: RequestPaces = .shared,
    pauseInBody: (@Sendable ([UInt8]) -> Duration?)? = nil
  ) {
    self.vendor = vendor
    self.base = base
    self.authentication = authentication
    self.accept = accept
    self.pace = pace
    self.environment = environment
    self.paces = paces
    self.pauseInBody = pauseInBody
    self.settings = settings
  }

  /// Sends a request and decodes the response.
  /// - Throws: `TransportError` if no response arrives or the response is unsuccessful, `VendorError` if the response is a web page or cannot be
  ///   decoded.
  package func json<Content: Decodable>(_ request: Request, as type: Content.Type) async throws -> Content {
    try decode(try await send(request), request, as: type)
  }

  /// Runs a request about the project itself. If the server returns 404, throws `configuration`, because the pipeline file must be corrected.
  /// - Parameter missing: the message: what is missing, and the next step.
  func project<Result>(
    missing: @autoclosure () -> String, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as TransportError where error.kind == .status(404) {
      throw VendorError(kind: .configuration, at: error.operation, detail: "\(missing()) (\(error.detail))")
    }
  }

  package func decode<Content: Decodable>(
    _ response: HTTPResponse, _ request: Request, as type: Content.Type
  ) throws -> Content {
    let kind = response.head.header("Content-Type")?.lowercased() ?? ""
    guard kind.isEmpty || kind.contains("json") else {
      throw fault(
        request, "the response is \(kind.prefix { $0 != ";" }) instead of JSON. \(addressStep)")
    }
    do { return try JSONDecoder().decode(type, from: Data(response.body)) } catch {
      throw fault(request, redacted(JSONFault.words(for: error, in: response.body)))
    }
  }

  /// Sends a request. A repeatable request is repeated after temporary failures; any request is repeated after a refusal because of a rate limit.
  /// - Parameter accepted: further statuses that do not throw an error, because the caller handles them.
  package func send(_ request: Request, accepting accepted: Set<Int> = []) async throws -> HTTPResponse {
    let secret = try environment.secret().map(authentication.credentials)
    if let secret { sentSecrets.note(secret) }
    let pace = paces.pace(self.pace, host: "\(base.host):\(base.port)", token: secret, now: environment.now())
    var attempt = 1
    while true {
      try await wait(for: pace, request)
      let started = environment.now()
      let sent = try httpRequest(request, secret)
      do {
        let response = try await environment.transport.send(sent)
        record(request, as: sent, response, secret)
        environment.logger.debug(
          "vendor request",
          metadata: [
            "vendor": "\(vendor)", "request": "\(operation(request))", "status": "\(response.status)",
            "seconds": "\(environment.now().timeIntervalSince(started))",
          ])
        let isLimit = RateHints.isLimit(response)
        let isSignIn = SignInPage(response.head) != nil
        if !isSignIn, response.head.isSuccess || (accepted.contains(response.status) && !isLimit) {
          pace.end(ending(after: response), at: environment.now())
          try check(response, request)
          return response
        }
        let error = refusal(response, of: request)
        let isPause = isLimit || response.status == 503 || response.status == 423
        let pause = pause(in: response) ?? backoff(attempt)
        pace.end(
          isPause ? .pause(pause) : response.status >= 500 ? .failed(error.detail) : .responded, at: environment.now())
        let mayRepeat = isLimit || (request.isRepeatable && response.status >= 500)
        guard mayRepeat, attempt < Self.attempts, pause <= Self.longestPause else { throw error }
        if !isPause { try await environment.sleep(pause) }
      } catch let error as TransportError where error.isUnreachable && !Self.hasStatus(error) {
        pace.end(.failed(error.detail), at: environment.now())
        record(request, as: sent, nil, secret)
        guard request.isRepeatable, attempt < Self.attempts, error.kind != .timedOut else { throw error }
        try await environment.sleep(backoff(attempt))
      } catch let error as TransportError where !Self.hasStatus(error) {
        pace.end(.notSent, at: environment.now())
        throw error
      }
      attempt += 1
    }
  }

  /// Throws an error if the response is a web page. A web page usually comes from a proxy or from another server, so the vendor has probably not
  /// processed the request.
  private func check(_ response: HTTPResponse, _ request: Request) throws {
    guard let kind = response.head.header("Content-Type")?.lowercased(), kind.contains("html") else { return }
    throw fault(request, "the response is a web page instead of JSON. \(addressStep)")
  }

  private var addressStep: String {
    settings == .vendor
      ? "Check the address of the server."
      : "Check repository.url, and deliver.api, the address of the server's API."
  }

  private func wait(for pace: RequestPace, _ request: Request) async throws {
    while true {
      try Task.checkCancellation()
      switch pace.turn(at: environment.now()) {
      case .go: return
      case .wait(let pause):
        // For forges, the worker reports a long pause and repeats the stage after it.
        guard settings == .vendor || pause <= Self.longestPause else {
          throw TransportError(
            kind: .status(429), operation: operation(request),
            detail:
              "too many requests were sent; the server accepts the next one after \(pause.components.seconds + 1) s",
            retryAfter: pause)
        }
        try await environment.sleep(pause)
      case .refused(let pause, let fault):
        throw TransportError(
          kind: .connectionFailed, operation: operation(request),
          detail: "\(vendor) failed \(RequestPace.breakAfter) times in a row, so requests are stopped for some time. "
            + "Last failure: \(fault)",
          retryAfter: pause)
      }
    }
  }

  private func httpRequest(_ request: Request, _ secret: Secret?) throws -> HTTPRequest {
    var url = base.appending(request.path)
    if !request.query.isEmpty {
      let query = request.query.map { "\(HTTPURL.encode($0.name))=\(HTTPURL.encode($0.value))" }
      url = try url.resolving("?" + query.joined(separator: "&"))
    }
    var deadlines = request.deadlines
    if let longest = environment.longestStall { deadlines.stall = min(deadlines.stall, longest) }
    var sent = HTTPRequest(
      request.method, url, headers: [("Accept", accept)] + request.headers, body: request.body,
      deadlines: deadlines, responseLimit: request.responseLimit, isRepeatable: request.isRepeatable)
    sent.acceptsCompression = true
    if let secret { authentication.add(secret, to: &sent) }
    return sent
  }

  /// Returns the ending of a request whose response is accepted: a pause if the response says that no request is left and how long to wait; otherwise
  /// `responded`.
  private func ending(after response: HTTPResponse) -> RequestPace.Ending {
    guard RateHints.isSpent(response), let pause = RateHints.pause(in: response, now: environment.now()) else {
      return .responded
    }
    return .pause(pause)
  }

  private func backoff(_ attempt: Int) -> Duration {
    // A random time from 0.5 to 1 s, then from 1 to 2 s, 2 to 4 s and so on, because stages must not all retry at the same moment.
    .milliseconds(Int.random(in: 500...1000) << min(attempt - 1, 5))
  }

  private static func hasStatus(_ error: TransportError) -> Bool {
    if case .status = error.kind { true } else { false }
  }

  private func operation(_ request: Request) -> String {
    "\(vendor): \(request.method) /\(request.path.joined(separator: "/"))"
  }

  private func fault(_ request: Request, _ detail: String) -> VendorError {
    VendorError(kind: .protocolFault, at: operation(request), detail: detail)
  }

  /// Returns the error for a refusal, with the server's message if there is one. Secrets are removed, because some servers repeat them in
  /// messages.
  func refusal(_ response: HTTPResponse, of request: Request) -> TransportError {
    let words = ErrorWords.text(in: response.body, type: response.head.header("Content-Type"), redacted)
    var error = response.error(operation(request), hint: words, explains: settings == .vendor)
    if response.status == 403, RateHints.isLimit(response) {
      // A 403 because of a rate limit is reported as 429.
      error = TransportError(
        kind: .status(429), operation: error.operation,
        detail: "the server returned 403, because too many requests were sent\(words.map { ", \($0)" } ?? "")",
        retryAfter: error.retryAfter)
    } else if let step = nextStep(after: response.head.meaning) {
      error = TransportError(
        kind: error.kind, operation: error.operation, detail: "\(error.detail). \(step)", retryAfter: error.retryAfter)
    }
    if error.retryAfter == nil, let pause = pause(in: response) {
      error = TransportError(kind: error.kind, operation: error.operation, detail: error.detail, retryAfter: pause)
    }
    if settings == .forge, let pause = error.retryAfter {
      let detail = "\(error.detail). The next request is sent after \(pause.components.seconds) s"
      error = TransportError(kind: error.kind, operation: error.operation, detail: detail, retryAfter: pause)
    }
    return error
  }

  private func pause(in response: HTTPResponse) -> Duration? {
    if let pause = RateHints.pause(in: response, now: environment.now()) { return pause }
    guard response.status == 429, let pause = pauseInBody?(response.body) else {
      return RateHints.usualPause(after: response)
    }
    return min(max(pause, RetryHint.shortest), RetryHint.longest)
  }

  private func nextStep(after status: Int) -> String? {
    guard settings == .vendor else { return nil }
    switch status {
    case 401, 403:
      if (try? environment.secret()) == nil { return "Set `credentials` for this vendor" }
      return status == 401
        ? "Check the token in `credentials`. It may have expired, or belong to another server than `url`"
        : "Give the token in `credentials` permission for this request, or use another token"
    case 404: return "Check `url` and the names of projects, branches and resources in the pipeline file"
    default: return nil
    }
  }
}
