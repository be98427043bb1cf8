internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import Pipeline

/// The middleware that responds to all requests below `/api`. The API is below `/api/v1`.
struct APIResponder<Context: RequestContext>: RouterMiddleware {
  private static var prefix: String { "/api/v1" }

  private let operations: [APIOperation]
  private let access: AccessGate
  private let events: EventStream
  private let log: ServiceLog?
  private let document: String
  private let bodyLimit: Int

  /// - Throws: an error if the OpenAPI document cannot be encoded.
  init(daemon: RunningDaemon, access: AccessGate, bodyLimit: Int) throws {
    operations = APIOperations(daemon: daemon).all + Self.special
    document = try APIDocument.text(of: operations)
    events = EventStream(feed: daemon.events)
    log = daemon.log
    self.access = access
    self.bodyLimit = bodyLimit
  }

  /// The operations whose responses are not created from the value that `handle` returns.
  static var special: [APIOperation] {
    [
      APIOperation(
        method: .get, path: "/openapi.json", name: "getOpenAPI", summary: "The description of this API.", role: nil,
        response: .anyObject
      ) { _ in APIOperations.Done() },
      APIOperation(
        method: .get, path: "/events", name: "followEvents",
        summary: """
          The progress of stages, as server-sent events: `event: stage` with a JSON object as data. After a lost connection, send \
          Last-Event-ID.
          """, role: .viewer, query: [APIOperations.pipelineFilter], response: .text
      ) { _ in APIOperations.Done() },
    ]
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    guard path == "/api" || path.hasPrefix("/api/") else { return try await next(request, context) }
    do {
      return try await respond(to: request, path)
    } catch let problem as APIProblem {
      var response = ServerResponse.problem(problem.status, problem.code, problem.message)
      if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
      return response
    } catch let error as PipelineError {
      return Self.problem(error)
    } catch is CancellationError {
      return ServerResponse.problem(.serviceUnavailable, "stopping", "Dragoman is stopping")
    } catch {
      log?.noteRequest("\(request.method) \(path)", error)
      return ServerResponse.problem(
        .serviceUnavailable, "store", "the request could not be processed. Dragoman's log says why")
    }
  }

  private func respond(to request: Request, _ path: String) async throws -> Response {
    guard path.hasPrefix(Self.prefix + "/"),
      let parts = Self.parts(of: path.dropFirst(Self.prefix.count))
    else { throw APIProblem(.notFound, "path", "the API is below /api/v1; /api/v1/openapi.json describes it") }
    let fitting = operations.compactMap { operation in operation.match(parts).map { (operation, $0) } }
    guard !fitting.isEmpty else {
      throw APIProblem(.notFound, "path", "no such path; /api/v1/openapi.json describes all")
    }
    guard let (operation, found) = fitting.first(where: { $0.0.method == request.method }) else {
      var response = ServerResponse.problem(.methodNotAllowed, "method", "this path does not support this method")
      response.headers[.allow] = fitting.map(\.0.method.rawValue).sorted().joined(separator: ", ")
      return response
    }
    let actor = try await access.actor(of: request, for: operation.role)
    let query = try Self.query(of: request, for: operation)
    if operation.path == "/openapi.json" { return ServerResponse.text(.ok, document, type: "application/json") }
    if operation.path == "/events" {
      return try events.response(to: request, pipeline: query["pipeline"]?.last) {
        // If the ledger cannot be read, listeners keep their permissions.
        do { _ = try await access.actor(of: request, for: operation.role) } catch { return !(error is APIProblem) }
        return true
      }
    }
    let body = try await Self.body(of: request, for: operation, limit: bodyLimit)
    let value = try await operation.handle(APIRequest(path: found, query: query, body: body, actor: actor))
    return ServerResponse.json(operation.status, value)
  }

  /// Returns the percent-decoded parts of a path; `nil` if a part is empty, cannot be decoded or contains a null character.
  private static func parts(of path: Substring) -> [String]? {
    var parts: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = part.removingPercentEncoding, !text.isEmpty, !text.contains("\0") else { return nil }
      parts.append(text)
    }
    return parts
  }

  private static func query(of request: Request, for operation: APIOperation) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    let known = Set(operation.query.map(\.name))
    guard let pairs = FormEncoding.pairs(of: request.uri.query ?? "") else { throw APIProblem.badQuery }
    for (name, value) in pairs {
      guard known.contains(name) else {
        throw APIProblem(
          .badRequest, "parameter", "this operation has no parameter \(name.debugDescription)".withVisibleControls)
      }
      found[name, default: []].append(value)
    }
    for parameter in operation.query {
      for value in found[parameter.name] ?? [] { try check(value, parameter) }
    }
    return found
  }

  private static func check(_ value: String, _ parameter: APIOperation.Parameter) throws {
    guard case .string(_, _, let length?, _) = parameter.schema, !length.contains(value.unicodeScalars.count) else {
      return
    }
    throw APIProblem(
      .badRequest, "parameter",
      "\(parameter.name) must have \(length.lowerBound) to \(length.upperBound) characters")
  }

  private static func body(
    of request: Request, for operation: APIOperation, limit: Int
  ) async throws -> [UInt8] {
    guard let schema = operation.body else { return [] }
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/json" else {
      throw APIProblem(.unsupportedMediaType, "body", "send the body as application/json")
    }
    guard let body = try await request.body(upTo: limit) else {
      throw APIProblem(.contentTooLarge, "size", "the body has more than \(limit) bytes")
    }
    try schema.check(body)
    return body
  }

  private static func problem(_ error: PipelineError) -> Response {
    switch error.kind {
    case .notFound: ServerResponse.problem(.notFound, "missing", error.detail)
    case .unreadableInput: ServerResponse.problem(.badRequest, "input", error.detail)
    case .refused, .conflict, .moved: ServerResponse.problem(.conflict, "refused", error.detail)
    case .inconsistent, .notBuilt: ServerResponse.problem(.serviceUnavailable, "store", error.detail)
    }
  }
}
