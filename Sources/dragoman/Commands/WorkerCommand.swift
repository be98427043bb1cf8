import ArgumentParser
import Daemon
import DaemonServer
import Foundation
import Localization

struct WorkerCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("worker", help)

  static let help = CommandHelp(
    message("Join the workers that run the pipelines of a database.", comment: "Describes the command worker."),
    notes: [
      message(
        """
        The pipeline files come from the database, where `dragoman pipelines apply` stores them. The workers share the \
        pipelines. Each pipeline is run by one worker at a time, and its mirror is in the folder of that worker. If a worker \
        dies, the others take over its pipelines when its lease ends. Each worker reads secrets from its own environment and \
        files.
        """, comment: "Help for worker; keep `dragoman pipelines apply`.")
    ],
    examples: [
      "dragoman worker --store 'postgresql://dragoman@db.example.com/dragoman?password=env:PW'",
      "dragoman worker --store postgresql:///dragoman --folder /var/lib/dragoman",
      "dragoman worker --store postgresql:///dragoman --listen 127.0.0.1:8080 --behind-proxy l10n.example.com",
    ],
    exits: [
      .init(.done, message("stopped", comment: "Help: when a command exits with 0.")),
      .usage,
      .unreadableStore,
      .init(
        .unavailable,
        message(
          "the database cannot be reached, or another worker uses the folder",
          comment: "Help: when a command exits with 69.")),
      .notWritten,
      .needsPerson,
    ])

  @Option(help: .init(HelpText.database, valueName: "url"))
  var store: String

  @Option(help: .init(HelpText.workerFolder, valueName: "folder"), completion: .directory)
  var folder: String?

  @OptionGroup var server: ListenOptions

  @Option(help: .init(HelpText.progress))
  var progress: RunOptions.Progress?

  @OptionGroup var log: LogOptions
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let location = try StoreLocation(store, folder: folder)
    try requireDatabase(location)
    let (access, address) = (try server.access(), try server.address())
    let session = try PipelineSession(
      .ledger, at: location, progress: RunOptions.style(progress, console), isOnce: false,
      logFormat: log.logFormat, console: console)
    try await session.serve(listeningAt: address, access: access)
  }
}

/// Refuses a local store.
func requireDatabase(_ location: StoreLocation) throws {
  guard location.isLocal else { return }
  throw CommandFailure(
    .usage,
    message(
      "%@ is a local store. Give the URL of a PostgreSQL database with --store", location.folder,
      comment: "An error: a path."))
}
