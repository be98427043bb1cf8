import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import SQLiteStore

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
      let rounds = try await store.open().rounds(of: nil)
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
      let store = try store.open()
      let round = try await find(id, in: store)
      let held = try await store.heldUnits(of: round.pipeline)
      let report = PipelineReport(name: round.pipeline, rounds: [round], held: held)
      RunPresentation(report: RunReport(pipelines: [report]), console: output.console).show()
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @Argument(help: .init(HelpText.id)) var id: Int64
    @OptionGroup var store: StoreOption

    func run() async throws {
      let store = try store.open()
      try await store.retryRound(find(id, in: store).id)
    }
  }

  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.roundsAbstract,
      discussion: HelpText.roundsExample)

    @Argument(help: .init(HelpText.id)) var id: Int64
    @OptionGroup var store: StoreOption

    func run() async throws {
      let store = try store.open()
      try await store.cancelRound(find(id, in: store).id)
    }
  }
}

/// `--store` of the commands that only look into it.
struct StoreOption: ParsableArguments {
  @Option(
    help: .init(HelpText.store))
  var store: String?

  func open() throws -> SQLiteStore {
    let location = try store.map { try StoreLocation($0) } ?? .standard
    guard FileManager.default.fileExists(atPath: location.folder) else {
      throw CommandFailure(
        .notFound, message("open store %@: there is none yet", location.folder, comment: "An error: a path."))
    }
    return try SQLiteStore(folder: location.folder)
  }
}

private func find(_ id: Int64, in store: SQLiteStore) async throws -> Round {
  guard let round = try await store.rounds(of: nil).first(where: { $0.id.rawValue == id }) else {
    throw CommandFailure(.notFound, message("no round %lld", Int(id), comment: "An error: the id of a round."))
  }
  return round
}
