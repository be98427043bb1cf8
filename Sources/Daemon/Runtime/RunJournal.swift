import Localization
import Pipeline
import Synchronization

/// Collects what happens during one run, from several tasks: each failure and diagnostic once, and so many at most.
final class RunJournal: Sendable {
  /// Of each pipeline. What comes after these is counted.
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
      })
  }

  func failures(of pipeline: String) -> [StageFailure] { entries.withLock { $0[pipeline]?.failures ?? [] } }

  /// In the order in which they came.
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
