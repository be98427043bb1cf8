import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import SwiftParsing

/// The version of the program, as `--version` prints it.
let dragomanVersion = "0.2.0"

@main
struct Dragoman: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "dragoman", help, version: dragomanVersion,
    subcommands: [
      InitCommand.self, AddLanguageCommand.self,
      ExtractCommand.self, SyncCommand.self, DiffCommand.self, ExportCommand.self, ImportCommand.self,
      StatusCommand.self, CheckCommand.self, CompileCommand.self, ConvertCommand.self, ReprintCommand.self,
      MergeDriverCommand.self,
      MemoryCommand.self,
      RunCommand.self, ServeCommand.self, WorkerCommand.self, PipelinesCommand.self, VendorsCommand.self,
      ReconcileCommand.self, RoundsCommand.self, HeldCommand.self, ExplainCommand.self, HistoryCommand.self,
      AuditCommand.self, TokensCommand.self, StoreCommand.self, DoctorCommand.self, DemoCommand.self,
    ])

  static let help = CommandHelp(
    message(
      "Continuous localization for Swift and Xcode projects, on Linux and without Xcode.",
      comment: "Describes the program."),
    notes: [
      message(
        """
        Most commands work on a directory or a git revision, by hand or in CI. run and serve do all of this continuously, as \
        configured in pipeline files.
        """, comment: "Help for the program.")
    ],
    examples: ["dragoman extract ~/Birds", "dragoman status --require 95", "dragoman run pipelines/birds.yaml --once"],
    exits: [])

  static func main() async {
    Allocation.limitHeaps()
    signal(SIGPIPE, SIG_IGN)
    GitNetworkChild.runIfRequested(arguments: CommandLine.arguments)
    let console = Console(isQuiet: false, isVerbose: false)
    do {
      try refuseUnknownCommand(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      end(ExitStatus.done.rawValue, console)
    } catch {
      end(report(error, to: console), console)
    }
  }

  /// Ends the process. If results could not be written, the command has failed, regardless of its findings.
  private static func end(_ status: Int32, _ console: Console) -> Never {
    guard let reason = Console.outputFault else { Foundation.exit(status) }
    console.failure(
      "error: " + message("cannot write to standard output: %@", reason, comment: "An error: the reason."))
    Foundation.exit(
      status == ExitStatus.done.rawValue || status == ExitStatus.finding.rawValue ? ExitStatus.disk.rawValue : status)
  }

  /// Refuses an unknown command. ArgumentParser would report it as an unexpected argument (of the default command, if there is one).
  private static func refuseUnknownCommand(_ arguments: ArraySlice<String>) throws {
    var command: any ParsableCommand.Type = Self.self
    for name in arguments {
      let known = command.configuration.subcommands.map { ($0.configuration.commandName ?? "", $0) }
      guard !known.isEmpty, !name.hasPrefix("-"), name != "help" else { return }
      guard let next = known.first(where: { $0.0 == name })?.1 else {
        throw CommandFailure.unknown(
          name, among: known.map(\.0),
          message("no command %@", name, comment: "An error: what was given in place of a command."),
          .usage)
      }
      command = next
    }
  }

  /// Prints the error and returns the exit code that cli.md defines for it.
  private static func report(_ error: any Error, to console: Console) -> Int32 {
    switch error {
    case let exit as ExitCode: return exit.rawValue
    case let fault as InputFault:
      console.show(fault.diagnostics)
      return ExitStatus.unreadableInput.rawValue
    case let error as any ExitStatusProviding:
      console.failure("error: \(error)")
      return error.exitStatus.rawValue
    case let error as any DisposableError:
      console.failure("error: \(error)")
      return ExitStatus(of: error).rawValue
    default:
      let code = exitCode(for: error).rawValue
      let text = HelpLayout.wrappingUsage(in: fullMessage(for: error, columns: HelpLayout.columns))
      if code == 0 {
        console.raw(text + "\n")
      } else {
        console.failureText(text)
      }
      return code == EXIT_FAILURE ? ExitStatus.ourFault.rawValue : code
    }
  }
}
