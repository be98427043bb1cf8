import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

struct HistoryCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("history", help)

  static let help = CommandHelp(
    message(
      "List the changes for translators in each commit of the watched branches, newest first.",
      comment: "Describes the command history."),
    notes: [
      message(
        """
        Each commit is compared with its first parent, as if the catalogs of both were in step with the code. A daemon \
        records older commits in the background; a single run records the commits since the last run.
        """, comment: "Help for history.")
    ],
    examples: [
      "dragoman history",
      "dragoman history --pipeline birds --branch main --limit 1000 --format json",
    ],
    exits: [
      .done, .usage, .unreadableStore,
      .init(
        .notFound,
        message("there is no store, or no such branch in it", comment: "Help: when a command exits with 66.")),
      .busyStore,
    ])

  @Option(help: .init(HelpText.historyPipeline, valueName: "name"))
  var pipeline: String?

  @Option(help: .init(HelpText.historyBranch, valueName: "name"))
  var branch: String?

  @Option(help: .init(HelpText.historyLimit, valueName: "count"))
  var limit = 100

  @Flag(help: .init(HelpText.historyAll))
  var all = false

  @OptionGroup var store: StoreOption

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    guard (1...10_000).contains(limit) else {
      throw CommandFailure(
        .usage, message("--limit must be a number from 1 to 10000", comment: "An error: an option of history."))
    }
    let branches = try await store.desk().history(of: pipeline, branch: branch, limit: limit)
    switch format {
    case .json:
      output.console.raw(
        try stableJSON(
          branches.map { branch in
            var shown = branch
            shown.commits = self.shown(of: branch)
            return shown
          }))
    case .text: output.console.results(branches.flatMap(lines))
    }
  }

  private func shown(of branch: BranchHistory) -> [CommitRecord] {
    all ? branch.commits : branch.commits.filter { CommitLines(record: $0).isTelling }
  }

  private func lines(of branch: BranchHistory) -> [String] {
    let title = "\(branch.pipeline) \(branch.branch)".withVisibleControls
    let commits = shown(of: branch)
    let none = message("no commit with changes is recorded yet", comment: "Shown by history about a branch.")
    var lines = [commits.isEmpty ? title + ": " + none : title]
    if let newest = branch.recorded, newest != branch.head {
      lines.append(
        "  "
          + message(
            "the commits after %1$@, up to %2$@, are not recorded yet", newest.short, branch.head.short,
            comment: "Shown by history about a branch: its newest recorded commit, and its newest commit."))
    }
    return lines + commits.flatMap { CommitLines(record: $0).text.map { "  " + $0 } }
  }
}
