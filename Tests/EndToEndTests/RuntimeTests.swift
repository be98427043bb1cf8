import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Pipelines that run in this process, from unusual repositories to stopping a daemon.
struct RuntimeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func definition(_ name: String, origin: String, branches: [String] = []) -> PipelineDefinition {
    PipelineDefinition(
      name: name, repository: RepositorySettings(url: origin, branches: branches.map { BranchPattern($0) }),
      languages: ["de"],
      vendors: [
        VendorDefinition(
          kind: "folder", options: ["settle": .duration(.zero), "path": .text("\(folder.path)/drop-\(name)")])
      ]
    )
  }

  func runtime(
    _ definitions: [PipelineDefinition], isOnce: Bool = true, observer: WorkerObserver = WorkerObserver(),
    decorate: (any Store) -> any Store = { $0 }
  ) throws -> PipelineRuntime {
    try PipelineRuntime(
      definitions: definitions, store: StoreLocation(folder: folder.path + "/store"), settings: Settings(),
      environment: [:], isOnce: isOnce, decorate: decorate, observer: observer,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  func birds(adding files: [String: String] = [:]) throws -> String {
    let repository = try TemporaryRepository()
    let project = ScenarioTests.folder + "/.projects/birds"
    var all = files
    for case let name as String in try #require(FileManager.default.enumerator(atPath: project))
    where name.contains(".") {
      if all[name] == nil { all[name] = try? String(contentsOfFile: "\(project)/\(name)", encoding: .utf8) }
    }
    try repository.commit(all)
    let origin = folder.path + "/\(UUID().uuidString).git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    return origin
  }

  @Test("a catalog goes to the vendor whose scope includes it, and a catalog without a vendor is reported")
  func catalogsOfVendors() async throws {
    var definition = definition("birds", origin: try birds())
    definition.vendors[0].scope = CatalogScope(tables: ["Other"])
    var report = try await runtime([definition]).runOnce()
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 0)
    let diagnostics = try #require(report.pipelines.first?.diagnostics)
    #expect(diagnostics.contains { $0.message == "no vendor takes this catalog in de" && $0.hint != nil })

    var second = definition.vendors[0]
    second.scope = CatalogScope()
    second.options["path"] = .text("\(folder.path)/drop-second")
    definition.vendors.append(second)
    report = try await runtime([definition]).runOnce()
    #expect(report.pipelines.first?.outstanding == 2)
    #expect(report.pipelines.first?.diagnostics.contains { $0.message.hasPrefix("no vendor takes") } == false)
    #expect(try Translator(drop: folder.path + "/drop-birds").names(in: "to-translate").isEmpty)
    #expect(try Translator(drop: folder.path + "/drop-second").names(in: "to-translate") == ["birds-1-de.xcloc.zip"])
  }

  @Test("a second run on an unchanged repository only polls the repository and pulls")
  func unchanged() async throws {
    let origin = try birds()
    _ = try await runtime([definition("birds", origin: origin)]).runOnce()
    let stages = Mutex<[Stage]>([])
    let observer = WorkerObserver(progress: { event in
      if event.state == .began { stages.withLock { $0.append(event.stage) } }
    })
    _ = try await runtime([definition("birds", origin: origin)], observer: observer).runOnce()
    #expect(stages.withLock { $0 } == [.watch, .pull])
  }

  @Test("a daemon processes a commit until it is delivered, and stops on request", .timeLimit(.minutes(10)))
  func serving() async throws {
    let origin = try birds()
    var definition = definition("birds", origin: origin)
    definition.vendors = [VendorDefinition(kind: "pseudo")]
    let (delivered, continuation) = AsyncStream.makeStream(of: Void.self)
    let observer = WorkerObserver(progress: { event in
      if event.stage == .deliver, event.state == .ended { continuation.yield() }
    })
    let runtime = try runtime([definition], isOnce: false, observer: observer)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await runtime.serve() }
      for await _ in delivered { break }
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
    let log = try TemporaryRepository.git(["log", "--format=%s", "l10n/main"], in: origin)
    #expect(log.hasPrefix("Translate 2 strings into de"))
  }

  @Test("a round can be shown, cancelled and retried")
  func desk() async throws {
    let definition = definition("birds", origin: try birds())
    let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
    _ = try await runtime([definition]).runOnce()
    let round = try #require(try await desk.list().first)
    #expect(try await desk.find("birds#1") == round.id)
    #expect(try await desk.find(String(round.id.rawValue)) == round.id)
    await #expect(throws: PipelineError.self) { try await desk.find("cats#1") }
    // The result has the books before the cancellation, because the command reports the units that it withdrew.
    #expect(try await desk.cancel(round.id).books.map(\.outstanding) == [2])
    var report = try await runtime([definition]).runOnce()
    #expect(report.pipelines.first?.outstanding == 0)
    let names = try Translator(drop: folder.path + "/drop-birds").names(in: "to-translate")
    #expect(names.contains { $0.hasSuffix(".withdrawn.txt") })
    #expect(try await desk.retry(round.id).round.books.map(\.withdrawn) == [2])
    report = try await runtime([definition]).runOnce()
    #expect(report.pipelines.first?.outstanding == 2)
    #expect(try await desk.show(round.id).round.books.map(\.withdrawn) == [2])
    await #expect(throws: PipelineError.self) { try await desk.show(RoundID(rawValue: 99)) }
  }

  @Test("different paths to one drop folder are one vendor: no unit is withdrawn or sent again")
  func spelling() async throws {
    var definition = definition("birds", origin: try birds())
    _ = try await runtime([definition]).runOnce()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/drop-birds")
    for path in ["\(folder.path)/link/", "\(folder.path)/./drop-birds/../link"] {
      definition.vendors[0].options["path"] = .text(path)
      _ = try await runtime([definition]).runOnce()
    }
    let rounds = try await RoundAdministration(store: StoreLocation(folder: folder.path + "/store")).list()
    #expect(rounds.flatMap(\.books).map(\.vendor) == ["folder:\(folder.path)/drop-birds"])
    #expect(rounds.flatMap(\.books).map(\.outstanding) == [2])
    let names = try Translator(drop: folder.path + "/drop-birds").names(in: "to-translate")
    #expect(names == ["birds-1-de.xcloc.zip"])
  }

  @Test(
    "a bundle with another spelling of the language is accepted as an answer",
    arguments: [("nb", "no"), ("pt-BR", "pt_BR")])
  func languageSpelling(_ language: LocaleIdentifier, _ spelling: String) async throws {
    var definition = definition("birds", origin: try birds())
    definition.languages = [language]
    _ = try await runtime([definition]).runOnce()
    let translator = Translator(drop: folder.path + "/drop-birds")
    try translator.translate(language)
    let bundle = folder.path + "/drop-birds/translated/birds-1-\(language).xliff"
    let text = try String(contentsOfFile: bundle, encoding: .utf8)
    #expect(text.contains("target-language=\"\(language)\""))
    try text.replacing("target-language=\"\(language)\"", with: "target-language=\"\(spelling)\"")
      .write(toFile: bundle, atomically: true, encoding: .utf8)
    let report = try await runtime([definition]).runOnce()
    #expect(report.pipelines.first?.outstanding == 0 && report.pipelines.first?.commits.count == 1)
    let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
    let books = try await desk.list().flatMap(\.books)
    #expect(books.map(\.returned) == [3] && books.map(\.sent) == [3], "\(books)")
  }

  @Test("a second installation cannot use the same drop folder")
  func secondInstallation() async throws {
    let definition = definition("birds", origin: try birds())
    _ = try await runtime([definition]).runOnce()
    try Translator(drop: folder.path + "/drop-birds").translate("de")
    let other = try PipelineRuntime(
      definitions: [definition], store: StoreLocation(folder: folder.path + "/other"), settings: Settings(),
      environment: [:], isOnce: true, observer: WorkerObserver(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let refused = try await other.runOnce()
    #expect(refused.failures.contains { "\($0.error)".contains("another installation of dragoman") })
    #expect(refused.pipelines.first?.commits.isEmpty == true)
    // The first installation recognizes its own claim, even in another process.
    #expect(try await runtime([definition]).runOnce().pipelines.first?.commits.count == 1)
  }

  @Test("an interrupted stage returns to the queue without using up an attempt", .timeLimit(.minutes(10)))
  func interruption() async throws {
    let definition = definition("birds", origin: try birds())
    let (stalled, continuation) = AsyncStream.makeStream(of: Void.self)
    do {
      let runtime = try runtime([definition], isOnce: false) { store in
        MortalStore(
          store: store, life: MortalStore.Life(changes: .max, isWritten: true),
          stall: {
            continuation.yield()
            try await Task.sleep(for: .seconds(3600))
          })
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await runtime.serve() }
        for await _ in stalled { break }
        group.cancelAll()
        do { try await group.waitForAll() } catch is CancellationError {}
      }
    }
    let jobs = try await SQLiteStore(reading: folder.path + "/store").jobs(of: "birds")
    #expect(jobs.filter { $0.stage == .diff }.map(\.state.name) == [.queued])
    #expect(jobs.filter { $0.stage == .diff }.map(\.attempts) == [0])
    // The last task of the first runtime releases the store shortly after `serve` has returned.
    await FileLock.waitUntilFree(folder.path + "/store/lock")
    let report = try await runtime([definition]).runOnce()
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 2)
  }

  @Test("after the ledger was lost, no string is sent twice, and deliveries continue on the existing branch")
  func lostLedger() async throws {
    let origin = try birds()
    let definition = definition("birds", origin: origin)
    let translator = Translator(drop: folder.path + "/drop-birds")
    _ = try await runtime([definition]).runOnce()
    try translator.translate("de", answers: ["Feed": ""])
    _ = try await runtime([definition]).runOnce()
    let tip = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
    try FileManager.default.removeItem(atPath: folder.path + "/store")

    let report = try await runtime([definition]).runOnce()
    // One of the two strings is on the delivery branch. The other is in the bundle, which is still in the folder.
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 1)
    #expect(try translator.names(in: "to-translate") == ["birds-1-de.xcloc.zip"])
    try translator.translate("de")
    let last = try await runtime([definition]).runOnce()
    #expect(last.pipelines.first?.commits.map(\.subject) == ["Translate 1 string into de"])
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main^"], in: origin) == tip)
  }

  @Test("a new string on a frozen branch is reported but still sent")
  func freeze() async throws {
    let origin = try birds()
    var definition = definition("birds", origin: origin)
    definition.rounds.freeze = [BranchPattern("main")]
    func findings(_ report: PipelineReport) -> Int {
      report.diagnostics.count { $0.message.hasPrefix("new string on frozen branch main") }
    }
    let first = try #require(try await runtime([definition]).runOnce().pipelines.first)
    #expect(findings(first) == 0, "strings from before the freeze are not new")
    #expect(first.outstanding == 2)
    let work = folder.path + "/work"
    try TemporaryRepository.git(["clone", "-q", origin, work], in: folder.path)
    try Data("import Foundation\nlet more = String(localized: \"One more\", bundle: .module)\n".utf8)
      .write(to: URL(filePath: work + "/Sources/Birds/More.swift"))
    try TemporaryRepository.git(["add", "-A"], in: work)
    try TemporaryRepository.git(["commit", "-q", "-m", "More"], in: work)
    try TemporaryRepository.git(["push", "-q"], in: work)
    let second = try #require(try await runtime([definition]).runOnce().pipelines.first)
    #expect(findings(second) == 1)
    #expect(second.outstanding == 3)
  }

  @Test("a run reports for each branch whether it meets the requirements, and exits with 0 in either case")
  func requirements() async throws {
    let origin = try birds()
    var definition = definition("birds", origin: origin)
    definition.require = [CompletionRequirement(language: nil, needed: Percentage(100))]
    let report = try #require(try await runtime([definition]).runOnce().pipelines.first)
    #expect(report.failures.isEmpty)
    #expect(report.verdicts.map(\.branch) == ["main"])
    let verdict = try #require(report.verdicts.first?.verdict)
    #expect(!verdict.isMet && verdict.line.hasPrefix("FAIL "), "\(verdict.line)")
    var absent = self.definition("absent", origin: folder.path + "/absent.git")
    absent.require = definition.require
    let blind = try #require(try await runtime([absent]).runOnce().pipelines.first)
    #expect(blind.verdicts.map(\.verdict.line) == ["FAIL no branch is readable"])
  }
}
