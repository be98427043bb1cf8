import Foundation
import HTTPTransport
import Localization
import Logging
import Synchronization
import TestSupport
import Testing
import TranslationVendors

/// The environment for tests of an adapter: a server that can fail at any request, a clock that advances without waiting, and folders.
final class VendorBench: Sendable {
  /// The ways in which a request can fail.
  enum Fault: Hashable, Sendable, CaseIterable {
    /// Status 429 with `Retry-After: 2`, before the request was carried out.
    case tooMany
    /// Status 429 without `Retry-After`.
    case tooManyWithoutHint
    /// Status 500, before the request was carried out.
    case failedBefore
    /// Status 500, although the request was carried out.
    case failedAfter
    /// A connection that ends without a response, although the request was carried out.
    case noResponse
    /// A connection that ends in the middle of the response.
    case cutResponse
    /// A proxy's HTML page with status 200.
    case page
    /// Status 401 once, as from a server that temporarily does not accept the token.
    case unauthorized
    /// Status 503 with a date in `Retry-After`, by a clock that is an hour late or early.
    case clockBehind, clockAhead
    /// No response until the client gives up, although the request was carried out. Each such request takes ``VendorBench/longestStall``.
    case silence

    /// The faults that cause no delay.
    static let quick = allCases.filter { $0 != .silence }
  }

  /// The time limit for servers that are silent on purpose. No other test depends on the machine's speed.
  private static let longestStall = Duration.seconds(2)

  private struct State {
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var methods: [String] = []
    var fault: (fault: Fault, request: Int)?
    var event: (request: Int, run: @Sendable () -> Void)?
    var refusal: (text: String, status: Int)?
    var refused = 0
    var slept = Duration.zero
  }

  private let state = Mutex(State())
  let folder: TemporaryFolder
  /// A function that carries out requests and returns the responses. A request that the vendor's API does not support must get status 599, which no
  /// adapter accepts, and must be recorded as an issue.
  private let respond: @Sendable (RecordedRequest) -> LoopbackReply

  init(_ respond: @escaping @Sendable (RecordedRequest) -> LoopbackReply) throws {
    self.respond = respond
    folder = try TemporaryFolder()
  }

  /// Makes the request with this number fail; the first number is 0.
  func fail(_ fault: Fault, at request: Int) { state.withLock { $0.fault = (fault, request) } }

  /// Runs a check for each fault at each request received so far, and for silence at each write. The checks with silence run concurrently.
  func forEachFault(_ check: @escaping @Sendable (Fault, _ request: Int) async throws -> Void) async throws {
    for fault in Fault.quick {
      for request in 0..<requests { try await check(fault, request) }
    }
    let writes = writes
    #expect(!writes.isEmpty)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in writes { group.addTask { try await check(.silence, request) } }
      try await group.waitForAll()
    }
  }

  /// Runs a closure before the request with this number is carried out.
  func before(_ request: Int, run: @escaping @Sendable () -> Void) { state.withLock { $0.event = (request, run) } }

  /// Makes the server refuse every request that would write this text; `nil` ends the refusals.
  func refuse(_ text: String?, status: Int = 422) { state.withLock { $0.refusal = text.map { ($0, status) } } }

  /// The number of requests that were refused because of their text.
  var refused: Int { state.withLock { $0.refused } }

  /// The number of requests received.
  var requests: Int { state.withLock { $0.methods.count } }
  /// The numbers of the requests that are neither GET nor HEAD requests.
  var writes: [Int] {
    let methods = state.withLock { $0.methods }
    return methods.indices.filter { !["GET", "HEAD"].contains(methods[$0]) }
  }
  var now: Date { state.withLock { $0.now } }

  /// Starts a server on loopback that responds with ``respond`` except for the fault and the refusals. The caller must keep the server while the
  /// vendor uses it.
  func server() throws -> LoopbackHTTPServer {
    try LoopbackHTTPServer { [self] request, _ in
      let (fault, event) = state.withLock { state in
        let number = state.methods.count
        state.methods.append(request.method)
        return (
          state.fault.flatMap { $0.request == number ? $0.fault : nil },
          state.event.flatMap { $0.request == number ? $0.run : nil }
        )
      }
      event?()
      switch fault {
      case .tooMany:
        return .respond(status: 429, headers: [("Retry-After", "2"), ("Content-Type", "application/json")])
      case .tooManyWithoutHint: return .respond(status: 429, headers: [("Content-Type", "application/json")])
      case .failedBefore: return .respond(status: 500)
      case .failedAfter:
        _ = respond(request)
        return .respond(status: 500)
      case .noResponse:
        _ = respond(request)
        return .close
      case .cutResponse:
        _ = respond(request)
        return .raw(
          Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"da".utf8))
      case .page:
        return .respond(
          status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>Sign in</html>".utf8))
      case .unauthorized: return .json(["message": "Unauthorized"], status: 401)
      case .clockBehind, .clockAhead:
        let clock = Date().addingTimeInterval(fault == .clockAhead ? 3600 : -3600)
        return .respond(
          status: 503, headers: [("Date", Self.text(clock)), ("Retry-After", Self.text(clock.addingTimeInterval(2)))])
      case .silence:
        _ = respond(request)
        return .stall()
      case nil: return refusal(of: request) ?? respond(request)
      }
    }
  }

  private func refusal(of request: RecordedRequest) -> LoopbackReply? {
    state.withLock { state in
      guard let refusal = state.refusal, String(decoding: request.body, as: UTF8.self).contains(refusal.text) else {
        return nil
      }
      state.refused += 1
      return .json(["message": "the word \(refusal.text) is not allowed"], status: refusal.status)
    }
  }

  private static func text(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: date)
  }

  /// Returns the environment of a vendor.
  /// - Parameters:
  ///   - secret: the token; `nil` for no token.
  ///   - glossary: the glossary of the pipeline.
  ///   - namesTranslators: whether the pipeline file requests translators' names.
  ///   - isInUse: whether any branch has a unit.
  func environment(
    secret: String? = "secret-token", glossary: Glossary? = nil, namesTranslators: Bool = false,
    isInUse: @escaping @Sendable (UnitID) -> Bool = { _ in true }
  ) -> VendorEnvironment {
    VendorEnvironment(
      pipeline: "birds", installation: "11111111aa", stateFolder: folder.path, secret: { secret.map(Secret.init) },
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)), now: { [self] in now },
      sleep: { [self] pause in
        try Task.checkCancellation()
        state.withLock {
          $0.now += pause.seconds
          $0.slept += pause
        }
      }, glossary: { glossary.map { SharedGlossary(glossary: $0, digest: String($0.hashValue)) } },
      unused: { units, _ in
        Dictionary(uniqueKeysWithValues: units.filter { !isInUse($0) }.map { ($0, []) })
      },
      namesTranslators: namesTranslators,
      longestStall: state.withLock { $0.fault?.fault == .silence } ? Self.longestStall : nil,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }
}
