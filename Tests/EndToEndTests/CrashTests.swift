import Daemon
import Foundation
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Rounds that crash before or after each change of the store and are then run again.
struct CrashTests {
  /// A project with two vendors (a drop folder and pseudo-localization), two languages, and `catalogs: commit`.
  final class Stage {
    let folder: TemporaryFolder
    let origin: String

    init() throws {
      folder = try TemporaryFolder()
      let repository = try TemporaryRepository()
      origin = folder.path + "/origin.git"
      let project = ScenarioTests.folder + "/.projects/birds"
      let names = try #require(FileManager.default.enumerator(atPath: project)).compactMap { $0 as? String }
      var files: [String: String] = [:]
      for name in names where name.contains(".") {
        files[name] = try? String(contentsOfFile: "\(project)/\(name)", encoding: .utf8)
      }
      try repository.commit(files)
      try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    }

    func run(life: MortalStore.Life?) async throws {
      let definition = PipelineDefinition(
        name: "birds", repository: RepositorySettings(url: origin), catalogs: .commit, languages: ["de", "uk"],
        vendors: [
          VendorDefinition(kind: "pseudo", languages: ["de"]),
          VendorDefinition(
            kind: "folder", options: ["settle": .duration(.zero), "path": .text(folder.path + "/drop")]),
        ])
      var settings = Settings()
      settings.commitSeconds = 1_700_000_000
      let clock = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
      let time = TimeSource(
        now: {
          clock.withLock {
            $0 += 1; return $0
          }
        }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
      let runtime = try PipelineRuntime(
        definitions: [definition], store: StoreLocation(folder: folder.path + "/store"), settings: settings,
        environment: [:], isOnce: true, time: time,
        decorate: { store in life.map { MortalStore(store: store, life: $0) } ?? store }, observer: WorkerObserver(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      _ = try await runtime.runOnce()
    }

    /// Returns the complete result as text: the delivered branch, the books, and the shipments and returns of the drop folder.
    func result() async throws -> String {
      let tip = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
      let log = try TemporaryRepository.git(["log", "--format=%s", "l10n/main"], in: origin)
      let books = try await booksText(folder.path + "/store")
      let translator = Translator(drop: folder.path + "/drop")
      var files = ""
      for name in ["to-translate", "done", "held"] { files += "\(name): \(try translator.names(in: name))\n" }
      return "\(tip)\n\(log)\n\(books)\n\(files)"
    }
  }

  /// Runs the pipeline, translates the Ukrainian bundles, and runs the pipeline again, with a crash in each run at the given point. Returns the
  /// complete result.
  private func play(_ life: (first: MortalStore.Life?, second: MortalStore.Life?)) async throws -> String {
    let stage = try Stage()
    try await run(stage, life.first)
    try Translator(drop: stage.folder.path + "/drop").translate("uk")
    try await run(stage, life.second)
    return try await stage.result()
  }

  private func run(_ stage: Stage, _ life: MortalStore.Life?) async throws {
    guard let life else { return try await stage.run(life: nil) }
    do { try await stage.run(life: life) } catch is Death { try await stage.run(life: nil) }
  }

  @Test(
    "after a crash at any change of the store, a round ends with the same commit, no unit sent twice, and balanced books",
    arguments: [true, false])
  func death(isWritten: Bool) async throws {
    let whole = (MortalStore.Life(changes: .max, isWritten: true), MortalStore.Life(changes: .max, isWritten: true))
    let expected = try await play((first: whole.0, second: whole.1))
    #expect(expected.contains("birds-1-uk.xcloc.zip"))
    #expect(whole.0.changes > 15)
    for change in 1...whole.0.changes {
      let result = try await play((first: MortalStore.Life(changes: change, isWritten: isWritten), second: nil))
      #expect(result == expected, "the first run crashed at change \(change)")
    }
    for change in 1...whole.1.changes {
      let result = try await play((first: nil, second: MortalStore.Life(changes: change, isWritten: isWritten)))
      #expect(result == expected, "the second run crashed at change \(change)")
    }
  }
}
