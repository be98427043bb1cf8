internal import Foundation
package import HTTPTransport
package import Localization
internal import Logging

/// Requests to one vendor's API: base address, authentication, pace, retries and decoding of JSON. Every adapter sends its requests
/// through it.
package struct VendorHTTP: Sendable {
  /// How requests to the vendor are authenticated.
  package enum Authentication: Sendable {
    case none
    /// `Authorization: <scheme> <token>`.
    case authorization(scheme: String)
    /// The token in a header of the vendor's own.
    case header(String)
  }

  /// The owner of the settings that the next steps in messages name.
  package enum Settings: Sendable {
    case vendor
    /// The caller adds the next steps after refusals itself.
    case forge
  }

  /// The maximum number of attempts of a request before its fault is thrown. The worker tries the whole stage again later.
  package static let attempts = 4
  /// The longest pause that a request waits for itself; a longer one is thrown, for the worker to wait.
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
  /// Secrets that requests contain beside that of the environment. Servers may repeat them, too.
  package var moreSecrets: [Secret] = []

  /// - Parameters:
  ///   - vendor: its kind, for messages.
  ///   - settings: where a person sets the address and the credentials.
  ///   - base: may have a path.
  ///   - accept: the media type of answers.
  ///   - pauseInBody: the pause that the body of an answer with status 429 asks for, where no header does.
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

  /// Sends a request and decodes the answer.
  /// - Throws: `TransportError` for an unsuccessful answer, `VendorError` for one that cannot be decoded.
  package func json<Answer: Decodable>(_ request: Request, as type: Answer.Type) async throws -> Answer {
    try decode(try await send(request), request, as: type)
  }

  /// Sends a request about the project itself. Where the server does not know it, the pipeline file is wrong.
  /// - Parameter missing: what is missing, and the next step.
  func project<Result>(
    missing: @autoclosure () -> String, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as TransportError where error.kind == .status(404) {
      throw VendorError(kind: .configuration, at: error.operation, detail: "\(missing()) (\(error.detail))")
    }
  }

  package func decode<Answer: Decodable>(
    _ response: HTTPResponse, _ request: Request, as type: Answer.Type
  ) throws -> Answer {
    let kind = response.head.header("Content-Type")?.lowercased() ?? ""
    guard kind.isEmpty || kind.contains("json") else {
      throw fault(
        request, "the answer is \(kind.prefix { $0 != ";" }) instead of JSON. \(addressStep)")
    }
    do { return try JSONDecoder().decode(type, from: Data(response.body)) } catch {
      throw fault(request, redacted(JSONFault.words(for: error, in: response.body)))
    }
  }

  /// Sends a request until it is answered with success.
  /// - Parameter accepted: further statuses that the caller understands.
  package func send(_ request: Request, accepting accepted: Set<Int> = []) async throws -> HTTPResponse {
    let secret = try environment.secret()
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
          isPause ? .pause(pause) : response.status >= 500 ? .failed(error.detail) : .answered, at: environment.now())
        let mayRepeat = isLimit || (request.isRepeatable && response.status >= 500)
        guard mayRepeat, attempt < Self.attempts, pause <= Self.longestPause else { throw error }
        if !isPause { try await environment.sleep(pause) }
      } catch let error as TransportError where error.isUnreachable && !Self.hasStatus(error) {
        pace.end(.failed(error.detail), at: environment.now())
        record(request, as: sent, nil, secret)
        guard request.isRepeatable, attempt < Self.attempts else { throw error }
        try await environment.sleep(backoff(attempt))
      } catch let error as TransportError where !Self.hasStatus(error) {
        pace.end(.notSent, at: environment.now())
        throw error
      }
      attempt += 1
    }
  }

  /// Refuses a web page: a proxy answered, and the vendor did nothing.
  private func check(_ response: HTTPResponse, _ request: Request) throws {
    guard let kind = response.head.header("Content-Type")?.lowercased(), kind.contains("html") else { return }
    throw fault(request, "the answer is a web page instead of JSON. \(addressStep)")
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
        // The worker tries the stage again then, and says so.
        guard settings == .vendor || pause <= Self.longestPause else {
          throw TransportError(
            kind: .status(429), operation: operation(request),
            detail: "the server accepts no more requests for \(pause.components.seconds + 1) s: too many were sent",
            retryAfter: pause)
        }
        try await environment.sleep(pause)
      case .refused(let pause, let fault):
        throw TransportError(
          kind: .connectionFailed, operation: operation(request),
          detail: "\(vendor) failed \(RequestPace.breakAfter) times in a row and gets no requests for now. "
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
    if let secret {
      switch authentication {
      case .none: break
      case .authorization(let scheme):
        sent.secretHeaders.append(("Authorization", Secret("\(scheme) \(secret.reveal())")))
      case .header(let name): sent.secretHeaders.append((name, secret))
      }
    }
    return sent
  }

  /// A pause that a successful answer asks for before the next request.
  private func ending(after response: HTTPResponse) -> RequestPace.Ending {
    guard RateHints.isSpent(response), let pause = RateHints.pause(in: response, now: environment.now()) else {
      return .answered
    }
    return .pause(pause)
  }

  private func backoff(_ attempt: Int) -> Duration {
    // Between half and all of 1, 2, 4 … seconds, so that stages do not retry at the same moment.
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

  /// The server's refusal, with its own message if it has one, but without the secret: some servers repeat it.
  func refusal(_ response: HTTPResponse, of request: Request) -> TransportError {
    let words = ErrorWords.text(in: response.body, type: response.head.header("Content-Type"), redacted)
    var error = response.error(operation(request), hint: words, explains: settings == .vendor)
    if response.status == 403, RateHints.isLimit(response) {
      // Too many requests, whatever the status.
      error = TransportError(
        kind: .status(429), operation: error.operation,
        detail: "the server answered 403, because too many requests were sent\(words.map { ", \($0)" } ?? "")",
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
      if (try? environment.secret()) == nil { return "Set credentials: for this vendor" }
      return status == 401
        ? "Check what credentials: names: the token may have expired, or belong to another server (url:)"
        : "Give the token that credentials: names this permission, or use another one"
    case 404: return "Check url: and the names of projects, branches and resources in the pipeline file"
    default: return nil
    }
  }

  /// The server's message without secrets.
  package func redacted(_ words: String) -> String {
    ExchangeRedaction(secrets: [try? environment.secret()].compactMap(\.self) + moreSecrets).text(words)
  }
}
