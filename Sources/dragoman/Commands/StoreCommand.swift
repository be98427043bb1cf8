import ArgumentParser
import Daemon
import Foundation
import LedgerStore
import Localization
import SQLiteStore

struct StoreCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "store", help, subcommands: [Backup.self, Check.self, Restore.self, Prune.self, StoreMigrateCommand.self])

  static let help = CommandHelp(
    message("Back up, check, restore, prune or move the ledger of a store.", comment: "Describes the command store."),
    notes: [
      message(
        """
        The ledger is the only file of a store that cannot be recreated. The cache and the mirrors need no backup. A ledger in \
        PostgreSQL is backed up with PostgreSQL's own tools, such as pg_dump.
        """, comment: "Help for store.")
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
        "Copy the ledger to a new file, even while a daemon uses it.", comment: "Describes the command store backup."),
      notes: [
        message(
          "The copy gets its name only after it is checked and written to disk. An existing file is never overwritten.",
          comment: "Help for store backup.")
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
      let location = try store.location()
      try refuseDatabase(location)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
        throw CommandFailure(
          .usage,
          message(
            "%@ is a folder. Give the name of a new file, such as %@/ledger-backup.sqlite", file, file,
            comment: "An error: a path, twice."))
      }
      let contents = try LedgerCopies.back(up: location.folder, to: file, endsOnSignal: true)
      output.console.result(
        message(
          "Backed up to %@: %@.", file, contents.text, comment: "The result of store backup: a path, and the contents.")
      )
    }
  }

  struct Check: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("check", help)

    static let help = CommandHelp(
      message(
        "Check every page of a ledger or backup, and check that its books agree with its units.",
        comment: "Describes the command store check."),
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

    func run() async throws {
      let contents: LedgerContents
      if let file {
        try requireFile(
          file,
          orFolder: message(
            "%@ is a folder. Give a backup file, or check the ledger of a store with --store %@", file, file,
            comment: "An error: a path, twice."))
        contents = try LedgerCopies.check(copy: file)
      } else {
        let location = try store.location()
        contents =
          location.isLocal
          ? try LedgerCopies.check(ledgerOf: location.folder) : try await LedgerMove.check(location)
      }
      output.console.result(
        message("No fault found: %@.", contents.text, comment: "The result of store check: the contents."))
    }
  }

  struct Restore: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("restore", help)

    static let help = CommandHelp(
      message(
        "Put a backup in place of the ledger. The former ledger is kept next to it.",
        comment: "Describes the command store restore."),
      notes: [
        message(
          """
          The daemon must be stopped. A backup that is damaged or from a newer version is refused, and nothing is changed. \
          After a restore, move the bundles that came back since the backup from done/ to translated/ of their drop folder.
          """, comment: "Help for store restore.")
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
    // This is not a `StoreOption`, because the store need not exist: a missing store is created.
    @Option(help: .init(HelpText.store, valueName: "store"))
    var store: String?
    @OptionGroup var output: ConsoleOptions

    func run() throws {
      try requireFile(
        file,
        orFolder: message(
          "%@ is a folder. Give the file that `dragoman store backup` wrote", file,
          comment: "An error: a path; keep `dragoman store backup`."))
      let location = try store.map { try StoreLocation($0) } ?? .standard
      try refuseDatabase(location)
      let suffix = Date().formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
      let (contents, former) = try LedgerCopies.restore(file, to: location.folder, suffix: suffix)
      output.console.result(
        message(
          "Restored %@: %@.", file, contents.text, comment: "The result of store restore: a path, and the contents."))
      if let former {
        output.console.say(
          message(
            "The former ledger is now %@.", former,
            comment: "The result of store restore and of store migrate-to: a path."))
      }
    }
  }
}

/// Refuses a database, because PostgreSQL has its own tools for copies.
private func refuseDatabase(_ location: StoreLocation) throws {
  guard !location.isLocal else { return }
  throw CommandFailure(
    .usage,
    message(
      "this command works only on a local store. Use pg_dump and pg_restore for a PostgreSQL database",
      comment: "An error; keep the names of the programs."))
}

extension StoreCommand {
  struct Prune: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("prune", help)

    static let help = CommandHelp(
      message(
        "Delete data that a store no longer needs, and free the disk space.",
        comment: "Describes the command store prune."),
      notes: [
        message(
          """
          Deletes former heads of branches, notices that ended, and ledgers that a restore put aside. Rounds, books, units and \
          deliveries are history and are kept. The daemon must be stopped, except for --dry-run. A running daemon deletes former heads \
          after a week and notices after two months by itself.
          """, comment: "Help for store prune.")
      ],
      examples: [
        "dragoman store prune --dry-run",
        "dragoman store prune --days 90 --store sqlite:/var/lib/dragoman",
      ],
      exits: [
        .done, .usage, .unreadableStore, .noStore,
        .init(
          .unavailable,
          message("another dragoman uses the store", comment: "Help: when a command exits with 69.")),
        .notWritten,
      ])

    @Option(help: .init(HelpText.pruneDays, valueName: "number"))
    var days = 30

    @Flag(help: .init(HelpText.dryRun))
    var dryRun = false

    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func validate() throws {
      guard (1...36_500).contains(days) else {
        throw ValidationError(
          message("--days needs a number from 1 to 36500.", comment: "Refusal of an option of store prune."))
      }
    }

    func run() throws {
      let location = try store.location()
      guard location.isLocal else {
        throw CommandFailure(
          .usage,
          message(
            "this command works only on a local store. The workers of a PostgreSQL database prune it by themselves",
            comment: "An error of store prune; keep the name of the program."))
      }
      let result = try LedgerPruning.prune(
        location.folder, olderThan: Date().addingTimeInterval(-Double(days) * 86_400), isDry: dryRun)
      let counts = [
        counted(
          result.formerHeads, one: message("1 former head", comment: "A count in a ledger."),
          other: message("%lld former heads", result.formerHeads, comment: "A count in a ledger.")),
        counted(
          result.endedNotices, one: message("1 ended notice", comment: "A count in a ledger."),
          other: message("%lld ended notices", result.endedNotices, comment: "A count in a ledger.")),
        counted(
          result.formerLedgers.count, one: message("1 former ledger", comment: "A count of files."),
          other: message("%lld former ledgers", result.formerLedgers.count, comment: "A count of files.")),
      ].joined(separator: ", ")
      let size = ByteCountFormatStyle(style: .file, locale: Locale(identifier: "en_US_POSIX"))
      output.console.result(
        dryRun
          ? message("Would delete %@.", counts, comment: "The result of store prune --dry-run: counts.")
          : message(
            "Deleted %1$@. The size of the ledger is now %2$@; it was %3$@.", counts, size.format(result.sizeAfter),
            size.format(result.sizeBefore), comment: "The result of store prune: counts, and the size after and before."
          ))
      for path in result.formerLedgers { output.console.detail(path) }
    }
  }
}

/// Refuses a path at which there is no file.
/// - Parameter folderFault: the message if the path is a folder.
private func requireFile(_ path: String, orFolder folderFault: String) throws {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
    throw CommandFailure(.notFound, message("%@: no such file", path, comment: "An error: a path."))
  }
  guard !isFolder.boolValue else { throw CommandFailure(.usage, folderFault) }
}

extension LedgerContents {
  var text: String {
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
