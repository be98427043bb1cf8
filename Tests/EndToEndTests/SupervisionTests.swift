import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import ReadModel
import SQLiteStore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// Daemons whose pipeline files change or have faults, or whose repositories and secrets are missing.
@Suite(.timeLimit(.minutes(10))) struct SupervisionTests {
  let folder: TemporaryFolder
  let origin: String

  init() throws {
    folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["README.md": "no strings"])
    origin = folder.path + "/origin.git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
  }

  func write(_ name: String, _ more: String = "", url: String? = nil, to file: String? = nil) throws {
    let text = """
      pipeline: \(name)
      repository:
        url: \(url ?? origin)
      vendors:
        - vendor: pseudo
      deliver: { branch: "\(name)/{branch}" }
      \(more)
      """
    // The file is replaced atomically, as editors and deployments do.
    try folder.write(text, to: "next")
    try FileManager.default.createDirectory(
      atPath: folder.file("pipelines"), withIntermediateDirectories: true)
    guard rename(folder.file("next"), folder.file("pipelines/\(file ?? name + ".yaml")")) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// A log that collects lines as they arrive.
  struct Log {
    let log: ServiceLog
    private let lines: AsyncStream<String>

    init() {
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      self.lines = lines
      log = ServiceLog(now: { Date() }, showsStages: true) { continuation.yield($0) }
    }

    /// Waits for a line that contains a text.
    /// - Returns: the lines up to and including that line.
    func wait(for words: String) async -> [String] {
      var seen: [String] = []
      for await line in lines {
        seen.append(line)
        if line.contains(words) { break }
      }
      return seen
    }
  }

  func withDaemon(
    _ log: Log, looked: @escaping @Sendable (Set<String>) -> Void = { _ in }, _ body: () async throws -> Void
  ) async throws {
    // Files are checked and failures retried as often as possible.
    let time = TimeSource(
      now: { Date() }, sleep: { try await Task.sleep(for: min($0, .milliseconds(20))) })
    let runtime = try PipelineRuntime(
      source: .folder(folder.file("pipelines")), store: StoreLocation(folder: folder.path + "/store"),
      settings: Settings(), environment: [:], isOnce: false, time: time,
      decorate: { MortalStore(store: $0, life: .init(changes: .max, isWritten: true), looked: looked) },
      observer: log.log.observer, log: log.log, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await runtime.serve() }
      try await body()
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
  }

  @Test(
    "new, repaired, changed and removed files take effect, and the last valid version of a broken file stays in use"
  )
  func files() async throws {
    try write("a")
    try folder.write("pipeline: b\nrepository: { url: x }\nvendor: []\n", to: "pipelines/b.yaml")
    let log = Log()
    try await withDaemon(log) {
      // A broken file does not affect the other pipeline.
      var seen = await log.wait(for: "a watch: 1 branch")
      let fault = try #require(seen.first { $0.contains("b.yaml is ignored") })
      #expect(fault.contains("b.yaml:3:1: error: vendor: unknown key"))
      #expect(seen.contains { $0.hasSuffix("a: started") })

      try write("b")
      seen = await log.wait(for: "b: started")
      #expect(seen.contains { $0.contains("b.yaml is valid now") })
      let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))

      try write("a", "catalogs: keep")
      seen = await log.wait(for: "pipeline a keeps running with its last valid file")
      #expect(seen.last?.contains("a.yaml:7:11: error: catalogs:") == true)
      var faults = try await desk.problems().filter { $0.severity == .error }
      for _ in 0..<10_000 where faults.isEmpty { faults = try await desk.problems().filter { $0.severity == .error } }
      #expect(faults.map(\.pipeline) == ["a"])
      #expect(faults.first?.message.contains("a.yaml has a fault, and its last valid version stays in force: ") == true)
      try write("a", "catalogs: commit")
      seen = await log.wait(for: "a: continues with the changed pipeline file")
      #expect(seen.filter { $0.contains("keeps running") }.isEmpty)
      for _ in 0..<10_000 where !faults.isEmpty { faults = try await desk.problems().filter { $0.severity == .error } }
      #expect(faults.isEmpty)
      #expect(seen.filter { $0.contains("a.yaml is valid now") }.count == 1)

      // A file that uses the name of pipeline a is refused, and a continues.
      try write("a", to: "c.yaml")
      seen = await log.wait(for: "c.yaml is ignored")
      #expect(
        seen.last?.contains("is also the name of the pipeline in \(folder.file("pipelines/a.yaml")):1:11") == true)

      try FileManager.default.removeItem(atPath: folder.file("pipelines/b.yaml"))
      _ = await log.wait(for: "b: stopped; its ledger is kept")
      // With its own name, c starts.
      try write("c", to: "c.yaml")
      seen = await log.wait(for: "c: started")
      #expect(seen.contains { $0.contains("c.yaml is valid now") } && !seen.contains { $0.contains("readable") })
      try FileManager.default.removeItem(atPath: folder.file("pipelines/c.yaml"))
      // With a new name in its file, a stops and a2 starts.
      try write("a2", "formerly: a", to: "a.yaml")
      seen = await log.wait(for: "a2: started")
      #expect(seen.contains { $0.contains("a: stopped") })
    }
  }

  @Test("no pipeline is read, set up or changed before the server listens on its port")
  func afterListening() async throws {
    try write("a")
    let log = Log()
    let runtime = try PipelineRuntime(
      source: .folder(folder.file("pipelines")), store: StoreLocation(folder: folder.path + "/store"),
      settings: Settings(), environment: [:], isOnce: false, observer: log.log.observer, log: log.log,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await #expect(throws: LateRefusal.Refused.self) {
      try await runtime.serve(after: StartGate()) { [LateRefusal(daemon: $0)] }
    }
    #expect(try await SQLiteStore(reading: folder.path + "/store").pipelines().isEmpty)
    #expect(folder.names(in: "store/mirrors").isEmpty)
  }

  @Test("an empty folder is reported once, and all pipelines keep running if the folder disappears")
  func folders() async throws {
    try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: true)
    let log = Log()
    try await withDaemon(log) {
      var seen = await log.wait(for: "has no pipeline file (*.yaml, *.yml)")
      try write("a")
      seen = await log.wait(for: "a watch: 1 branch")
      #expect(!seen.contains { $0.contains("has no pipeline file") })
      try FileManager.default.moveItem(atPath: folder.file("pipelines"), toPath: folder.file("away"))
      seen = await log.wait(for: "cannot read the pipeline files; every pipeline keeps running unchanged")
      #expect(!seen.contains { $0.contains("a: stopped") })
      let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
      var faults = try await desk.problems().filter { $0.severity == .error }
      for _ in 0..<10_000 where faults.isEmpty { faults = try await desk.problems().filter { $0.severity == .error } }
      #expect(
        faults.first?.message.hasPrefix("the pipeline files cannot be read, and every pipeline keeps running") == true)
      try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file("pipelines"))
      seen = await log.wait(for: "pipelines is readable again")
      #expect(!seen.contains { $0.contains("a: stopped") })
    }
  }

  @Test("cancelling a round while the daemon runs notifies the vendor immediately")
  func cancelling() async throws {
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n",
      "App/Localizable.xcstrings": "{\"sourceLanguage\":\"en\",\"strings\":{\"Hello\":{}},\"version\":\"1.0\"}",
    ])
    let texts = folder.file("texts.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, texts], in: folder.path)
    try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: true)
    try folder.write(
      """
      pipeline: a
      repository: { url: \(texts), poll: 15m }
      languages: [de]
      vendors: [{ vendor: folder, name: agency, path: \(folder.file("drop")) }]
      """, to: "pipelines/a.yaml")
    let log = Log()
    try await withDaemon(log) {
      _ = await log.wait(for: "a push agency: 1 sent to agency")
      let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
      let round = try await desk.cancel(desk.find("a#1"))
      #expect(round.books.map(\.outstanding) == [1])
      _ = await log.wait(for: "a push agency: 0 sent to agency")
      #expect(folder.names(in: "drop/to-translate").contains("a-1-de.xcloc.zip.withdrawn.txt"))
    }
  }

  @Test(
    "a missing repository or secret is reported once and retried until it is available")
  func isolation() async throws {
    try write("good")
    try write("late", url: folder.file("late.git"))
    let log = Log()
    try await withDaemon(log) {
      var seen = await log.wait(for: "good watch: 1 branch")
      if !seen.contains(where: { $0.contains("late watch: error") }) {
        seen = await log.wait(for: "late watch: error")
      }
      try TemporaryRepository.git(["clone", "-q", "--bare", origin, folder.file("late.git")], in: folder.path)
      seen = await log.wait(for: "late watch: working again after")
      #expect(!seen.contains { $0.contains("late watch: error") && $0.contains("does not exist") && seen.count > 3 })
      #expect(!seen.contains { $0.contains("good watch: error") })
    }
  }

  @Test("a reload reports the remaining faults and the number of pipelines")
  func reload() async throws {
    try write("a")
    try folder.write("pipeline: b\nrepository: { url: x }\nvendor: []\n", to: "pipelines/b.yaml")
    let log = Log()
    let supervisor = PipelineSupervisor(
      source: .folder(folder.file("pipelines")), registry: PipelineRegistry(),
      actions: PipelineSupervisor.Actions(
        compose: { _ in
          throw PipelineError(.notFound, operation: "compose", detail: "NO_SUCH is not set", disposition: .askPerson)
        }, watch: { _ in }, failed: log.log.observer.failed, event: { log.log.note($0) }), time: .system)
    for _ in 0..<2 {
      await supervisor.reload()
      let seen = await log.wait(for: " read again: 1 pipeline")
      #expect(seen.count { $0.contains("b.yaml is ignored") } == 1, "\(seen)")
      #expect(seen.count { $0.contains("a watch: error: ") && $0.contains("NO_SUCH is not set") } == 1, "\(seen)")
      #expect(!seen.contains { $0.contains("readable again") || $0.contains("is valid now") })
    }
    try FileManager.default.removeItem(atPath: folder.file("pipelines/b.yaml"))
    await supervisor.reload()
    #expect(await log.wait(for: " read again: 1 pipeline").count == 2)
  }

  @Test("the worker searches for jobs once all pipelines are set up, and not after each pipeline")
  func start() async throws {
    let names = (10..<40).map { "part-\($0)" }
    for name in names { try write(name) }
    let looks = Mutex<Set<Int>>([])
    let log = Log()
    try await withDaemon(log, looked: { names in looks.withLock { _ = $0.insert(names.count) } }) {
      _ = await log.wait(for: " diff")
    }
    #expect(looks.withLock { $0 }.isSubset(of: [0, names.count]))
  }

  @Test("a run fails pipelines with a missing secret or a broken file, and completes the others")
  func run() async throws {
    try write("good")
    try write("poor", url: "https://127.0.0.1:9/x\n  credentials: env:NO_SUCH_VARIABLE")
    try folder.write("pipeline: [\n", to: "pipelines/broken.yaml")
    let files = ["pipelines/broken.yaml", "pipelines/poor.yaml", "pipelines/good.yaml"]
    let end = try dragoman(["run", "--once"] + files, in: folder.path)
    #expect(end.status == 65 || end.status == 66)
    #expect(end.errors.contains("NO_SUCH_VARIABLE is not set"), "\(end.errors)")
    #expect(end.errors.contains("pipelines/broken.yaml:2:1"), "\(end.errors)")
    #expect(end.output.contains("good: nothing to do."), "\(end.output)")
    let broken = try dragoman(["run", "--once", files[0]], in: folder.path)
    #expect(broken.status == 65)
  }
}

/// A server that fails to start after a delay.
private struct LateRefusal: Service {
  struct Refused: Error {}

  let daemon: RunningDaemon

  func run() async throws {
    for _ in 0..<300 { _ = try await daemon.people.tokens() }
    throw Refused()
  }
}
