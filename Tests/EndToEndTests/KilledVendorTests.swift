import Foundation
import Localization
import Synchronization
import TestSupport
import Testing

/// The program itself with the vendor `http`, killed with SIGKILL at every request of a push and a pull, then started again.
@Suite("A round whose process is killed at a request to the vendor")
struct KilledVendorTests {
  /// Where the process is killed: before the vendor carries a request out, or after it, before the answer.
  struct Point: Hashable, CustomStringConvertible {
    var request: Int
    var isCarriedOut: Bool
    var description: String { "\(isCarriedOut ? "after" : "before") request \(request)" }
  }

  @Test("kill -9 at any request gives the same strings at the vendor, the same commit and balanced books")
  func killedAtRequest() async throws {
    let reference = try KilledPlay()
    try reference.run()
    let sending = reference.requests
    reference.translate()
    try reference.run()
    let expected = try await reference.ending()
    #expect(sending >= 5 && reference.requests >= sending + 2)
    #expect(expected.books.contains("2 = 2 + 0 + 0 + 0") && !expected.commits.isEmpty)

    for request in 0..<reference.requests {
      for isCarriedOut in [false, true] {
        let point = Point(request: request, isCarriedOut: isCarriedOut)
        let play = try KilledPlay()
        play.killed = point
        try play.run()
        if request < sending {
          #expect(play.killed == nil, "\(point) was not reached")
          try play.run()
        }
        play.translate()
        try play.run()
        try play.removeLocksOfRemote()
        try play.run()
        #expect(play.killed == nil, "\(point) was not reached")
        let ending = try await play.ending()
        #expect(ending == expected, "killed \(point)")
      }
    }
  }
}

/// One repository, one vendor and one store, from the first run to the commit.
private final class KilledPlay: Sendable {
  struct Ending: Equatable {
    /// The commits of the delivery branch, newest first, with their trees and messages.
    var commits: String
    /// Everything that the vendor has.
    var vendor: String
    var books: String
  }

  private struct State {
    var killed: KilledVendorTests.Point?
    var process: pid_t?
    var requests = 0
  }

  private let folder: TemporaryFolder
  private let origin: String
  private let system: InHouseServer
  private let server: LoopbackHTTPServer
  private let state: SharedState

  /// Shared with the server's threads.
  private final class SharedState: Sendable {
    let value = Mutex(State())
    /// Signalled when the process has been started, and its number is known.
    let isStarted = DispatchSemaphore(value: 0)
  }

  var requests: Int { state.value.withLock { $0.requests } }

  /// Where the process is killed next; `nil` when that has happened.
  var killed: KilledVendorTests.Point? {
    get { state.value.withLock { $0.killed } }
    set { state.value.withLock { $0.killed = newValue } }
  }

  init() throws {
    folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(
      [
        "Package.swift": """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
        """,
        "Sources/Kit/Kit.swift": """
        import Foundation
        let greeting = String(localized: "Hello", bundle: .module, comment: "A greeting")
        let farewell = String(localized: "Good bye", bundle: .module)
        """,
        "Sources/Kit/Localizable.xcstrings":
          "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}",
      ], message: "Begin")
    origin = try repository.bareCopy()
    let (system, state) = (InHouseServer(), SharedState())
    server = try LoopbackHTTPServer { request, _ in
      state.isStarted.wait()
      state.isStarted.signal()
      let (point, process) = state.value.withLock { state -> (KilledVendorTests.Point?, pid_t?) in
        let number = state.requests
        state.requests += 1
        guard let point = state.killed, point.request == number else {
          return (nil, nil)
        }
        state.killed = nil
        return (point, state.process)
      }
      guard let point, let process else { return system.answer(request) }
      if point.isCarriedOut { _ = system.answer(request) }
      kill(process, SIGKILL)
      return .close
    }
    (self.system, self.state) = (system, state)
    try folder.write(
      """
      pipeline: kit
      repository: { url: "\(origin)", branches: [main] }
      catalogs: commit
      languages: [de, uk]
      vendors:
        - { vendor: http, name: house, url: "\(server.url)", credentials: "env:HOUSE_TOKEN" }
      """, to: "pipeline.yaml")
  }

  /// Runs the program, to its end or until it is killed.
  func run() throws {
    let isKilled = killed != nil
    let process = try ChildProcess(
      dragomanPath(), ["run", "pipeline.yaml", "--once", "--quiet", "--store", "sqlite:state"], in: folder.path,
      environment: [
        "SOURCE_DATE_EPOCH": "1700003600", "PATH": "/usr/bin:/bin", "HOUSE_TOKEN": "secret-token",
        "SWIFT_BACKTRACE": "enable=no",
      ], output: .null, errors: .file(folder.file("errors")))
    state.value.withLock { $0.process = process.processIdentifier }
    state.isStarted.signal()
    let status = process.waitUntilExit()
    // The next process must be known before its requests are answered.
    state.isStarted.wait()
    guard !isKilled else { return }
    let errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
    try #require(status == 0, "\(errors)")
  }

  func translate() {
    for language in ["de", "uk"] { system.translate(.init(language)) }
  }

  /// The remote is a folder on this machine: a process that is killed while it writes there leaves git's own lock.
  func removeLocksOfRemote() throws {
    for case let name as String in FileManager.default.enumerator(atPath: origin) ?? .init()
    where name.hasSuffix(".lock") {
      try FileManager.default.removeItem(atPath: "\(origin)/\(name)")
    }
  }

  func ending() async throws -> Ending {
    Ending(
      commits: try TemporaryRepository.git(["log", "--format=%H %T%n%an %B", "main..l10n/main"], in: origin),
      vendor: system.content, books: try await booksText(folder.file("state")))
  }
}
