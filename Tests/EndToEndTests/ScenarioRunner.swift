import Daemon
import Foundation
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport

/// Plays a scenario: a folder with `pipeline.yaml`, `steps.txt`, `commits/` and `answers/`, through the real context: a real repository, the
/// real store, a real drop folder. Time is the scenario's own.
final class ScenarioRunner {
  private let scenario: String
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String
  private let drop: String
  private var seconds = 1_700_000_000
  private var transcript = ""

  init(_ scenario: String) throws {
    self.scenario = scenario
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    origin = folder.path + "/origin.git"
    drop = folder.path + "/drop"
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", origin], in: folder.path)
  }

  /// - Returns: what happened, as the scenario's `expected.txt` tells it.
  func play() async throws -> String {
    for step in try ScenarioStep.read(text("steps.txt")) {
      seconds += 3600
      switch step {
      case .commit(let branch, let files): try commit(files, to: branch)
      case .run: try await run()
      case .translate(let language, let answers):
        let given = try answers.map {
          try JSONDecoder().decode([String: String].self, from: Data(text("answers/\($0).json").utf8))
        }
        let count = try Translator(drop: drop).translate(LocaleIdentifier(language), answers: given ?? [:])
        transcript += "translate \(language): \(count)\n\n"
      case .merge(let source, let target): try merge(source, into: target)
      case .tryAgain:
        for name in try Translator(drop: drop).names(in: "held") where !name.hasSuffix(".review.txt") {
          try FileManager.default.moveItem(atPath: "\(drop)/held/\(name)", toPath: "\(drop)/translated/\(name)")
        }
        transcript += "try again\n\n"
      case .delete(let branch):
        try git("push", "-q", "origin", ":\(branch)")
        transcript += "delete \(branch)\n\n"
      }
    }
    return transcript
  }

  // MARK: Steps

  private func commit(_ files: String, to branch: String) throws {
    if (try? git("rev-parse", "--verify", "-q", "HEAD")) == nil {
      try git("remote", "add", "origin", origin)
    } else {
      try git("fetch", "-q", "origin")
      let stands = (try? git("rev-parse", "--verify", "-q", "origin/\(branch)")) != nil
      try git("checkout", "-q", "-B", branch, stands ? "origin/\(branch)" : "origin/main")
    }
    // Projects that several scenarios begin with lie beside them.
    let own = "\(scenario)/commits/\(files)"
    let source = FileManager.default.fileExists(atPath: own) ? own : "\(scenario)/../.projects/\(files)"
    guard let names = FileManager.default.enumerator(atPath: source) else {
      throw ScenarioFault(description: "no folder \(source)")
    }
    for case let name as String in names {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(source)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      if name.hasSuffix(".removed") {
        try FileManager.default.removeItem(atPath: repository.path + "/" + name.dropLast(8))
      } else {
        try repository.write(String(contentsOfFile: "\(source)/\(name)", encoding: .utf8), to: name)
      }
    }
    try repository.commit(message: files, seconds: seconds)
    try git("push", "-q", "origin", "HEAD:\(branch)")
    transcript += "commit \(files) to \(branch)\n\n"
  }

  private func merge(_ source: String, into target: String) throws {
    try git("fetch", "-q", "origin")
    try git("checkout", "-q", "-B", target, "origin/\(target)")
    try repository.git("merge", "-q", "--no-ff", "-m", "Merge \(source)", "origin/\(source)", seconds: seconds)
    try git("push", "-q", "origin", "HEAD:\(target)")
    transcript += "merge \(source) into \(target)\n\n"
  }

  private func run() async throws {
    let before = try heads()
    let yaml = try text("pipeline.yaml").replacingOccurrences(of: "{origin}", with: origin)
      .replacingOccurrences(of: "{drop}", with: drop)
    let definition = try PipelineFile.read(Array(yaml.utf8), at: "pipeline.yaml")
    let clock = Mutex(Date(timeIntervalSince1970: Double(seconds)))
    let time = TimeSource(
      now: { clock.withLock { $0 } },
      sleep: { wait in
        try Task.checkCancellation()
        // Heartbeats are far apart: they wait until their stage is done.
        if wait >= .seconds(30) { try await Task.sleep(for: .seconds(3600)) }
        clock.withLock { $0 += Double(wait.components.seconds) + 0.001 }
      })
    let report = try await {
      let runtime = try PipelineRuntime(
        definitions: [definition], store: StoreLocation(folder: folder.path + "/store"), settings: Settings(),
        environment: [:], isOnce: true, time: time, observer: WorkerObserver(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      return try await runtime.runOnce()
    }()
    transcript += "run\n"
    for pipeline in report.pipelines { describe(pipeline) }
    try describeBranches(since: before)
    try describeDrop()
    transcript += "\n"
  }

  // MARK: Transcript

  private func describe(_ report: PipelineReport) {
    for round in report.rounds {
      for books in round.books {
        line(
          "  round \(round.number) \(name(books.vendor)) \(books.language): \(books.sent) sent = \(books.returned) returned"
            + " + \(books.outstanding) outstanding + \(books.withdrawn) withdrawn + \(books.superseded) superseded"
            + (books.isBalanced ? "" : " NOT BALANCED"))
      }
    }
    for held in report.held {
      line("  held on \(held.branch): \(held.unit) \(held.language) “\(held.text)”: \(held.reason?.sentence ?? "")")
    }
    for diagnostic in report.diagnostics { line("  \(diagnostic)") }
    for failure in report.failures {
      line(
        "  failed: \(failure.stage.rawValue) \(failure.vendor.map(name) ?? failure.branch ?? "") (\(failure.disposition))"
      )
    }
  }

  /// The commits of ours on each branch, with their messages and changes.
  private func describeBranches(since before: [String: String]) throws {
    for (branch, head) in try heads().sorted(by: { $0.key < $1.key }) where before[branch] != head {
      let excluded =
        try heads().filter { $0.key != branch && !$0.key.hasPrefix("l10n/") }.values
        + [before[branch]].compactMap { $0 }
      let parents = excluded.flatMap { ["^\($0)"] }
      let ids = try TemporaryRepository.git(["rev-list", "--reverse", head] + parents, in: origin).split(
        separator: "\n")
      let base = ids.first.flatMap { try? TemporaryRepository.git(["log", "-1", "--format=%s", "\($0)^"], in: origin) }
      line("  \(branch) on “\(base ?? "")”:")
      for id in ids {
        let message = try TemporaryRepository.git(["log", "-1", "--format=%an <%ae> %at%n%B", String(id)], in: origin)
        let patch = try TemporaryRepository.git(["show", "--format=", "-U0", String(id)], in: origin)
        for text in masked(message).split(separator: "\n") { line("    | \(text)") }
        for text in patch.split(separator: "\n")
        where !text.hasPrefix("index ") && !text.hasPrefix("diff ") && !text.hasPrefix("@@") {
          line("    \(text)")
        }
      }
    }
  }

  private func describeDrop() throws {
    let translator = Translator(drop: drop)
    for folder in ["to-translate", "translated", "done", "held"] {
      let names = try translator.names(in: folder)
      if !names.isEmpty { line("  \(folder): \(names.joined(separator: ", "))") }
      for name in names where name.hasSuffix(".txt") {
        for text in String(decoding: try translator.bytes("\(folder)/\(name)"), as: UTF8.self).split(separator: "\n") {
          line("    \(masked(String(text)))")
        }
      }
    }
  }

  /// Ids of source commits differ with nothing but the scenario's files; told by the commit's own words they read better.
  private func masked(_ text: String) -> String {
    text.replacing(#/L10n-Source: ([0-9a-f]{40})/#) { match in
      let subject = try? TemporaryRepository.git(["log", "-1", "--format=%s", String(match.1)], in: origin)
      return "L10n-Source: “\(subject ?? "?")”"
    }.replacingOccurrences(of: folder.path, with: "{folder}")
  }

  private func name(_ vendor: String) -> String { vendor.replacingOccurrences(of: folder.path, with: "{folder}") }

  private func line(_ text: String) { transcript += text + "\n" }

  private func heads() throws -> [String: String] {
    let lines = try TemporaryRepository.git(
      ["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"], in: origin)
    return Dictionary(
      lines.split(separator: "\n").map { $0.split(separator: " ") }.map { (String($0[0]), String($0[1])) },
      uniquingKeysWith: { first, _ in first })
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(scenario)/\(name)", encoding: .utf8)
  }

  @discardableResult
  private func git(_ arguments: String...) throws -> String {
    try TemporaryRepository.git(arguments, in: repository.path, seconds: seconds)
  }
}
