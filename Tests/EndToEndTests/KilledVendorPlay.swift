import Foundation
import Localization
import Synchronization
import TestSupport
import Testing
import VendorServers

/// A scenario with a repository, a vendor on loopback and a store. The scenario begins with the first run of the program and ends with the final
/// commit.
final class KilledVendorPlay: Sendable {
  struct Ending: Equatable {
    /// The commits of the delivery branch, newest first, with their trees and messages.
    var commits: String
    /// The whole content of the vendor.
    var vendor: String
    /// How often each text was sent, if the vendor counts this.
    var sendings: [String: Int]
    var books: String
  }

  struct Request: Sendable {
    var line: String
    /// The method and the path, with numbers and names removed.
    var kind: String
    /// Whether the request changed the vendor's data.
    var changesSomething: Bool
  }

  private struct State {
    var point: (number: Int, isCarriedOut: Bool)?
    var requests: [Request] = []
    var isCorrected = false
  }

  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String
  private let server: LoopbackHTTPServer
  private let system: KilledVendor.System
  private let secret: String
  private let state: SharedState

  /// State that is shared with the server's threads.
  private final class SharedState: Sendable {
    let value = Mutex(State())
  }

  /// The requests so far, in order.
  var requests: [Request] { state.value.withLock { $0.requests } }

  init(_ vendor: KilledVendor) throws {
    let system = try vendor.system()
    self.system = system
    secret = vendor.secret
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(Self.files, message: "Begin")
    origin = try repository.bareCopy()
    let (state, pidFile) = (SharedState(), folder.file("pid"))
    self.state = state
    server = try LoopbackHTTPServer { request, _ in
      let point = state.value.withLock { state -> (number: Int, isCarriedOut: Bool)? in
        let number = state.requests.count
        let path = request.path.filter { $0.allSatisfy { $0.isLetter || $0 == "-" } }
        state.requests.append(
          Request(
            line: request.line, kind: ([request.method] + path).joined(separator: " "),
            changesSomething: !vendor.isRead(request)))
        guard let point = state.point, point.number == number else { return nil }
        state.point = nil
        return point
      }
      guard let point else {
        let reply = system.respond(request)
        return state.value.withLock(\.isCorrected) ? Self.corrected(reply) : reply
      }
      if point.isCarriedOut { _ = system.respond(request) }
      let process = (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap { Int32($0.prefix { $0 != "\n" }) }
      if let process { kill(process, SIGKILL) } else { Issue.record("no process id in \(pidFile)") }
      // The server sends no response until the process has ended, which can take some time.
      return .stall()
    }
    let options = system.options.isEmpty ? "" : ", \(system.options)"
    try folder.write(
      """
      pipeline: kit
      repository: { url: "\(origin)", branches: [main] }
      catalogs: commit
      languages: [\(vendor.languages.joined(separator: ", "))]
      vendors:
        - { vendor: \(vendor.kind), name: house, url: "\(server.url)\(system.path)", credentials: "env:HOUSE_TOKEN"\(options) }
      """, to: "pipeline.yaml")
  }

  /// Makes all runs up to the final commit. One run is killed.
  /// - Parameters:
  ///   - number: the request at which the program is killed, counted from the first request.
  ///   - isCarriedOut: whether the vendor carries out the request before the kill.
  ///   - isSending: whether the first run, which sends the strings, is killed; otherwise the second run is killed.
  /// - Returns: the exit status of the killed run.
  func whole(killedAt number: Int, isCarriedOut: Bool, isSending: Bool) throws -> Int32 {
    func killedRun() throws -> Int32 {
      state.value.withLock { $0.point = (number, isCarriedOut) }
      return try run()
    }
    var status: Int32 = 0
    if isSending { status = try killedRun() }
    try run()
    translate()
    if !isSending { status = try killedRun() }
    try run()
    return status
  }

  /// Runs the program and kills it at a request, before the vendor carries out the request.
  /// - Returns: the exit status.
  func run(killedAt number: Int) throws -> Int32 {
    state.value.withLock { $0.point = (number, false) }
    return try run()
  }

  /// Makes the vendor return translations with “! Hello” in place of “: Hello”, as if people had corrected them.
  func correct() { state.value.withLock { $0.isCorrected = true } }

  private static func corrected(_ reply: LoopbackReply) -> LoopbackReply {
    guard case .respond(let status, let headers, let body) = reply else { return reply }
    return .respond(
      status: status, headers: headers,
      body: Array(String(decoding: body, as: UTF8.self).replacing(": Hello", with: "! Hello").utf8))
  }

  /// Returns the delivered catalog.
  func german() throws -> String {
    try TemporaryRepository.git(["show", "l10n/main:Sources/Kit/Localizable.xcstrings"], in: origin)
  }

  /// Runs the program until it exits or is killed.
  /// - Returns: the exit status.
  @discardableResult
  func run() throws -> Int32 {
    let isKilled = state.value.withLock { $0.point != nil }
    // The shell writes its process id and is then replaced by the program, so the id is known before the first request.
    let process = try ChildProcess(
      "/bin/sh",
      ["-c", "echo $$ > pid; exec \"$0\" run pipeline.yaml --once --quiet --store sqlite:state", dragomanPath()],
      in: folder.path,
      environment: [
        "SOURCE_DATE_EPOCH": "1700003600", "PATH": "/usr/bin:/bin", "HOUSE_TOKEN": secret,
        "SWIFT_BACKTRACE": "enable=no",
      ], output: .null, errors: .file(folder.file("errors")))
    let status = process.waitUntilExit()
    if !isKilled {
      let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
      try #require(status == 0, "\(errors)")
    }
    return status
  }

  /// Translates all strings, as translators would.
  func translate() { for language in ["de", "uk"] { system.people(LocaleIdentifier(language)) } }

  func ending() async throws -> Ending {
    Ending(
      commits: try TemporaryRepository.git(["log", "--format=%H %T%n%an %B", "main..l10n/main"], in: origin),
      vendor: system.content(), sendings: system.sendings(), books: try await booksText(folder.file("state")))
  }

  private static let files = [
    "Package.swift": """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
    """,
    "Sources/Kit/Kit.swift": """
    import Foundation
    let greeting = String(localized: "Hello", bundle: .module, comment: "A greeting")
    let farewell = String(localized: "Good bye", bundle: .module)
    func birds(_ count: Int) -> String { String(localized: "\\(count) birds", bundle: .module) }
    """,
    "Sources/Kit/Localizable.xcstrings": """
    {
      "sourceLanguage" : "en",
      "strings" : {

      },
      "version" : "1.0"
    }
    """,
  ]
}
