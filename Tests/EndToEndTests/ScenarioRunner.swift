import Daemon
import Foundation
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport

/// A runner of a scenario, which is a folder with `pipeline.yaml`, `steps.txt`, `commits/`, `answers/` and `bundles/`. The runner uses a real
/// repository, the real store, a real drop folder, and a simulated clock. If the folder has a `second.yaml`, that pipeline runs too, with a separate
/// drop folder.
final class ScenarioRunner {
  let scenario: String
  let folder: TemporaryFolder
  let repository: TemporaryRepository
  let origin: String
  /// The drop folders of the pipelines. The first folder is that of `pipeline.yaml`.
  let drops: [String]
  private var pipelineFile = "pipeline.yaml"
  var seconds = 1_700_000_000
  var transcript = ""

  init(_ scenario: String) throws {
    self.scenario = scenario
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    origin = folder.path + "/origin.git"
    drops =
      [folder.path + "/drop"]
      + (FileManager.default.fileExists(atPath: scenario + "/second.yaml") ? [folder.path + "/second"] : [])
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", origin], in: folder.path)
  }

  /// Runs all steps of the scenario.
  /// - Returns: the events, in the format of the scenario's `expected.txt`.
  func play() async throws -> String {
    for step in try ScenarioStep.read(text("steps.txt")) {
      seconds += 3600
      switch step {
      case .run(let pipeline): try await run(pipeline)
      case .commit, .merge, .delete, .squash, .rebase, .forcePush, .reset, .refusePushes, .allowPushes:
        try change(by: step)
      case .translate, .echo, .bring, .tryAgain, .requeue: try translate(by: step)
      case .removeMirrors:
        try FileManager.default.removeItem(atPath: store + "/mirrors")
        transcript += "remove mirrors\n\n"
      case .saveLedger: try copyLedger(from: store, to: backup, "save ledger")
      case .restoreLedger: try copyLedger(from: backup, to: store, "restore ledger")
      case .pipeline(let file):
        pipelineFile = file
        transcript += "pipeline \(file)\n\n"
      }
    }
    return transcript
  }

  // MARK: Steps

  private func run(_ pipeline: String?) async throws {
    let before = try heads()
    let all = try zip([pipelineFile, "second.yaml"], drops).map { file, drop in
      let yaml = try text(file).replacingOccurrences(of: "{origin}", with: origin)
        .replacingOccurrences(of: "{drop}", with: drop)
      return try PipelineFile.read(Array(yaml.utf8), at: file)
    }
    let definitions = all.filter { pipeline == nil || $0.name == pipeline }
    let clock = Mutex(Date(timeIntervalSince1970: Double(seconds)))
    let time = TimeSource(
      now: { clock.withLock { $0 } },
      sleep: { wait in
        try Task.checkCancellation()
        // Only heartbeats wait this long. They sleep in real time, until they are cancelled at the end of their stage.
        if wait >= .seconds(30) { try await Task.sleep(for: .seconds(3600)) }
        clock.withLock { $0 += Double(wait.components.seconds) + 0.001 }
      })
    let report = try await {
      let runtime = try PipelineRuntime(
        definitions: definitions, store: StoreLocation(folder: store), settings: Settings(),
        environment: [:], isOnce: true, time: time, observer: WorkerObserver(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      return try await runtime.runOnce()
    }()
    transcript += "run\(pipeline.map { " \($0)" } ?? "")\n"
    for pipeline in report.pipelines { describe(pipeline) }
    try describeBranches(since: before)
    for drop in drops { try describeDrop(drop) }
    transcript += "\n"
  }

  private var store: String { folder.path + "/store" }
  private var backup: String { folder.path + "/backup" }

  private func copyLedger(from source: String, to target: String, _ what: String) throws {
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: target) where name.hasPrefix("ledger.sqlite") {
      try FileManager.default.removeItem(atPath: "\(target)/\(name)")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: source) where name.hasPrefix("ledger.sqlite") {
      try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
    }
    transcript += "\(what)\n\n"
  }

  // MARK: The origin

  func heads() throws -> [String: String] {
    let lines = try TemporaryRepository.git(
      ["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"], in: origin)
    return Dictionary(
      lines.split(separator: "\n").map { $0.split(separator: " ") }.map { (String($0[0]), String($0[1])) },
      uniquingKeysWith: { first, _ in first })
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(scenario)/\(name)", encoding: .utf8)
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try TemporaryRepository.git(arguments, in: repository.path, seconds: seconds)
  }
}
