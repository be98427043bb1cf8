import Daemon
import DaemonServer
import Foundation
import HTTPTransport
import Localization
import Logging
import Pipeline
import ReadModel
import Synchronization
import TestSupport

/// A daemon with its HTTP server on a free port. It has one pipeline, `birds`, on a real git repository, unless pipeline files are given.
final class ServedDaemon: Sendable {
  static let secret = "correct horse battery staple"
  /// A secret of a webhook in the format of Standard Webhooks, used for vendors and for GitLab's signing tokens.
  static let signingSecret = "whsec_" + Data([UInt8](1...32)).base64EncodedString()

  let folder: TemporaryFolder
  let repository: TemporaryRepository
  /// The details of each finished check of the repository.
  let looks: AsyncStream<String>
  private let looked: AsyncStream<String>.Continuation
  /// A stream with an element for each finished pull.
  let pulls: AsyncStream<Void>
  private let pulled: AsyncStream<Void>.Continuation
  private let lines = Mutex<[String]>([])
  /// The lines of the log.
  var log: [String] { lines.withLock { $0 } }
  private let url = Mutex("")
  private let runtime = Mutex<RunningDaemon?>(nil)
  private let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))

  /// Creates the daemon's folder and repository.
  /// - Throws: an error if the folder or the repository cannot be created.
  init() throws {
    folder = try TemporaryFolder("served")
    repository = try TemporaryRepository()
    try repository.commit(["App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n"])
    (looks, looked) = AsyncStream.makeStream()
    (pulls, pulled) = AsyncStream.makeStream()
  }

  /// Server limits with a long time limit for a request, for busy machines.
  static let patient = {
    var limits = ServerLimits()
    limits.request = .seconds(3600)
    return limits
  }()

  /// Runs the daemon while `body` runs, and stops it afterwards.
  /// - Parameters:
  ///   - webhook: the reference to the webhook's secret.
  ///   - vendor: the pipeline's vendor; if `nil`, a drop folder is used.
  ///   - limits: the limits of the server.
  ///   - proxies: the public host names for which a reverse proxy forwards requests.
  ///   - screenshots: the screenshots of the pipeline.
  ///   - files: pipeline files by name, in place of the default pipeline. `{repository}` in a file is replaced with the repository's path.
  func run(
    webhook: CredentialReference = .environment("BIRDS_HOOK"), vendor: VendorDefinition? = nil,
    limits: ServerLimits = patient, proxies: [String] = [], screenshots: ScreenshotSettings? = nil,
    files: [String: String]? = nil, _ body: (ServedDaemon) async throws -> Void
  ) async throws {
    let (listening, listens) = AsyncStream<ListenAddress>.makeStream()
    let serve = try serving(
      at: ListenAddress("127.0.0.1:0"), webhook: webhook, vendor: vendor, limits: limits, proxies: proxies,
      screenshots: screenshots, files: files
    ) {
      listens.yield($0)
    }
    let task = Task {
      defer { listens.finish() }
      try await serve()
    }
    for await address in listening {
      url.withLock { $0 = "http://\(address)" }
      break
    }
    let result = await Result(catching: { try await body(self) })
    task.cancel()
    _ = await task.result
    try result.get()
  }

  /// Runs the daemon until it stops by itself.
  func run(at address: ListenAddress) async throws {
    try await serving(at: address, webhook: .none, vendor: nil, limits: ServerLimits()) { _ in }()
  }

  private func serving(
    at address: ListenAddress, webhook: CredentialReference, vendor: VendorDefinition?, limits: ServerLimits,
    proxies: [String] = [], screenshots: ScreenshotSettings? = nil, files: [String: String]? = nil,
    isListening: @escaping @Sendable (ListenAddress) -> Void
  ) throws -> @Sendable () async throws -> Void {
    var definition = PipelineDefinition(
      name: "birds",
      // The interval is long, so only events cause a second check.
      repository: RepositorySettings(url: repository.path, poll: .seconds(3600), webhook: webhook), languages: ["de"],
      vendors: [vendor ?? VendorDefinition(kind: "folder", options: ["path": .text(folder.file("drop"))])])
    definition.screenshots = screenshots
    let (looked, pulled) = (looked, pulled)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    for (name, text) in files ?? [:] {
      try folder.write(text.replacing("{repository}", with: repository.path), to: "pipelines/\(name)")
    }
    let runtime = try PipelineRuntime(
      source: files == nil ? .definitions([definition]) : .folder(folder.file("pipelines")),
      store: StoreLocation(folder: folder.file("store")), settings: Settings(),
      environment: ["BIRDS_HOOK": Self.secret, "L10N_TOKEN": "secret-token", "L10N_HOOK": Self.signingSecret],
      isOnce: false,
      observer: WorkerObserver(progress: { event in
        if event.stage == .watch, event.state == .ended { looked.yield(event.detail ?? "") }
        if event.stage == .pull, event.state == .ended { pulled.yield() }
      }), log: ServiceLog(now: { Date() }, showsStages: false) { line in self.lines.withLock { $0.append(line) } },
      logger: logger)
    return {
      let access = try ServerAccess(publicHosts: proxies)
      try await runtime.serve { daemon in
        self.runtime.withLock { $0 = daemon }
        return [
          DaemonHTTPServer(
            of: daemon, at: address, access: access, limits: limits, logger: logger, isListening: isListening)
        ]
      }
    }
  }

  /// Returns the running daemon that the server uses.
  func daemon() throws -> RunningDaemon {
    guard let daemon = runtime.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
    return daemon
  }

  /// Adds a token for a role, and returns the text of the token. The token has the name of the role.
  func token(_ role: Role) async throws -> String {
    let daemon = try daemon()
    return try await Decisions(model: daemon.model, actor: Actor(name: "test", way: .command)).addToken(
      named: role.rawValue, role: role
    ).reveal()
  }

  /// The port of the server.
  var port: Int { Int(url.withLock { $0 }.split(separator: ":").last ?? "") ?? 0 }

  /// Waits until a check of the repository has ended.
  /// - Returns: the details of the check.
  func nextLook() async -> String? {
    for await look in looks { return look }
    return nil
  }

  /// Waits until a pull has ended.
  func nextPull() async {
    for await _ in pulls { return }
  }

  /// Waits until the pipelines run. Before that, webhooks get the same response as for an unknown pipeline.
  /// - Returns: the response of `/readyz`.
  @discardableResult
  func becomeReady() async throws -> String {
    var response = try await send("GET", "/readyz")
    while response.status == 503 { response = try await send("GET", "/readyz") }
    return response.text
  }

  func send(
    _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []
  ) async throws -> (status: Int, text: String, head: HTTPResponseHead, body: [UInt8]) {
    // The server runs on the threads of this process, which other tests can use for a long time on a busy machine.
    let limits = Deadlines(connect: .seconds(300), stall: .seconds(600), whole: .seconds(900))
    var request = HTTPRequest(
      method, try HTTPURL(url.withLock { $0 } + path), headers: headers,
      body: method == "POST" ? .bytes(body) : .none, deadlines: limits)
    request.followsRedirects = false
    let response = try await transport.send(request)
    return (response.head.status, String(decoding: response.body, as: UTF8.self), response.head, response.body)
  }
}

extension Result where Failure == any Error {
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
