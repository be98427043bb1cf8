import Localization
import Pipeline
import Synchronization

/// A collection of the failures and diagnostics of one run. Several tasks add to it. Each failure and each diagnostic is stored once, up to a limit.
final class RunJournal: Sendable {
  /// The maximum number of entries of each kind for a pipeline. Further entries are only counted.
  static let limit = 1000

  fileprivate struct Entries {
    var failures: [StageFailure] = []
    var failureTexts: Set<String> = []
    var moreFailures = 0
    var diagnostics: [Diagnostic] = []
    var seen: Set<Diagnostic> = []
    var moreDiagnostics = 0
  }

  private let entries = Mutex<[String: Entries]>([:])
  private let outer: WorkerObserver

  init(passingOnTo outer: WorkerObserver) { self.outer = outer }

  var observer: WorkerObserver {
    WorkerObserver(
      progress: outer.progress,
      failed: { failure in
        self.entries.withLock { $0[failure.pipeline, default: Entries()].add(failure) }
        self.outer.failed(failure)
      },
      found: { pipeline, diagnostics in
        self.entries.withLock { $0[pipeline, default: Entries()].add(diagnostics) }
        self.outer.found(pipeline, diagnostics)
      }, ledger: outer.ledger, planning: outer.planning)
  }

  func failures(of pipeline: String) -> [StageFailure] { entries.withLock { $0[pipeline]?.failures ?? [] } }

  /// Returns the diagnostics of a pipeline in the order in which they were recorded, and then the numbers of diagnostics and failures above the
  /// limit.
  func diagnostics(of pipeline: String) -> [Diagnostic] {
    guard let entries = entries.withLock({ $0[pipeline] }) else { return [] }
    var all = entries.diagnostics
    for (count, what) in [(entries.moreDiagnostics, "findings"), (entries.moreFailures, "failures")] where count > 0 {
      all.append(
        Diagnostic(path: pipeline, severity: .warning, message: "\(count) more \(what) not listed"))
    }
    return all
  }
}

extension RunJournal.Entries {
  fileprivate mutating func add(_ failure: StageFailure) {
    guard failureTexts.count < RunJournal.limit || failureTexts.contains("\(failure)") else {
      moreFailures += 1
      return
    }
    if failureTexts.insert("\(failure)").inserted { failures.append(failure) }
  }

  fileprivate mutating func add(_ found: [Diagnostic]) {
    for diagnostic in found where !seen.contains(diagnostic) {
      guard seen.count < RunJournal.limit else {
        moreDiagnostics += 1
        continue
      }
      seen.insert(diagnostic)
      diagnostics.append(diagnostic)
    }
  }
}
