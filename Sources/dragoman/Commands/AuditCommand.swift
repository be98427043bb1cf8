import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import ReadModel

struct AuditCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("audit", help)

  static let help = CommandHelp(
    message(
      "Show the decisions about rounds, held units, pipelines and tokens, and who made them.",
      comment: "Describes the command audit."),
    notes: [
      message(
        """
        The newest decision comes first. Each entry names the token or the account that acted, and says whether it used the command line or the API.
        """, comment: "Help for audit.")
    ],
    examples: ["dragoman audit", "dragoman audit --pipeline birds --format json"],
    exits: [.done, .usage, .unreadableStore, .noStoreOrPipeline, .busyStore])

  @Option(help: .init(HelpText.auditPipeline, valueName: "name"))
  var pipeline: String?
  @Option(help: .init(HelpText.auditLimit, valueName: "count")) var limit = 50
  @OptionGroup var store: StoreOption
  @Option(help: .init(HelpText.format)) var format = OutputFormat.text
  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    guard limit > 0 else {
      throw ValidationError(message("--limit must be at least 1.", comment: "Refusal of an option of audit."))
    }
  }

  func run() async throws {
    let model = try store.desk().model()
    let entries = try await model.audit(of: pipeline, before: nil, limit: limit)
    if entries.isEmpty, let pipeline { try await model.checkPipeline(pipeline) }
    switch format {
    case .json: output.console.raw(try stableJSON(entries))
    case .text:
      if entries.isEmpty {
        output.console.say(message("No decisions have been made yet.", comment: "Shown by audit if the log is empty."))
      }
      for entry in entries {
        let action = entry.action
        let outcome =
          entry.outcome.map { $0 == AuditEntry.done ? "" : ": \($0)" }
          ?? message(": outcome unknown", comment: "In the audit log: it is unknown how an action ended.")
        let detail = action.detail.map { " (\($0))" } ?? ""
        output.console.result(
          "\(entry.at.formatted(.iso8601))\t\(action.actor.name) (\(action.actor.way.rawValue))\t\(action.action) "
            .withVisibleControlsInLines + "\(action.subject)\(detail)\(outcome)".withVisibleControls)
      }
    }
  }
}
