import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import ReadModel

/// The subcommands `pipelines pause`, `resume` and `look`.
extension PipelinesCommand {
  fileprivate static let exits: [CommandHelp.Exit] = [
    .done, .usage, .unreadableStore,
    .init(
      .notFound,
      message("there is no store yet, or no such pipeline in it", comment: "Help: when a command exits with 66.")),
    .busyStore,
    .init(.disk, message("the store could not be written", comment: "Help: when a command exits with 74.")),
  ]

  struct Pause: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("pause", help)

    static let help = CommandHelp(
      message(
        "Pause a pipeline until it is resumed, even across restarts.", comment: "Describes the command pipelines pause."
      ),
      notes: [
        message(
          """
          A paused pipeline reads nothing, sends nothing and delivers nothing. Stages that are running finish. `dragoman run` \
          refuses the pipeline. A daemon that uses the store pauses it within seconds.
          """, comment: "Help for pipelines pause.")
      ],
      examples: ["dragoman pipelines pause birds --reason \"the agency is on holiday\""], exits: PipelinesCommand.exits)

    @Argument(help: .init(HelpText.pipelineName, valueName: "name")) var name: String
    @Option(help: .init(HelpText.pauseReason)) var reason: String?
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      try await store.desk().decisions().pause(name, reason: reason)
      output.console.say(
        message(
          "%@ is paused.", name,
          comment: "The result of pipelines pause: a pipeline."))
    }
  }

  struct Resume: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("resume", help)

    static let help = CommandHelp(
      message("Resume a paused pipeline.", comment: "Describes the command pipelines resume."),
      examples: ["dragoman pipelines resume birds"], exits: PipelinesCommand.exits)

    @Argument(help: .init(HelpText.pipelineName, valueName: "name")) var name: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      try await store.desk().decisions().resume(name)
      output.console.say(message("%@ is resumed.", name, comment: "The result of pipelines resume: a pipeline."))
    }
  }

  struct Look: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("look", help)

    static let help = CommandHelp(
      message(
        "Make the daemon check a pipeline's repository within seconds, and retry failed jobs.",
        comment: "Describes the command pipelines look."),
      examples: ["dragoman pipelines look birds"],
      exits: PipelinesCommand.exits + [
        .init(.refused, message("the pipeline is paused", comment: "Help: when a command exits with 77."))
      ])

    @Argument(help: .init(HelpText.pipelineName, valueName: "name")) var name: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      try await store.desk().decisions().look(at: name)
      output.console.say(
        message(
          "A running daemon checks the repository of %@ within seconds.", name,
          comment: "The result of pipelines look: a pipeline."))
    }
  }
}
