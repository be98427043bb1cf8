import ArgumentParser
import Daemon
import Foundation
import Pipeline

struct RoundsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rounds",
    abstract: HelpText.roundsAbstract,
    subcommands: [List.self, Show.self, Retry.self, Cancel.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsListAbstract,
      discussion: HelpText.roundsListExample)

    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    @Option(help: .init(HelpText.roundsFormat))
    var format = OutputFormat.text

    func run() async throws {
      let desk = try store.desk()
      let rounds = try await desk.list()
      switch format {
      case .json:
        output.console.raw(try stableJSON(Listing(rounds: rounds, problems: try await desk.problems())))
      case .text:
        if rounds.isEmpty {
          output.console.result(message("No rounds yet.", comment: "Said by rounds where nothing was sent."))
        } else {
          output.console.result(BooksTable(rounds: rounds, held: try await desk.held()).description)
        }
        // The books alone would look finished if a push was refused.
        for problem in try await desk.problems() { output.console.result(problem.description) }
      }
    }
  }

  private struct Listing: Encodable {
    var rounds: [Round]
    var problems: [PipelineProblem]
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsShowAbstract,
      discussion: HelpText.roundsShowExample)

    @Argument(help: .init(HelpText.id)) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let (round, held, units) = try await store.desk().show(store.desk().find(id))
      let report = PipelineReport(name: round.pipeline, rounds: [round], held: held)
      RunPresentation(report: RunReport(pipelines: [report]), console: output.console, showsAllHeld: true).show()
      output.console.result(OriginsTable(units: units).description)
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsRetryAbstract,
      discussion: HelpText.roundsRetryExample)

    @Argument(help: .init(HelpText.id)) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let (round, held) = try await desk.retry(desk.find(id))
      let withdrawn = round.isCancelled ? round.books.reduce(0) { $0 + $1.withdrawn } : 0
      output.console.result(
        message(
          "%@ #%lld: %@ will be reviewed again, and %@ will be sent again if still needed. A running daemon does this within seconds, else the next run does.",
          round.pipeline, round.number,
          counted(
            held, one: message("1 held unit", comment: "A count of texts times languages."),
            other: message("%lld held units", held, comment: "A count of texts times languages.")),
          counted(
            withdrawn, one: message("1 withdrawn unit", comment: "A count of texts times languages."),
            other: message("%lld withdrawn units", withdrawn, comment: "A count of texts times languages.")),
          comment: "What rounds retry did: a pipeline, the number of its round, two counts of texts times languages."))
    }
  }

  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsCancelAbstract,
      discussion: HelpText.roundsCancelExample)

    @Argument(help: .init(HelpText.id)) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let desk = try store.desk()
      let round = try await desk.cancel(desk.find(id))
      let outstanding = round.books.reduce(0) { $0 + $1.outstanding }
      output.console.result(
        outstanding == 0
          ? message(
            "%@ #%lld: nothing was outstanding.", round.pipeline, round.number,
            comment: "What rounds cancel did: a pipeline and the number of its round.")
          : message(
            "%@ #%lld: withdrew %@. A running daemon tells the vendors within seconds, else the next run does.",
            round.pipeline, round.number,
            counted(
              outstanding, one: message("1 outstanding unit", comment: "A count of texts times languages."),
              other: message(
                "%lld outstanding units", outstanding, comment: "A count of texts times languages.")),
            comment: "What rounds cancel did: a pipeline, the number of its round, a count of texts times languages."))
    }
  }
}

/// `--store` for commands that only read the store.
struct StoreOption: ParsableArguments {
  @Option(
    help: .init(HelpText.store))
  var store: String?

  func desk() throws -> RoundAdministration {
    let location = try store.map { try StoreLocation($0) } ?? .standard
    guard FileManager.default.fileExists(atPath: location.folder) else {
      throw CommandFailure(
        .notFound,
        message(
          "no store at %@. Check --store, or start dragoman run or serve first", location.folder,
          comment: "An error: a path."))
    }
    return RoundAdministration(store: location)
  }
}
