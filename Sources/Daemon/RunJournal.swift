import Localization
import Pipeline
import Synchronization

/// Collects what happens while pipelines run, from several tasks.
final class RunJournal: Sendable {
  private struct Entries {
    var failures: [StageFailure] = []
    var diagnostics: [String: [Diagnostic]] = [:]
  }

  private let entries = Mutex(Entries())
  private let outer: WorkerObserver

  init(passingOnTo outer: WorkerObserver) { self.outer = outer }

  var observer: WorkerObserver {
    WorkerObserver(
      progress: outer.progress,
      failed: { failure in
        self.entries.withLock { $0.failures.append(failure) }
        self.outer.failed(failure)
      },
      found: { pipeline, diagnostics in
        self.entries.withLock { $0.diagnostics[pipeline, default: []] += diagnostics }
        self.outer.found(pipeline, diagnostics)
      })
  }

  func failures(of pipeline: String) -> [StageFailure] {
    entries.withLock { $0.failures.filter { $0.pipeline == pipeline } }
  }

  /// Each once, in the order in which they came.
  func diagnostics(of pipeline: String) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return entries.withLock { $0.diagnostics[pipeline] ?? [] }.filter { seen.insert($0).inserted }
  }
}
