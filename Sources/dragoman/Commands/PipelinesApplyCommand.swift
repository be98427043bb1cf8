import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

struct PipelinesApplyCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("apply", help)

  static let help = CommandHelp(
    message(
      "Store the pipeline files of a folder in a database, for its workers.",
      comment: "Describes the command pipelines apply."),
    notes: [
      message(
        """
        All files are checked first, together with those of other pipelines in the database. Nothing is stored if a file has \
        a fault. Workers apply a change within seconds.
        """, comment: "Help for pipelines apply.")
    ],
    examples: [
      "dragoman pipelines apply pipelines --store postgresql:///dragoman",
      "dragoman pipelines apply /etc/dragoman --prune --store postgresql:///dragoman",
    ],
    exits: [
      .init(.done, message("all files are stored", comment: "Help: when a command exits with 0.")),
      .usage,
      .faultyPipeline,
      .init(
        .notFound,
        message(
          "no such folder, or it has no pipeline file", comment: "Help: when a command exits with 66.")),
      .unreachable,
      .needsPerson,
    ])

  @Argument(help: .init(HelpText.pipelineFolder, valueName: "folder"), completion: .directory)
  var directory = "pipelines"

  @Flag(help: .init(HelpText.applyPrune))
  var prune = false

  @Flag(help: .init(HelpText.applyEmpty))
  var allowEmpty = false

  @Option(help: .init(HelpText.database, valueName: "url"))
  var store: String

  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    guard prune || !allowEmpty else {
      throw CommandFailure(
        .usage,
        message("--allow-empty has no effect without --prune.", comment: "Refusal of options of pipelines apply."))
    }
    let location = try StoreLocation(store)
    try requireDatabase(location)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandFailure(.notFound, message("%@: no such folder", directory, comment: "An error: a path."))
    }
    let (applied, created) = try await PipelineUpload(store: location).apply(
      directory, prunes: prune, allowsNone: allowEmpty)
    let console = output.console
    if let created {
      console.say(
        message("Created a new ledger in %@.", created, comment: "Shown by pipelines apply: the address of a database.")
      )
    }
    for name in applied.added { console.result("added\t\(name)") }
    for name in applied.changed { console.result("changed\t\(name)") }
    for name in applied.removed { console.result("removed\t\(name)") }
    let count = applied.added.count + applied.changed.count + applied.unchanged.count
    console.say(
      counted(
        count, one: message("1 pipeline stored.", comment: "The last line of pipelines apply."),
        other: message("%lld pipelines stored.", count, comment: "The last line of pipelines apply.")))
  }
}
