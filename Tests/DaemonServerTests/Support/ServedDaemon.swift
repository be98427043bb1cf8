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

/// A daemon with one pipeline, `birds`, over a real git repository, and its HTTP server on a free port.
final class ServedDaemon: Sendable {
  static let secret = "correct horse battery staple"

  let folder: TemporaryFolder
  let repository: TemporaryRepository
  /// The looks at the repository that have ended, as their details say.
  let looks: AsyncStream<String>
  private let looked: AsyncStream<String>.Continuation
  private let url = Mutex("")
  private let runtime = Mutex<RunningDaemon?>(nil)
  private let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))

  /// - Throws: if git cannot make the repository.
  init() throws {
    folder = try TemporaryFolder("served")
    repository = try TemporaryRepository()
    try repository.commit(["App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n"])
    (looks, looked) = AsyncStream.makeStream()
  }

  /// Runs the daemon beside `body`, and stops it afterwards.
  /// - Parameters:
  ///   - webhook: the reference of the secret.
  ///   - limits: those of the server.
  func run(
    webhook: CredentialReference = .environment("BIRDS_HOOK"), limits: ServerLimits = ServerLimits(),
    proxies: [String] = [], _ body: (ServedDaemon) async throws -> Void
  ) async throws {
    let (listening, listens) = AsyncStream<ListenAddress>.makeStream()
    let serve = try serving(at: ListenAddress("127.0.0.1:0"), webhook: webhook, limits: limits, proxies: proxies) {
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

  /// Runs the daemon until it ends by itself.
  func run(at address: ListenAddress) async throws {
    try await serving(at: address, webhook: .none, limits: ServerLimits()) { _ in }()
  }

  private func serving(
    at address: ListenAddress, webhook: CredentialReference, limits: ServerLimits, proxies: [String] = [],
    isListening: @escaping @Sendable (ListenAddress) -> Void
  ) throws -> @Sendable () async throws -> Void {
    let definition = PipelineDefinition(
      name: "birds",
      // A fixed interval: only events cause a second look.
      repository: RepositorySettings(url: repository.path, poll: .seconds(3600), webhook: webhook), languages: ["de"],
      vendors: [VendorDefinition(kind: "folder", options: ["path": .text(folder.file("drop"))])])
    let looked = looked
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let runtime = try PipelineRuntime(
      definitions: [definition], store: StoreLocation(folder: folder.file("store")), settings: Settings(),
      environment: ["BIRDS_HOOK": Self.secret], isOnce: false,
      observer: WorkerObserver(progress: { event in
        if event.stage == .watch, event.state == .ended { looked.yield(event.detail ?? "") }
      }), logger: logger)
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

  /// The running daemon behind the server.
  func daemon() throws -> RunningDaemon {
    guard let daemon = runtime.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
    return daemon
  }

  /// Adds a token with a role, named like it.
  func token(_ role: Role) async throws -> String {
    let daemon = try daemon()
    return try await Decisions(
      store: daemon.store, people: daemon.people, actor: Actor(name: "test", way: .command)
    ).addToken(named: role.rawValue, role: role).reveal()
  }

  /// The port of the server.
  var port: Int { Int(url.withLock { $0 }.split(separator: ":").last ?? "") ?? 0 }

  /// Waits until a look at the repository has ended.
  func nextLook() async -> String? {
    for await look in looks { return look }
    return nil
  }

  func send(
    _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []
  ) async throws -> (status: Int, text: String, response: HTTPResponse) {
    let response = try await transport.send(
      HTTPRequest(
        method, try HTTPURL(url.withLock { $0 } + path), headers: headers,
        body: method == "POST" ? .bytes(body) : .none))
    return (response.head.status, String(decoding: response.body, as: UTF8.self), response)
  }
}

extension Result where Failure == any Error {
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
