import Daemon
import Foundation
import Localization
import Pipeline

/// The form in which stages are reported while a run is in progress: lines of JSON for a program, text for people, or nothing.
enum ProgressStyle {
  case json, text, none

  func observer(_ console: Console) -> WorkerObserver {
    switch self {
    case .none:
      return WorkerObserver()
    case .json:
      return WorkerObserver(progress: { event in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(event) else { return }
        // Each line is written with one call, so lines of several tasks are not mixed.
        console.line(String(decoding: data, as: UTF8.self))
      })
    case .text:
      return WorkerObserver(progress: { event in
        guard event.state == .ended else { return }
        let about = [event.branch, event.scope].compactMap(\.self).first
        let outcome = event.outcome == JobState.Name.succeeded.rawValue ? nil : event.outcome
        let stage = event.stage.rawValue
        // The summary at the end of the run gives the reason for a failure.
        let detail = event.outcome == JobState.Name.failed.rawValue ? nil : event.detail
        console.say(
          "  \(stage)\(String(repeating: " ", count: max(1, 9 - stage.count)))"
            + [about, outcome, detail].compactMap(\.self).joined(separator: ": "))
      })
    }
  }
}

/// The readable summary of a run: the verdicts on branches, the counts of the rounds, the commits with their changes, held units and failures; for
/// a dry run, the work that a run would do. `rounds show` uses it for a single round.
struct RunPresentation {
  let report: RunReport
  let console: Console
  /// Whether every held unit is listed, instead of the first few for each reason.
  var showsAllHeld = false

  func show() {
    for pipeline in report.pipelines {
      if let dryRun = pipeline.dryRun {
        DryRunPresentation(pipeline: pipeline, dryRun: dryRun, console: console).show()
        showHeld(pipeline)
        showFaults(pipeline)
        continue
      }
      for branch in pipeline.verdicts {
        console.result("\(pipeline.name) \(branch.branch): \(branch.verdict.line)".withVisibleControls)
      }
      if !pipeline.rounds.isEmpty {
        console.text(BooksTable(rounds: pipeline.rounds, held: pipeline.held).description)
      }
      for commit in pipeline.commits { console.text(Self.text(of: commit)) }
      showHeld(pipeline)
      if pipeline.rounds.isEmpty && pipeline.commits.isEmpty && pipeline.failures.isEmpty {
        console.result(
          message("%@: nothing to do.", pipeline.name, comment: "The end of a run: the name of a pipeline."))
      }
      if pipeline.outstanding > 0 {
        console.result(
          counted(
            pipeline.outstanding,
            one: message(
              "%@: 1 unit outstanding at the vendors.", pipeline.name,
              comment: "The end of a run: the name of a pipeline."),
            other: message(
              "%@: %lld units outstanding at the vendors.", pipeline.name, pipeline.outstanding,
              comment: "The end of a run: the name of a pipeline and a count of texts times languages.")))
      }
      showFaults(pipeline)
    }
  }

  private func showFaults(_ pipeline: PipelineReport) {
    console.show(pipeline.diagnostics)
    // The diagnostics already contain the faults of files.
    for failure in pipeline.failures where !(failure.error is InputFault) && !Self.isMissingFile(failure.error) {
      console.failure("error: \(pipeline.name): \(failure)")
    }
  }

  private static func isMissingFile(_ error: any Error) -> Bool {
    guard let error = error as? PipelineError else { return false }
    return error.kind == .notFound && !error.diagnostics.isEmpty
  }

  /// Lists the held units by reason: the first five for each reason, or all if `showsAllHeld` or `--verbose` is set.
  private func showHeld(_ pipeline: PipelineReport) {
    for (reason, units) in Dictionary(grouping: pipeline.held, by: { $0.reason?.sentence ?? "" }).sorted(by: {
      $0.key < $1.key
    }) {
      console.result(
        message("%lld held: %@", units.count, reason, comment: "A count of texts that are held, and the reason."))
      let shown = units.prefix(console.isVerbose || showsAllHeld ? units.count : 5)
      for unit in shown {
        console.result("  \(unit.language): \(unit.unit.catalog): \(unit.unit.key.text.debugDescription)")
      }
      if shown.count < units.count {
        console.result(
          message(
            "  and %lld more; --verbose lists them", units.count - shown.count,
            comment: "The end of a list of texts that are held: how many are not listed."))
      }
    }
  }

  /// Returns the commit in the form of `git show --stat`.
  static func text(of commit: DeliveredCommit) -> String {
    let width = commit.files.map(\.path.text.withVisibleControls.count).max() ?? 0
    let most = commit.files.map { $0.added + $0.removed }.max() ?? 0
    let digits = String(most).count
    let scale = most > 40 ? 40.0 / Double(most) : 1
    var lines = ["commit \(commit.id.short) → \(commit.target): \(commit.subject)".withVisibleControls]
    for file in commit.files {
      let bar = { (count: Int, mark: String) in
        String(repeating: mark, count: count == 0 ? 0 : max(1, Int(Double(count) * scale)))
      }
      let count = String(file.added + file.removed)
      lines.append(
        " \(file.path.text.withVisibleControls)\(String(repeating: " ", count: width - file.path.text.withVisibleControls.count)) | "
          + String(repeating: " ", count: digits - count.count)
          + "\(count) \(bar(file.added, "+"))\(bar(file.removed, "-"))")
    }
    let added = commit.files.reduce(0) { $0 + $1.added }
    let removed = commit.files.reduce(0) { $0 + $1.removed }
    let counts = [(commit.files.count, "file", " changed"), (added, "insertion", "(+)"), (removed, "deletion", "(-)")]
    lines.append(" " + counts.map { counted($0, $1) + $2 }.joined(separator: ", "))
    return lines.joined(separator: "\n")
  }
}

/// The counts of rounds as a table.
struct BooksTable: CustomStringConvertible {
  let rounds: [Round]
  /// Returned units that could not be delivered. The counts include them as returned.
  let held: [HeldUnit]

  private struct Account: Hashable {
    var round: RoundID?
    var vendor: String
    var language: LocaleIdentifier
  }

  var description: String {
    // A unit that is held on several branches is counted only once.
    let counts = Dictionary(grouping: held) { Account(round: $0.round, vendor: $0.vendor, language: $0.language) }
      .mapValues { Set($0.map(\.unit)).count }
    let header = [
      message("round", comment: "Column of the books."), message("vendor", comment: "Column of the books."),
      message("language", comment: "Column of the books."), message("sent", comment: "Column of the books."),
      message("returned", comment: "Column of the books."), message("outstanding", comment: "Column of the books."),
      message("withdrawn", comment: "Column of the books."), message("superseded", comment: "Column of the books."),
      message("held", comment: "Column of the books: how many of those returned could not be delivered."),
    ]
    let rows = rounds.flatMap { round in
      round.books.map { book in
        ["\(round.pipeline)#\(round.number)", book.vendor, book.language.rawValue]
          + [
            book.sent, book.returned, book.outstanding, book.withdrawn, book.superseded,
            counts[Account(round: round.id, vendor: book.vendor, language: book.language)] ?? 0,
          ].map(String.init)
      }
    }
    return TextTable(header: header, rows: rows, rightAligned: 3...8).description
  }
}
