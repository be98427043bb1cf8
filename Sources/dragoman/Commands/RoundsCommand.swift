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
        // Books alone look finished where a push was refused.
        for problem in try await desk.problems() { output.console.result(problem.description) }
      }
    }
  }

  private struct Listing: Encodable {
    var rounds: [Round]
    var problems: [PipelineProblem]
  }

  private struct Details: Encodable {
    var round: Round
    var held: [HeldUnit]
    var commits: [RoundOrigin]
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsShowAbstract,
      discussion: HelpText.roundsShowExample)

    @Argument(help: .init(HelpText.id)) var id: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    @Option(help: .init(HelpText.roundsFormat))
    var format = OutputFormat.text

    func run() async throws {
      let (round, held, units) = try await store.desk().show(store.desk().find(id))
      switch format {
      case .json:
        output.console.raw(try stableJSON(Details(round: round, held: held, commits: RoundOrigin.all(of: units))))
      case .text:
        let report = PipelineReport(name: round.pipeline, rounds: [round], held: held)
        RunPresentation(report: RunReport(pipelines: [report]), console: output.console, showsAllHeld: true).show()
        output.console.result(OriginsTable(origins: RoundOrigin.all(of: units)).description)
      }
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
          "%@ #%lld: %lld held texts are reviewed again, and %lld withdrawn texts are sent again if they are still wanted: by a daemon within seconds, else by the next run.",
          round.pipeline, round.number, held, withdrawn,
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
            "%@ #%lld: withdrew %lld outstanding texts. A daemon tells the vendors within seconds, else the next run does.",
            round.pipeline, round.number,
            outstanding,
            comment: "What rounds cancel did: a pipeline, the number of its round, a count of texts times languages."))
    }
  }
}

/// `--store` of the commands that only look into it.
struct StoreOption: ParsableArguments {
  @Option(
    help: .init(HelpText.store))
  var store: String?

  func desk() throws -> RoundAdministration {
    let location = try store.map { try StoreLocation($0) } ?? .standard
    guard FileManager.default.fileExists(atPath: location.folder) else {
      throw CommandFailure(
        .notFound, message("open store %@: there is none yet", location.folder, comment: "An error: a path."))
    }
    return RoundAdministration(store: location)
  }
}
