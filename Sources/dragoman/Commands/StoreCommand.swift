import ArgumentParser
import Daemon
import Foundation
import Localization
import SQLiteStore

struct StoreCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "store", help, subcommands: [Backup.self, Check.self, Restore.self])

  static let help = CommandHelp(
    message("Back up, check or restore the ledger of a store.", comment: "What store does."),
    notes: [
      message(
        """
        The ledger is the only file of a store that cannot be made again. Cache and mirrors need no backup.
        """, comment: "Help of store.")
    ],
    examples: [
      "dragoman store backup /backup/ledger.sqlite",
      "dragoman store check --store sqlite:/var/lib/dragoman",
    ],
    exits: [.done, .usage, .unreadableStore, .noStore, .busyStore, .notWritten])

  struct Backup: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("backup", help)

    static let help = CommandHelp(
      message(
        "Copy the ledger to a new file, also while a daemon uses it.", comment: "What store backup does."),
      notes: [
        message(
          "The copy is checked and on disk before it gets its name. An existing file is never overwritten.",
          comment: "Help of store backup.")
      ],
      examples: [
        "dragoman store backup ledger-backup.sqlite",
        "dragoman store backup /backup/monday.sqlite --store sqlite:/var/lib/dragoman",
      ],
      exits: [.done, .usage, .unreadableStore, .noStore, .busyStore, .notWritten])

    @Argument(help: .init(HelpText.backupTarget, valueName: "file"), completion: .file())
    var file: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() throws {
      let contents = try LedgerCopies.back(up: store.location().folder, to: file)
      output.console.result(
        message("Backed up to %@: %@.", file, contents.text, comment: "What store backup did: a path, what it holds."))
    }
  }

  struct Check: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("check", help)

    static let help = CommandHelp(
      message(
        "Check every page of a ledger or of a backup, and that its books agree with its units.",
        comment: "What store check does."),
      examples: [
        "dragoman store check",
        "dragoman store check /backup/monday.sqlite",
      ],
      exits: [.done, .usage, .unreadableStore, .noStore, .busyStore, .notWritten])

    @Argument(help: .init(HelpText.backupToCheck, valueName: "file"), completion: .file())
    var file: String?
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func validate() throws {
      if file != nil, store.store != nil {
        throw ValidationError(
          message("Give either a file or --store.", comment: "Refusal of options of store check."))
      }
    }

    func run() throws {
      let contents: LedgerContents
      if let file {
        try requireFile(file)
        contents = try LedgerCopies.check(file: file)
      } else {
        contents = try LedgerCopies.check(ledgerOf: store.location().folder)
      }
      output.console.result(
        message("No fault found: %@.", contents.text, comment: "What store check found: what the ledger holds."))
    }
  }

  struct Restore: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("restore", help)

    static let help = CommandHelp(
      message(
        "Put a backup in place of the ledger. The former ledger is kept beside it.",
        comment: "What store restore does."),
      notes: [
        message(
          """
          The daemon must be stopped. A backup that is damaged or from a newer version is refused, and nothing is changed. \
          After a restore, move the bundles that came back since the backup from done/ to translated/ of their drop folder.
          """, comment: "Help of store restore.")
      ],
      examples: [
        "dragoman store restore /backup/monday.sqlite --store sqlite:/var/lib/dragoman"
      ],
      exits: [
        .done, .usage, .unreadableStore,
        .init(.notFound, message("no such file", comment: "Help: when a command exits with 66.")),
        .init(
          .unavailable,
          message("another dragoman uses the store", comment: "Help: when a command exits with 69.")),
        .notWritten,
      ])

    @Argument(help: .init(HelpText.backupToRestore, valueName: "file"), completion: .file())
    var file: String
    // A store that is gone is made again, so it need not exist.
    @Option(help: .init(HelpText.store, valueName: "store"))
    var store: String?
    @OptionGroup var output: ConsoleOptions

    func run() throws {
      try requireFile(file)
      let location = try store.map { try StoreLocation($0) } ?? .standard
      let suffix = Date().formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
      let (contents, former) = try LedgerCopies.restore(file, to: location.folder, suffix: suffix)
      output.console.result(
        message("Restored %@: %@.", file, contents.text, comment: "What store restore did: a path, what it holds."))
      if let former {
        output.console.say(
          message("The former ledger is now %@.", former, comment: "What store restore did: a path."))
      }
    }
  }
}

private func requireFile(_ path: String) throws {
  guard FileManager.default.fileExists(atPath: path) else {
    throw CommandFailure(.notFound, message("%@: no such file", path, comment: "An error: a path."))
  }
}

extension LedgerContents {
  fileprivate var text: String {
    [
      counted(
        pipelines, one: message("1 pipeline", comment: "A count in a ledger."),
        other: message("%lld pipelines", pipelines, comment: "A count in a ledger.")),
      counted(
        rounds, one: message("1 round", comment: "A count in a ledger."),
        other: message("%lld rounds", rounds, comment: "A count in a ledger.")),
      counted(
        outstanding, one: message("1 outstanding unit", comment: "A count of texts times languages."),
        other: message("%lld outstanding units", outstanding, comment: "A count of texts times languages.")),
      ByteCountFormatStyle(style: .file, locale: Locale(identifier: "en_US_POSIX")).format(size),
    ].joined(separator: ", ")
  }
}
