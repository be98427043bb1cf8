import ArgumentParser
import Daemon
import Foundation
import LedgerStore
import Localization

struct StoreMigrateCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("migrate-to", help)

  static let help = CommandHelp(
    message(
      "Move the ledger of a store into a PostgreSQL database.", comment: "Describes the command store migrate-to."),
    notes: [
      message(
        """
        The daemon must be stopped, and the database must have no ledger yet. Rounds may be open: workers continue where the \
        daemon stopped. The former ledger is kept in its folder, under another name. Give the first worker the same \
        folder, so it need not fetch the repositories again.
        """, comment: "Help for store migrate-to.")
    ],
    examples: [
      "dragoman store migrate-to postgresql:///dragoman --store sqlite:/var/lib/dragoman"
    ],
    exits: [
      .done, .usage, .unreadableStore, .noStore,
      .init(
        .unavailable,
        message(
          "a daemon uses the store, or the database cannot be reached", comment: "Help: when a command exits with 69.")),
      .notWritten, .needsPerson,
    ])

  @Argument(help: .init(HelpText.database, valueName: "url"))
  var database: String
  @Option(help: .init(HelpText.migrateSource, valueName: "store"))
  var store: String?
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let source = try store.map { try StoreLocation($0) } ?? .standard
    let target = try StoreLocation(database)
    try requireDatabase(target)
    guard source.isLocal else {
      throw CommandFailure(
        .usage,
        message("%@ is already in a database", "--store", comment: "An error: the name of an option."))
    }
    let (contents, former) = try await LedgerMove.move(source, to: target)
    output.console.result(
      message("Moved: %@.", contents.text, comment: "The result of store migrate-to: the contents."))
    output.console.say(
      message(
        "The former ledger is now %@.", former, comment: "The result of store restore and of store migrate-to: a path.")
    )
  }
}
