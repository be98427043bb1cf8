import Foundation
import LedgerStore
import Localization
import Pipeline
import Synchronization
import Testing

@testable import Daemon

private struct Fault: Error, CustomStringConvertible {
  var description: String
}

@Suite struct ServiceLogTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
    /// Returns the lines written since the last call.
    func new() -> [String] {
      all.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  private let lines = Lines()

  private func log(_ format: LogFormat = .text) -> ServiceLog {
    ServiceLog(now: { [lines] in lines.time.withLock { $0 } }, showsStages: true, format: format) { [lines] line in
      lines.all.withLock { $0.append(line) }
    }
  }

  private func ended(_ stage: Stage, _ detail: String, branch: String? = nil, scope: String? = nil) -> ProgressEvent {
    ProgressEvent(
      pipeline: "birds", branch: branch, stage: stage, scope: scope, state: .ended,
      outcome: JobState.Name.succeeded.rawValue, detail: detail)
  }

  private func failure(_ text: String, isRetried: Bool = true) -> StageFailure {
    StageFailure(
      pipeline: "birds", branch: nil, stage: .watch, vendor: nil, error: Fault(description: text), isRetried: isRetried)
  }

  @Test("a failure is logged when it begins and when it ends, with the number of failures and the time of the first")
  func failures() {
    let observer = log().observer
    for _ in 0..<14 {
      observer.failed(failure("no route to host"))
      lines.time.withLock { $0 += 60 }
    }
    observer.failed(failure("401"))
    #expect(
      lines.new() == [
        "2023-11-14T22:13:20Z birds watch: error: no route to host (will be retried)",
        "2023-11-14T22:27:20Z birds watch: error: 401 (will be retried)",
      ])
    observer.progress(ended(.watch, "1 branch, 0 with a new commit"))
    #expect(
      lines.new() == [
        "2023-11-14T22:27:20Z birds watch: working again after 15 failures since 2023-11-14T22:13:20Z",
        "2023-11-14T22:27:20Z birds watch: 1 branch, 0 with a new commit",
      ])
    observer.failed(failure("no route to host"))
    #expect(lines.new().count == 1)
  }

  @Test("each new commit is logged, even if its stages have the same result as before")
  func commits() {
    let observer = log().observer
    for commit in ["a", "b", "b"] {
      for (stage, detail) in [(Stage.watch, "1 branch, 1 with a new commit"), (.extract, "8 strings"), (.merge, "-")] {
        var event = ended(stage, detail)
        event.commit = commit
        observer.progress(event)
      }
    }
    #expect(lines.new().map { $0.split(separator: " ")[2] } == ["watch:", "extract:", "merge:", "watch:", "extract:"])
  }

  @Test("stages with the same result as before log no lines, and branches and vendors are logged separately")
  func idle() {
    let observer = log().observer
    for _ in 0..<100 {
      observer.progress(ended(.watch, "1 branch, 0 with a new commit"))
      observer.progress(ended(.pull, "0 returned", scope: "folder:/a#1"))
      observer.progress(ended(.merge, "nothing", branch: "main"))
    }
    #expect(lines.new().count == 3)
    observer.progress(ended(.merge, "nothing", branch: "next"))
    observer.progress(ended(.merge, "2 units", branch: "main"))
    #expect(
      lines.new() == [
        "2023-11-14T22:13:20Z birds merge next: nothing", "2023-11-14T22:13:20Z birds merge main: 2 units",
      ])
    var began = ended(.merge, "x")
    began.state = .began
    observer.progress(began)
    var failed = ended(.merge, "fault", branch: "main")
    failed.outcome = JobState.Name.failed.rawValue
    observer.progress(failed)
    #expect(lines.new().isEmpty)
  }

  @Test("every stage that planned, sent, received, merged or delivered units is logged")
  func effects() {
    let observer = log().observer
    for (stage, detail) in [(Stage.diff, "8 to send"), (.push, "8 sent to agency"), (.deliver, "l10n/main at 1")] {
      var event = ended(stage, detail)
      event.hasEffect = true
      for _ in 0..<2 { observer.progress(event) }
      event.hasEffect = false
      observer.progress(event)
    }
    #expect(lines.new().count == 6)
  }

  @Test("the beginning and the end of a ledger outage are each logged once, without a pipeline")
  func outages() {
    let observer = log().observer
    for _ in 0..<2 {
      // The worker and the stages report the outage with different texts.
      observer.ledger(StoreError(.unreachable, operation: "claim", detail: "db does not respond"))
      for words in ["db refuses connections", "db does not respond"] {
        var failure = failure("")
        failure.error = StoreError(.unreachable, operation: "adopt", detail: words)
        observer.failed(failure)
      }
      lines.time.withLock { $0 += 60 }
      for _ in 0..<2 { observer.ledger(nil) }
      lines.time.withLock { $0 -= 60 }
    }
    let outage = [
      "2023-11-14T22:13:20Z ledger: error: db does not respond (will be retried)",
      "2023-11-14T22:14:20Z ledger: working again after 3 failures since 2023-11-14T22:13:20Z",
    ]
    #expect(lines.new() == outage + outage)
    // A job whose result was saved shows that the ledger works; a poll of the repository does not.
    observer.ledger(StoreError(.busy, operation: "claim", detail: "locked"))
    observer.progress(ended(.watch, ""))
    #expect(lines.new().count == 1)
    var done = ended(.extract, "")
    done.job = 7
    observer.progress(done)
    #expect(lines.new() == ["2023-11-14T22:13:20Z ledger: working again after 1 failure since 2023-11-14T22:13:20Z"])
    // An error of a single statement is a failure of its stage.
    var failure = failure("")
    failure.error = StoreError(.database, operation: "adopt", detail: "constraint")
    observer.failed(failure)
    #expect(lines.new() == ["2023-11-14T22:13:20Z birds watch: error: constraint (will be retried)"])
  }

  @Test("after a reload, remaining faults are logged again")
  func rereading() {
    let log = log()
    for _ in 0..<2 { log.observer.failed(failure("no secret")) }
    log.note(.rereading)
    for _ in 0..<2 { log.observer.failed(failure("no secret")) }
    log.note(.reread(pipelines: 1))
    log.note(.reread(pipelines: 3))
    #expect(
      lines.new() == [
        "2023-11-14T22:13:20Z birds watch: error: no secret (will be retried)",
        "2023-11-14T22:13:20Z birds watch: error: no secret (will be retried)",
        "2023-11-14T22:13:20Z read again: 1 pipeline", "2023-11-14T22:13:20Z read again: 3 pipelines",
      ])
    log.observer.progress(ended(.watch, ""))
    #expect(
      lines.new() == ["2023-11-14T22:13:20Z birds watch: working again after 4 failures since 2023-11-14T22:13:20Z"])
  }

  @Test(
    "decisions are logged with their author, every failed request is logged, and repeated webhook failures are logged once"
  )
  func server() {
    let log = log()
    let ann = Actor(name: "ann\u{1B}", way: .dashboard)
    log.note(
      AuditAction(actor: ann, action: "pipeline pause", pipeline: "birds", subject: "birds", detail: "a\nholiday"))
    log.note(AuditAction(actor: Actor(name: "ci", way: .api), action: "token add", pipeline: nil, subject: "x"))
    for _ in 0..<2 { log.noteWebhook(of: "birds", Fault(description: "/etc/hook: no such file")) }
    log.noteWebhook(of: "birds", vendor: "weblate", nil)
    for _ in 0..<2 { log.noteWebhook(of: "birds", nil) }
    for _ in 0..<2 { log.noteRequest("GET /api/v1/rounds", Fault(description: "broken")) }
    for _ in 0..<2 {
      log.noteRequest("GET /api/v1/rounds", StoreError(.unreachable, operation: "read", detail: "db does not respond"))
    }
    #expect(
      lines.new() == [
        "2023-11-14T22:13:20Z birds: pipeline pause (a\\nholiday) by ann\\u{1B} (dashboard)",
        "2023-11-14T22:13:20Z token add x by ci (api)",
        "2023-11-14T22:13:20Z birds webhook: error: /etc/hook: no such file",
        "2023-11-14T22:13:20Z birds webhook: working again after 2 failures since 2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20Z error: GET /api/v1/rounds: broken",
        "2023-11-14T22:13:20Z error: GET /api/v1/rounds: broken",
        "2023-11-14T22:13:20Z ledger: error: db does not respond (will be retried)",
      ])
  }

  @Test("a finding is logged once")
  func findings() {
    let observer = log().observer
    let one = Diagnostic(path: "a.strings", line: 3, severity: .error, message: "broken")
    for _ in 0..<3 {
      observer.found("birds", [one, Diagnostic(path: "b", severity: .note, message: "a note")])
    }
    #expect(lines.new() == ["2023-11-14T22:13:20Z birds: a.strings:3: error: broken"])
  }

  @Test("a run keeps each failure and finding once, up to a limit, and counts the rest")
  func journal() {
    let journal = RunJournal(passingOnTo: WorkerObserver())
    for number in 0..<(RunJournal.limit + 5) {
      for _ in 0..<2 {
        journal.observer.failed(failure("\(number)"))
        journal.observer.found("birds", [Diagnostic(path: "\(number)", severity: .error, message: "x")])
      }
    }
    #expect(journal.failures(of: "birds").count == RunJournal.limit)
    let found = journal.diagnostics(of: "birds")
    #expect(found.count == RunJournal.limit + 2)
    #expect(
      found.suffix(2).allSatisfy {
        $0.message == "10 more findings not listed"
          || $0.message == "10 more failures not listed"
      })
    #expect(journal.failures(of: "cats").isEmpty)
  }

  @Test("the stages that are running are listed until they end")
  func running() {
    let running = RunningStages()
    #expect(running.description == "no known stage")
    var event = ended(.extract, "x", branch: "main")
    event.state = .began
    running.note(event)
    #expect(running.description == "birds extract main")
    running.notePlanning(of: "birds", .began)
    #expect(running.description == "birds extract main, birds planning")
    running.notePlanning(of: "birds", .ended)
    event.state = .ended
    running.note(event)
    #expect(running.description == "no known stage")
  }

  @Test("in text logs, each finding and each hint has its own line, and other line breaks are escaped")
  func linesOfText() {
    let log = log(.text)
    let finding = Diagnostic(path: "a\nb.strings", line: 3, severity: .error, message: "broken", hint: "mend it")
    log.note(.faults(path: "birds.yaml", [finding, finding], keeps: nil))
    log.observer.found("birds", [finding])
    log.observer.failed(failure("no route\nto host"))
    let lines = "a\\nb.strings:3: error: broken\n  hint: mend it"
    #expect(
      self.lines.new() == [
        "2023-11-14T22:13:20Z birds.yaml is ignored\n\(lines)\n\(lines)",
        "2023-11-14T22:13:20Z birds: \(lines)",
        "2023-11-14T22:13:20Z birds watch: error: no route\\nto host (will be retried)",
      ])
  }

  @Test("in JSON logs, each event is one line with its pipeline, stage and location")
  func json() throws {
    let log = log(.json)
    var failure = failure("no route\nto host")
    failure.job = 7
    log.observer.failed(failure)
    var done = ended(.merge, "2 units", branch: "main")
    (done.job, done.round) = (8, "4")
    log.observer.progress(done)
    let finding = Diagnostic(
      path: "App/a.strings", line: 3, column: 5, severity: .error, message: "broken", hint: "mend it")
    log.observer.found("birds", [finding])
    log.note(.faults(path: "birds.yaml", [finding], keeps: "birds"))
    log.note(.info, "Serving.")
    let lines = lines.new()
    #expect(!lines.contains { $0.contains("\n") })
    let records = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(records.allSatisfy { $0["time"] as? String == "2023-11-14T22:13:20Z" })
    #expect(records.map { $0["level"] as? String } == ["error", "info", "error", "error", "info"])
    #expect(records[0]["message"] as? String == "no route\nto host (will be retried)")
    #expect(records[0]["stage"] as? String == "watch" && records[0]["job"] as? Int == 7)
    #expect(records[1]["branch"] as? String == "main" && records[1]["round"] as? String == "4")
    #expect(records[1]["job"] as? Int == 8 && records[1]["pipeline"] as? String == "birds")
    #expect(records[2]["path"] as? String == "App/a.strings" && records[2]["line"] as? Int == 3)
    #expect(records[3]["path"] as? String == "birds.yaml" && (records[3]["findings"] as? [String])?.count == 1)
    #expect(Set(records[4].keys) == ["level", "message", "time"])
  }

  @Test("a finding about the whole pipeline contains the pipeline's name once")
  func wholePipeline() {
    log().observer.found("birds", [Diagnostic(path: "birds", severity: .warning, message: "no event")])
    #expect(lines.new() == ["2023-11-14T22:13:20Z birds: warning: no event"])
  }
}
