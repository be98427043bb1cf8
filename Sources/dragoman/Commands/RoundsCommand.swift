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
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    @Option(help: .init(HelpText.roundsFormat))
    var format = OutputFormat.text

    func run() async throws {
      let rounds = try await store.desk().list()
      switch format {
      case .json: output.console.raw(try stableJSON(["rounds": rounds]))
      case .text: output.console.result(BooksTable(rounds: rounds).description)
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @Argument(help: .init(HelpText.id)) var id: Int64
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let (round, held, units) = try await store.desk().show(RoundID(rawValue: id))
      let report = PipelineReport(name: round.pipeline, rounds: [round], held: held)
      RunPresentation(report: RunReport(pipelines: [report]), console: output.console).show()
      output.console.result(OriginsTable(units: units).description)
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @Argument(help: .init(HelpText.id)) var id: Int64
    @OptionGroup var store: StoreOption

    func run() async throws {
      try await store.desk().retry(RoundID(rawValue: id), now: Date())
    }
  }

  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @Argument(help: .init(HelpText.id)) var id: Int64
    @OptionGroup var store: StoreOption

    func run() async throws {
      try await store.desk().cancel(RoundID(rawValue: id))
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
