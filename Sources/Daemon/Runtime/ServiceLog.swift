package import FoundationEssentials
internal import Localization
package import Pipeline
import Synchronization

/// The log of a daemon: one line for each event, with time, pipeline, stage, and branch or vendor.
///
/// A failure is logged when it starts and when it is over. A stage with the same result as last time is not logged again. An idle daemon
/// logs nothing.
package final class ServiceLog: Sendable {
  private struct Topic: Hashable {
    var pipeline: String
    var stage: Stage
    var about: String?
  }

  private struct Streak {
    var since: Date
    var count: Int
    /// The messages that were logged.
    var texts: Set<String>
  }

  private struct State {
    var failing: [Topic: Streak] = [:]
    var last: [Topic: String] = [:]
    var found: [String: Set<Diagnostic>] = [:]
  }

  /// The number of findings of a pipeline, and of messages of a failure, that are stored to recognize new ones.
  private static let limit = 1000
  private static let textLimit = 20

  private let now: @Sendable () -> Date
  private let showsStages: Bool
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - showsStages: whether to log stages that did something, in addition to failures.
  ///   - write: receives one line, or several if a message has several.
  package init(now: @escaping @Sendable () -> Date, showsStages: Bool, write: @escaping @Sendable (String) -> Void) {
    self.now = now
    self.showsStages = showsStages
    self.write = write
  }

  package var observer: WorkerObserver {
    WorkerObserver(progress: { self.note($0) }, failed: { self.note($0) }, found: { self.note($0, $1) })
  }

  package func note(_ event: SupervisorEvent) {
    switch event {
    case .faults(let path, let diagnostics, let keeps):
      let what = keeps.map { "\(path): pipeline \($0) keeps running with its last valid file" } ?? "\(path) is ignored"
      line([what] + diagnostics.map(\.description))
    case .folderFaults(let diagnostics):
      line(["cannot read the pipeline files; every pipeline keeps running unchanged"] + diagnostics.map(\.description))
    case .empty(let folder):
      line(["\(folder) has no pipeline file (*.yaml, *.yml); a file that you add there starts within seconds"])
    case .mended(let path): line(["\(path) is readable again"])
    case .started(let name): line(["\(name): started"])
    case .changed(let name): line(["\(name): continues with the changed pipeline file"])
    case .stopped(let name): line(["\(name): stopped; its ledger is kept"])
    }
  }

  /// Logs an event of a pipeline that no stage reports.
  package func note(_ pipeline: String, _ text: String) { line(["\(pipeline) \(text)"]) }

  private func note(_ event: ProgressEvent) {
    guard event.state == .ended else { return }
    let topic = Topic(
      pipeline: event.pipeline, stage: event.stage,
      about: event.scope ?? event.branch)
    let isGood = [JobState.Name.succeeded, .waiting].contains { $0.rawValue == event.outcome }
    guard isGood else { return }
    let (streak, isNew) = state.withLock { state in
      let text = event.detail ?? ""
      defer { state.last[topic] = text }
      return (state.failing.removeValue(forKey: topic), state.last[topic] != text)
    }
    if let streak {
      let times = streak.count == 1 ? "1 failure" : "\(streak.count) failures"
      line([words(topic) + ": working again after \(times) since \(Self.text(of: streak.since))"])
    }
    if showsStages, isNew, let detail = event.detail, !detail.isEmpty { line([words(topic) + ": " + detail]) }
  }

  private func note(_ failure: StageFailure) {
    let topic = Topic(pipeline: failure.pipeline, stage: failure.stage, about: failure.vendor ?? failure.branch)
    let text = "\(failure.error)"
    let now = now()
    let isNew = state.withLock { state in
      var streak = state.failing[topic] ?? Streak(since: now, count: 0, texts: [])
      streak.count += 1
      let isNew = streak.texts.count < Self.textLimit && streak.texts.insert(text).inserted
      state.failing[topic] = streak
      return isNew
    }
    guard isNew else { return }
    line([words(topic) + ": error: \(text)" + (failure.isRetried ? " (will be retried)" : "")])
  }

  private func note(_ pipeline: String, _ diagnostics: [Diagnostic]) {
    let new = state.withLock { state in
      var known = state.found[pipeline] ?? []
      // A daemon that runs for months forgets old findings to limit its memory. A finding may then be logged twice.
      if known.count >= Self.limit { known = [] }
      defer { state.found[pipeline] = known }
      return diagnostics.filter { $0.severity != .note && known.insert($0).inserted }
    }
    for diagnostic in new { line(["\(pipeline): \(diagnostic)"]) }
  }

  private func words(_ topic: Topic) -> String {
    ([topic.pipeline, topic.stage.rawValue] + [topic.about].compactMap(\.self)).joined(separator: " ")
  }

  private func line(_ parts: [String]) {
    write("\(Self.text(of: now())) " + parts.joined(separator: "\n"))
  }

  private static func text(of date: Date) -> String { date.formatted(.iso8601) }
}
