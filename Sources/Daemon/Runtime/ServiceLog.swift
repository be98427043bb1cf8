package import FoundationEssentials
internal import LedgerStore
internal import Localization
package import Pipeline
internal import ReadModel
import Synchronization

/// The log of a daemon. It has one entry for each event, with time, pipeline, stage, and branch or vendor. In JSON, each entry is one line, a
/// `LogEntry`. In text, the findings of an entry and their hints follow on further lines.
///
/// A failure is logged when it starts and when it ends. If a stage has the same result as last time, the result is not logged again, unless the stage
/// read a new commit or had an effect, for example sent, received, merged or delivered units. An idle daemon logs nothing.
package final class ServiceLog: Sendable {
  /// The subject of a streak of consecutive failures.
  struct Topic: Hashable {
    /// The pipeline that fails; `nil` if the failure affects the whole process.
    var pipeline: String?
    /// The name of a stage or of another part of the daemon, such as `webhook`.
    var part: String
    /// The name of a branch or of a vendor.
    var about: String?

    var words: String { [pipeline, part, about].compactMap(\.self).joined(separator: " ") }
  }

  private struct Streak {
    var since: Date
    var count: Int
    /// The messages that were logged. For failures of the ledger, these are the kinds of the errors instead.
    var texts: Set<String>
  }

  /// The last logged result of a stage.
  private struct Told: Equatable {
    var text: String
    /// The commit of the event for `watch` and `extract`; `nil` for the other stages. For these two stages, a new commit is logged even if the
    /// result is the same.
    var commit: String?

    init(_ event: ProgressEvent) {
      text = event.detail ?? ""
      commit = [.watch, .extract].contains(event.stage) ? event.commit : nil
    }
  }

  private struct State {
    var failing: [Topic: Streak] = [:]
    var last: [Topic: Told] = [:]
    var found: [String: Set<Diagnostic>] = [:]
    /// The pipelines whose files differ between workers.
    var differing: Set<String> = []
  }

  /// The maximum number of findings of a pipeline that are stored to recognize new findings.
  private static let limit = 1000
  private static let textLimit = 20
  static let ledger = Topic(part: "ledger")

  private let now: @Sendable () -> Date
  private let showsStages: Bool
  private let format: LogFormat
  private let output: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - showsStages: whether to log stages that did something, in addition to failures.
  ///   - write: receives the line of an entry; in text, also the lines of its findings. Control characters within a line of text are escaped, so a
  ///     path or a server's response cannot begin another line.
  package init(
    now: @escaping @Sendable () -> Date, showsStages: Bool, format: LogFormat = .text,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.now = now
    self.showsStages = showsStages
    self.format = format
    output = write
  }

  package var observer: WorkerObserver {
    WorkerObserver(
      progress: { self.note($0) }, failed: { self.note($0) }, found: { self.note($0, $1) },
      ledger: { error in
        if let error { self.noteFailure(of: Self.ledger, error) } else { self.noteSuccess(of: Self.ledger) }
      })
  }

  package func note(_ event: SupervisorEvent) {
    switch event {
    case .faults(let path, let diagnostics, let keeps):
      let what =
        keeps.map { "pipeline \($0) keeps running with its last valid file" } ?? "is ignored"
      note(.error, what, at: path, diagnostics, text: keeps == nil ? "\(path) \(what)" : "\(path): \(what)") {
        $0.pipeline = keeps
      }
    case .folderFaults(let diagnostics):
      let what = "cannot read the pipeline files; every pipeline keeps running unchanged"
      note(.error, what, at: nil, diagnostics, text: what)
    case .empty(let folder):
      let what = "has no pipeline file (*.yaml, *.yml); a file that is added there starts within seconds"
      note(.warning, what, at: folder, text: "\(folder) \(what)")
    case .emptyDatabase:
      let what = "the database has no pipeline files; files that `dragoman pipelines apply` stores start within seconds"
      note(.warning, what)
    case .mended(let path): note(.info, "is valid now", at: path, text: "\(path) is valid now")
    case .folderMended(let folder): note(.info, "is readable again", at: folder, text: "\(folder) is readable again")
    case .started(let name): note(.info, name, "started")
    case .changed(let name): note(.info, name, "continues with the changed pipeline file")
    case .stopped(let name): note(.info, name, "stopped; its ledger is kept")
    case .rereading:
      state.withLock { state in
        for topic in state.failing.keys { state.failing[topic]?.texts = [] }
      }
    case .reread(let count): note(.info, "read again: " + (count == 1 ? "1 pipeline" : "\(count) pipelines"))
    }
  }

  /// Logs the pipelines whose files differ between workers. Each pipeline is logged once when its files begin to differ, and once when they are equal
  /// again.
  func note(differingFiles faults: [FileFault]) {
    let now = Set(faults.map(\.path))
    let before = state.withLock { state in
      defer { state.differing = now }
      return state.differing
    }
    for fault in faults where !before.contains(fault.path) { note(.warning, fault.path, fault.problem.message) }
    for name in before.subtracting(now).sorted() { note(.info, name, "all workers have the same pipeline file again") }
  }

  /// Logs a warning about a pipeline. It is used for warnings that no stage reports.
  package func note(_ pipeline: String, _ text: String) {
    write(.warning, text, text: "\(pipeline) \(text)") { $0.pipeline = pipeline }
  }

  /// Logs an event of the process itself.
  package func note(_ level: LogEntry.Level, _ text: String) { write(level, text, text: text) { _ in } }

  private func note(_ level: LogEntry.Level, _ pipeline: String, _ message: String) {
    write(level, message, text: "\(pipeline): \(message)") { $0.pipeline = pipeline }
  }

  private func note(
    _ level: LogEntry.Level, _ message: String, at path: String?, _ findings: [Diagnostic] = [], text: String,
    _ fill: (inout LogEntry) -> Void = { _ in }
  ) {
    write(level, message, text: text, further: findings.flatMap(\.lines)) {
      $0.path = path
      if !findings.isEmpty { $0.findings = findings.map(\.description) }
      fill(&$0)
    }
  }

  private func note(_ event: ProgressEvent) {
    guard event.state == .ended else { return }
    let topic = Topic(pipeline: event.pipeline, part: event.stage.rawValue, about: event.scope ?? event.branch)
    let isGood = [JobState.Name.succeeded, .waiting].contains { $0.rawValue == event.outcome }
    guard isGood else { return }
    let isNew = state.withLock { state in
      let told = Told(event)
      defer { state.last[topic] = told }
      return event.hasEffect || state.last[topic] != told
    }
    noteSuccess(of: topic) { fill(&$0, event) }
    // The event of a job shows that the ledger works, because the new state of the job was saved. The event of a poll does not show this.
    if event.job != nil { noteSuccess(of: Self.ledger) }
    if showsStages, isNew, let detail = event.detail, !detail.isEmpty {
      write(.info, detail, text: topic.words + ": " + detail) { fill(&$0, event) }
    }
  }

  /// Logs the end of a streak of failures.
  func noteSuccess(of topic: Topic, _ fill: (inout LogEntry) -> Void = { _ in }) {
    guard let streak = state.withLock({ $0.failing.removeValue(forKey: topic) }) else { return }
    let times = streak.count == 1 ? "1 failure" : "\(streak.count) failures"
    let message = "working again after \(times) since \(Self.text(of: streak.since))"
    write(.info, message, text: topic.words + ": " + message) { self.fill(&$0, topic, fill) }
  }

  private func fill(_ entry: inout LogEntry, _ event: ProgressEvent) {
    entry.pipeline = event.pipeline
    entry.stage = event.stage.rawValue
    entry.branch = event.branch
    entry.vendor = event.scope
    entry.round = event.round
    entry.job = event.job
  }

  private func note(_ failure: StageFailure) {
    // All pipelines use the ledger, so an outage is logged as one failure, regardless of how many stages fail.
    if Self.isOutage(failure.error) { return noteFailure(of: Self.ledger, failure.error) }
    let topic = Topic(
      pipeline: failure.pipeline, part: failure.stage.rawValue, about: failure.vendor ?? failure.branch)
    noteFailure(of: topic, failure.error, isRetried: failure.isRetried) {
      $0.pipeline = failure.pipeline
      $0.stage = failure.stage.rawValue
      $0.branch = failure.branch
      $0.vendor = failure.vendor
      $0.job = failure.job
    }
  }

  /// Logs the first failure of a streak, and later failures of the streak with new reasons.
  func noteFailure(
    of topic: Topic, _ error: any Error, isRetried: Bool = true, _ fill: (inout LogEntry) -> Void = { _ in }
  ) {
    let text = "\(error)"
    // The messages about one outage of the ledger differ, so the kind of the error is compared.
    let key = topic == Self.ledger ? (error as? StoreError).map { "\($0.kind)" } ?? text : text
    let now = now()
    let isNew = state.withLock { state in
      var streak = state.failing[topic] ?? Streak(since: now, count: 0, texts: [])
      streak.count += 1
      let isNew = streak.texts.count < Self.textLimit && streak.texts.insert(key).inserted
      state.failing[topic] = streak
      return isNew
    }
    guard isNew else { return }
    let retry = isRetried ? " (will be retried)" : ""
    let lines = (error as? InputFault)?.diagnostics.flatMap(\.lines) ?? [text]
    write(
      .error, text + retry, text: topic.words + ": error: \(lines.first ?? text)" + retry,
      further: Array(lines.dropFirst())
    ) { self.fill(&$0, topic, fill) }
  }

  private func fill(_ entry: inout LogEntry, _ topic: Topic, _ fill: (inout LogEntry) -> Void) {
    (entry.pipeline, entry.stage) = (topic.pipeline, topic.part)
    fill(&entry)
  }

  private func note(_ pipeline: String, _ diagnostics: [Diagnostic]) {
    let new = state.withLock { state in
      var known = state.found[pipeline] ?? []
      // The old findings are forgotten to limit memory. A finding may then be logged again.
      if known.count >= Self.limit { known = [] }
      defer { state.found[pipeline] = known }
      return diagnostics.filter { $0.severity != .note && known.insert($0).inserted }
    }
    for diagnostic in new {
      let level: LogEntry.Level = diagnostic.severity == .error ? .error : .warning
      let hint = diagnostic.hint.map { "; \($0)" } ?? ""
      let lines = diagnostic.lines
      // The path of a finding about the whole pipeline is the pipeline's name.
      let isAboutAll = diagnostic.path == pipeline
      write(
        level, diagnostic.message + hint, text: isAboutAll ? lines[0] : "\(pipeline): \(lines[0])",
        further: Array(lines.dropFirst())
      ) {
        $0.pipeline = pipeline
        $0.path = isAboutAll ? nil : diagnostic.path
        $0.line = diagnostic.line
        $0.column = diagnostic.column
      }
    }
  }

  /// Writes an entry in the format of the log.
  /// - Parameters:
  ///   - message: the message for JSON.
  ///   - text: the first line for text.
  ///   - further: the lines for text after the first line.
  func write(
    _ level: LogEntry.Level, _ message: String, text: String, further: [String] = [],
    _ fill: (inout LogEntry) -> Void
  ) {
    let time = now()
    switch format {
    case .text:
      let lines = ["\(Self.text(of: time)) \(text)"] + further
      output(lines.map(\.withVisibleControlsInColumns).joined(separator: "\n"))
    case .json:
      var entry = LogEntry(time: time, level: level, message: message)
      fill(&entry)
      output(entry.json)
    }
  }

  private static func text(of date: Date) -> String { date.formatted(.iso8601) }
}

extension Diagnostic {
  /// The lines of the finding and of its hint.
  fileprivate var lines: [String] { description.split(separator: "\n").map(String.init) }
}
