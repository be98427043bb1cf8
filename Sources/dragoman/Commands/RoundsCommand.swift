import ArgumentParser
import Daemon
import Foundation
import Pipeline
import ReadModel
import SQLiteStore
import TranslationVendors

struct RoundsCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "rounds", help, subcommands: [List.self, Show.self, Retry.self, Cancel.self], defaultSubcommand: List.self)

  static let help = CommandHelp(
    message(
      "Show the rounds of translation and their failures; retry or cancel a round.",
      comment: "Describes the command rounds."),
    notes: [
      message(
        """
        A round consists of the strings that are sent together. It ends when each of them has come back or has been given up. \
        Without a subcommand, the rounds are listed.
        """, comment: "Help for rounds.")
    ],
    examples: [
      "dragoman rounds",
      "dragoman rounds show birds#3",
    ],
    exits: [
      .done,
      .usage,
      .unreadableStore,
      .noStore,
      .busyStore,
    ])

  struct List: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("list", help)

    static let help = CommandHelp(
      message(
        "List the rounds with their counts of sent, returned, withdrawn and superseded units, and the stages that failed.",
        comment: "Describes the command rounds list."),
      examples: [
        "dragoman rounds list",
        "dragoman rounds list --store sqlite:/var/lib/dragoman --format json",
      ],
      exits: [
        .done,
        .usage,
        .unreadableStore,
        .noStore,
        .busyStore,
      ])

    @OptionGroup var store: StoreOption

    @Option(help: .init(HelpText.format))
    var format = OutputFormat.text

    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let rounds = try await desk.list()
      switch format {
      case .json:
        output.console.raw(
          try stableJSON(
            Listing(
              rounds: rounds, problems: try await desk.problems(), spent: try desk.spending(of: rounds))))
      case .text:
        if rounds.isEmpty {
          output.console.result(message("No rounds yet.", comment: "Shown by rounds if nothing was sent."))
        } else {
          output.console.text(BooksTable(rounds: rounds, held: try await desk.held()).description)
          SpendingTable.show(try desk.spending(of: rounds), output.console)
        }
        // A round whose push was refused would look finished if only its counts were shown.
        for problem in try await desk.problems() { output.console.text(problem.description) }
      }
    }
  }

  private struct Listing: Encodable {
    var rounds: [Round]
    var problems: [PipelineProblem]
    var spent: [RoundSpending]
  }

  private struct Details: Encodable {
    var round: Round
    var held: [HeldUnit]
    var commits: [RoundOrigin]
    var spent: [RoundSpending]
  }

  struct Show: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("show", help)

    static let help = CommandHelp(
      message(
        "Show a round with its counts, the commits that added its strings, and the held units with their reasons.",
        comment: "Describes the command rounds show."),
      examples: [
        "dragoman rounds show birds#3",
        "dragoman rounds show birds#3 --format json",
      ],
      exits: [
        .done,
        .usage,
        .unreadableStore,
        .noRound,
        .busyStore,
      ])

    @Argument(help: .init(HelpText.round, valueName: "round")) var id: String
    @OptionGroup var store: StoreOption

    @Option(help: .init(HelpText.format))
    var format = OutputFormat.text

    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let (round, held, units) = try await desk.show(desk.find(id))
      let spent = try desk.spending(of: [round])
      switch format {
      case .json:
        output.console.raw(
          try stableJSON(Details(round: round, held: held, commits: RoundOrigin.all(of: units), spent: spent)))
      case .text:
        let report = PipelineReport(name: round.pipeline, rounds: [round], held: held)
        RunPresentation(report: RunReport(pipelines: [report]), console: output.console, showsAllHeld: true).show()
        SpendingTable.show(spent, output.console)
        output.console.text(OriginsTable(origins: RoundOrigin.all(of: units)).description)
      }
    }
  }

  struct Retry: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("retry", help)

    static let help = CommandHelp(
      message(
        "Review the held units of a round again, and resend units that were withdrawn when the round was cancelled.",
        comment: "Describes the command rounds retry."),
      notes: [
        message(
          "A daemon that uses the store does this within seconds; otherwise, the next run does.",
          comment: "Help for rounds retry.")
      ],
      examples: [
        "dragoman rounds retry birds#3"
      ],
      exits: [
        .done,
        .usage,
        .unreadableStore,
        .noRound,
        .busyStore,
        .unwrittenStore,
      ])

    @Argument(help: .init(HelpText.round, valueName: "round")) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let (round, held) = try await desk.retry(desk.find(id))
      let withdrawn = round.isCancelled ? round.books.reduce(0) { $0 + $1.withdrawn } : 0
      output.console.result(
        message(
          "%@#%lld: %@ will be reviewed again, and %@ will be sent again if still needed. A running daemon does this within seconds; otherwise, the next run does.",
          round.pipeline, round.number,
          counted(
            held, one: message("1 held unit", comment: "A count of texts times languages."),
            other: message("%lld held units", held, comment: "A count of texts times languages.")),
          counted(
            withdrawn, one: message("1 withdrawn unit", comment: "A count of texts times languages."),
            other: message("%lld withdrawn units", withdrawn, comment: "A count of texts times languages.")),
          comment:
            "The result of rounds retry: a pipeline, the number of its round, two counts of texts times languages."))
    }
  }

  struct Cancel: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("cancel", help)

    static let help = CommandHelp(
      message(
        "Cancel a round: withdraw its outstanding units.", comment: "Describes the command rounds cancel."),
      notes: [
        message(
          """
          The units are withdrawn in the ledger at once, and they are not sent again until `rounds retry` sends them. \
          A daemon that uses the store lists them in drop folders within seconds (`<bundle>.withdrawn.txt`); otherwise, the \
          next run does. Platforms still show the strings that are on a branch: ask their translators not to translate them.
          """, comment: "Help for rounds cancel.")
      ],
      examples: [
        "dragoman rounds cancel birds#3"
      ],
      exits: [
        .done,
        .usage,
        .unreadableStore,
        .noRound,
        .busyStore,
        .unwrittenStore,
      ])

    @Argument(help: .init(HelpText.round, valueName: "round")) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let round = try await desk.cancel(desk.find(id))
      let outstanding = round.books.reduce(0) { $0 + $1.outstanding }
      output.console.result(
        outstanding == 0
          ? message(
            "%@#%lld: nothing was outstanding.", round.pipeline, round.number,
            comment: "The result of rounds cancel: a pipeline and the number of its round.")
          : message(
            "%1$@#%2$lld: withdrew %3$@. A running daemon lists the withdrawn units in drop folders within seconds; otherwise, the next run does. Platforms still show the strings that are on a branch: ask their translators not to translate them. `dragoman rounds retry %1$@#%2$lld` sends the withdrawn units again.",
            round.pipeline, round.number,
            counted(
              outstanding, one: message("1 outstanding unit", comment: "A count of texts times languages."),
              other: message(
                "%lld outstanding units", outstanding, comment: "A count of texts times languages.")),
            comment:
              "The result of rounds cancel: a pipeline, the number of its round, a count of texts times languages."))
    }
  }
}

/// The option `--store` of commands that do not run pipelines.
struct StoreOption: ParsableArguments {
  @Option(
    help: .init(HelpText.store, valueName: "store"))
  var store: String?

  /// Returns access to the rounds and pipelines of the store.
  /// - Parameter orNew: whether a store that does not exist yet is created.
  func desk(orNew: Bool = false) throws -> RoundAdministration {
    guard orNew else { return RoundAdministration(store: try location()) }
    let location = try store.map { try StoreLocation($0) } ?? .standard
    try RoundAdministration.create(location)
    return RoundAdministration(store: location)
  }

  /// Returns the location of the store.
  /// - Throws: an error if the option is not valid, or if a store in a folder does not exist yet or is a broken link. A database is not checked.
  func location() throws -> StoreLocation {
    let location = try store.map { try StoreLocation($0) } ?? .standard
    if location.isLocal, let fault = LedgerPresence.brokenLink(in: location.folder) {
      throw CommandFailure(.notFound, fault)
    }
    guard !location.isLocal || FileManager.default.fileExists(atPath: location.folder) else {
      throw CommandFailure(
        .notFound,
        message(
          "no store at %@. Check --store, or start dragoman run or serve first", location.folder,
          comment: "An error: a path."))
    }
    return location
  }
}
