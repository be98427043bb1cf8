import Daemon
import Foundation
import Localization
import Pipeline

/// Stages as they begin and end: lines of JSON for a harness, words for people.
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
        // One write a line, so that lines of several tasks never mix.
        console.line(String(decoding: data, as: UTF8.self))
      })
    case .text:
      return WorkerObserver(progress: { event in
        guard event.state == .ended else { return }
        let about = [event.branch, event.scope].compactMap(\.self).first
        let outcome = event.outcome == JobState.Name.succeeded.rawValue ? nil : event.outcome
        let stage = event.stage.rawValue
        // The run's end says why something failed, once.
        let detail = event.outcome == JobState.Name.failed.rawValue ? nil : event.detail
        console.say(
          "  \(stage)\(String(repeating: " ", count: max(1, 9 - stage.count)))"
            + [about, outcome, detail].compactMap(\.self).joined(separator: ": "))
      })
    }
  }
}

/// A run's end for people: the books, the commits with what they change, what is held and what failed.
struct RunPresentation {
  let report: RunReport
  let console: Console
  /// Whether every held unit is named, and not the first few of each reason only.
  var showsAllHeld = false

  func show() {
    for pipeline in report.pipelines {
      for branch in pipeline.verdicts {
        console.result("\(pipeline.name) \(branch.branch): \(branch.verdict.line)".withVisibleControls)
      }
      if !pipeline.rounds.isEmpty {
        console.result(BooksTable(rounds: pipeline.rounds, held: pipeline.held).description)
      }
      for commit in pipeline.commits { console.result(Self.text(of: commit)) }
      showHeld(pipeline)
      if pipeline.rounds.isEmpty && pipeline.commits.isEmpty && pipeline.failures.isEmpty {
        console.result(
          message("%@: nothing to do.", pipeline.name, comment: "The end of a run: the name of a pipeline."))
      }
      if pipeline.outstanding > 0 {
        console.result(
          message(
            "%@: outstanding at the vendors: %lld.", pipeline.name, pipeline.outstanding,
            comment: "The end of a run: the name of a pipeline and a count of texts times languages."))
      }
      console.show(pipeline.diagnostics)
      // What is wrong in a file stands among the diagnostics.
      for failure in pipeline.failures where !(failure.error is InputFault) {
        console.failure("error: \(pipeline.name): \(failure)")
      }
    }
  }

  /// Held units, by reason, the first few of each.
  private func showHeld(_ pipeline: PipelineReport) {
    for (reason, units) in Dictionary(grouping: pipeline.held, by: { $0.reason?.sentence ?? "" }).sorted(by: {
      $0.key < $1.key
    }) {
      console.result(
        message("Held: %lld: %@", units.count, reason, comment: "A count of texts that are held, and the reason."))
      let shown = units.prefix(console.isVerbose || showsAllHeld ? units.count : 5)
      for unit in shown {
        console.result("  \(unit.language): \(unit.unit.catalog): \(unit.unit.key.text.debugDescription)")
      }
      if shown.count < units.count {
        console.result(
          message(
            "  and %lld more; --verbose names them", units.count - shown.count,
            comment: "The end of a list of texts that are held: how many are not listed."))
      }
    }
  }

  /// The commit as `git show --stat` shows it.
  static func text(of commit: DeliveredCommit) -> String {
    let width = commit.files.map(\.path.text.count).max() ?? 0
    let most = commit.files.map { $0.added + $0.removed }.max() ?? 0
    let digits = String(most).count
    let scale = most > 40 ? 40.0 / Double(most) : 1
    var lines = ["commit \(commit.id.short) → \(commit.target): \(commit.subject)"]
    for file in commit.files {
      let bar = { (count: Int, mark: String) in
        String(repeating: mark, count: count == 0 ? 0 : max(1, Int(Double(count) * scale)))
      }
      let count = String(file.added + file.removed)
      lines.append(
        " \(file.path.text)\(String(repeating: " ", count: width - file.path.text.count)) | "
          + String(repeating: " ", count: digits - count.count)
          + "\(count) \(bar(file.added, "+"))\(bar(file.removed, "-"))")
    }
    let added = commit.files.reduce(0) { $0 + $1.added }
    let removed = commit.files.reduce(0) { $0 + $1.removed }
    lines.append(" \(commit.files.count) file(s) changed, \(added) insertion(s)(+), \(removed) deletion(s)(-)")
    return lines.joined(separator: "\n")
  }
}

/// The books of rounds as a table.
struct BooksTable: CustomStringConvertible {
  let rounds: [Round]
  /// Units that came back and could not be delivered; they are counted as returned.
  let held: [HeldUnit]

  private struct Account: Hashable {
    var round: RoundID?
    var vendor: String
    var language: LocaleIdentifier
  }

  var description: String {
    // A unit that several branches hold is one.
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
        ["\(round.pipeline) #\(round.number)", book.vendor, book.language.rawValue]
          + [
            book.sent, book.returned, book.outstanding, book.withdrawn, book.superseded,
            counts[Account(round: round.id, vendor: book.vendor, language: book.language)] ?? 0,
          ].map(String.init)
      }
    }
    return TextTable(header: header, rows: rows, rightAligned: 3...8).description
  }
}
