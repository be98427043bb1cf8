import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

struct ExplainCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("explain", help)

  static let help = CommandHelp(
    message(
      "Show the history of a string: where it came from, who translated it, and where it was delivered.",
      comment: "Describes the command explain."),
    notes: [
      message(
        """
        The history comes from the ledger, so a string that no pipeline has sent is unknown. To see how a literal in \
        the code was resolved, use `dragoman extract`.
        """, comment: "Help for explain.")
    ],
    examples: [
      "dragoman explain \"Birds seen today\"",
      "dragoman explain feed.title --pipeline birds --language de --format json",
    ],
    exits: [
      .done, .usage, .unreadableStore,
      .init(
        .notFound,
        message("there is no store, or no such string in it", comment: "Help: when a command exits with 66.")),
      .busyStore,
    ])

  @Argument(help: .init(HelpText.explainKey, valueName: "key"))
  var key: String

  @Option(help: .init(HelpText.explainPipeline, valueName: "name"))
  var pipeline: String?

  @Option(
    name: .customLong("language"), help: .init(HelpText.explainLanguages, valueName: "language"),
    transform: LocaleIdentifier.parse)
  var languages: [LocaleIdentifier] = []

  @OptionGroup var store: StoreOption

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let histories = try await store.desk().histories(of: key, in: pipeline, languages: Set(languages))
    switch format {
    case .json: output.console.raw(try stableJSON(histories))
    case .text: output.console.text(histories.map { HistoryText($0).text }.joined(separator: "\n\n"))
    }
  }
}
