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

/// Repositories that are not as they should be, and stopping.
struct RuntimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(_ name: String, origin: String, branches: [String] = []) -> PipelineDefinition {
    PipelineDefinition(
      name: name, repository: RepositorySettings(url: origin, branches: branches.map { BranchPattern($0) }),
      languages: ["de"],
      vendors: [
        VendorDefinition(
          kind: "folder", options: ["settle": .duration(.zero), "path": .text("\(folder.path)/drop-\(name)")])
      ]
    )
  }

  private func runtime(
    _ definitions: [PipelineDefinition], isOnce: Bool = true, observer: WorkerObserver = WorkerObserver(),
    decorate: (any Store) -> any Store = { $0 }
  ) throws -> PipelineRuntime {
    try PipelineRuntime(
      definitions: definitions, store: StoreLocation(folder: folder.path + "/store"), settings: Settings(),
      environment: [:], isOnce: isOnce, decorate: decorate, observer: observer,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func birds(adding files: [String: String] = [:]) throws -> String {
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

  @Test("a repository that is empty, absent or without the branch is told, and the other pipelines go on")
  func nothingToWatch() async throws {
    let empty = folder.path + "/empty.git"
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", empty], in: folder.path)
    let origin = try birds()
    let report = try await runtime([
      definition("empty", origin: empty), definition("absent", origin: folder.path + "/absent.git"),
      definition("branchless", origin: origin, branches: ["release/*"]), definition("good", origin: origin),
    ]).runOnce()
    let failures = Dictionary(
      report.failures.map { ($0.pipeline, "\($0.error)") }, uniquingKeysWith: { first, _ in first })
    #expect(failures.keys.sorted() == ["absent", "branchless", "empty"])
    #expect(failures["empty"]?.contains("no branch yet") == true)
    #expect(failures["branchless"]?.contains("no branch matches release/*; it has main") == true)
    #expect(failures["absent"]?.contains("absent.git") == true)
    #expect(report.pipelines.last?.outstanding == 2)
  }

  @Test("a broken manifest, a damaged catalog and a file that is not UTF-8 are told; what can be read is sent")
  func brokenFiles() async throws {
    let origin = try birds(adding: [
      "Broken/Package.swift": "let package = Package(name: \"Broken\", targets: [",
      "Other/Localizable.xcstrings": "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"a\" : {}, \"a\" : {",
      "Other/A.swift": "let a = 1",
    ])
    let report = try await runtime([definition("birds", origin: origin)]).runOnce()
    #expect(report.failures.isEmpty)
    let pipeline = try #require(report.pipelines.first)
    #expect(pipeline.outstanding >= 2)
    #expect(pipeline.diagnostics.contains { $0.path == "Broken/Package.swift" })
    #expect(pipeline.diagnostics.contains { $0.path == "Other/Localizable.xcstrings" && $0.line != nil })
  }

  @Test("a catalog that is a symbolic link is told and not followed")
  func symbolicLink() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n"])
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/App/Localizable.xcstrings", withDestinationPath: "/etc/passwd")
    try repository.commit()
    let origin = folder.path + "/link.git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    let report = try await runtime([definition("link", origin: origin)]).runOnce()
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 0)
    let vendor = Translator(drop: folder.path + "/drop-link")
    #expect(try vendor.names(in: "to-translate").isEmpty)
  }

  @Test("a catalog goes to the vendor that takes it; one that no vendor takes is reported")
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

  @Test("an unchanged repository does no work the second time")
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

  @Test("serving takes a commit all the way, and stops when it is told to", .timeLimit(.minutes(10)))
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

  @Test("a round can be looked at while it is used, cancelled and taken up again")
  func desk() async throws {
    let definition = definition("birds", origin: try birds())
    let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
    _ = try await runtime([definition]).runOnce()
    let round = try #require(try await desk.list().first)
    #expect(try await desk.find("birds#1") == round.id)
    #expect(try await desk.find(String(round.id.rawValue)) == round.id)
    await #expect(throws: PipelineError.self) { try await desk.find("cats#1") }
    // The round as it was, so that the command can say what it withdrew.
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

  @Test("a folder is one vendor however its path is written: nothing is withdrawn or sent again")
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

  @Test("a second installation on one drop folder is refused, and takes nothing")
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
    // The first finds its own claim, also in another process.
    #expect(try await runtime([definition]).runOnce().pipelines.first?.commits.count == 1)
  }

  @Test("a stage that is interrupted goes back into the queue with its attempt given back", .timeLimit(.minutes(10)))
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
    // The store is released when the last task of the first runtime has ended, shortly after `serve` returned.
    await FileLock.waitUntilFree(folder.path + "/store/lock")
    let report = try await runtime([definition]).runOnce()
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 2)
  }

  @Test("a lost ledger sends nothing twice, and delivers on top of what is there")
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
    // One of two is on the delivery branch already; the other is in the bundle that is still there.
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 1)
    #expect(try translator.names(in: "to-translate") == ["birds-1-de.xcloc.zip"])
    try translator.translate("de")
    let last = try await runtime([definition]).runOnce()
    #expect(last.pipelines.first?.commits.map(\.subject) == ["Translate 1 string into de"])
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main^"], in: origin) == tip)
  }

  @Test("a new string on a frozen branch is a finding, and is sent all the same")
  func freeze() async throws {
    let origin = try birds()
    var definition = definition("birds", origin: origin)
    definition.rounds.freeze = [BranchPattern("main")]
    func findings(_ report: PipelineReport) -> Int {
      report.diagnostics.count { $0.message.hasPrefix("new string on frozen branch main") }
    }
    let first = try #require(try await runtime([definition]).runOnce().pipelines.first)
    #expect(findings(first) == 0, "what stood there before is not new")
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

  @Test("a run says of each branch whether it meets what the pipeline requires, and fails none of it")
  func requirements() async throws {
    let origin = try birds()
    var definition = definition("birds", origin: origin)
    definition.require = [CompletionRequirement(language: nil, tenths: 1000)]
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

  @Test("an object that is missing from the mirror is told; the pipeline goes on when it is there again")
  func missingObject() async throws {
    let origin = try birds()
    let definition = definition("birds", origin: origin)
    let blob = try TemporaryRepository.git(
      ["rev-parse", "main:Sources/Birds/Resources/Localizable.xcstrings"], in: origin)
    let path = "\(origin)/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/object")
    let broken = try await runtime([definition]).runOnce()
    let words = broken.failures.map { "\($0.error)" } + broken.pipelines.flatMap(\.diagnostics).map(\.message)
    #expect(!words.isEmpty)
    #expect(broken.pipelines.first?.outstanding == 0)
    try FileManager.default.moveItem(atPath: folder.path + "/object", toPath: path)
    try FileManager.default.removeItem(atPath: folder.path + "/store/mirrors")
    let mended = try await runtime([definition]).runOnce()
    #expect(mended.failures.isEmpty)
    #expect(mended.pipelines.first?.outstanding == 2)
  }
}
