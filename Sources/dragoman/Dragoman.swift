import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization

/// The version of the program, as `--version` prints it.
let dragomanVersion = "0.1.0"

@main
struct Dragoman: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dragoman",
    abstract: HelpText.dragomanAbstract,
    version: dragomanVersion,
    subcommands: [
      ExtractCommand.self, SyncCommand.self, DiffCommand.self, ExportCommand.self, ImportCommand.self,
      StatusCommand.self, CompileCommand.self, ReprintCommand.self, MergeDriverCommand.self, ConvertCommand.self,
      RunCommand.self,
      ServeCommand.self,
      PipelinesCommand.self, VendorsCommand.self,
      RoundsCommand.self, DemoCommand.self,
    ])

  /// Commands of cli.md that a later version adds. Calling one prints a message that it is not built yet.
  private static let notBuilt: Set<String> = [
    "check", "worker", "explain",
  ]

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    GitNetworkChild.runIfRequested(arguments: CommandLine.arguments)
    let console = Console(isQuiet: false, isVerbose: false)
    if let name = CommandLine.arguments.dropFirst().first, notBuilt.contains(name) {
      console.failure(
        message(
          "error: dragoman %@ is not built yet; this is version %@.", name, dragomanVersion,
          comment: "An error: the name of a command and the version of the program."))
      Foundation.exit(ExitStatus.usage.rawValue)
    }
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Foundation.exit(report(error, to: console))
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
      let text = fullMessage(for: error)
      if code == 0 {
        console.raw(text + "\n")
      } else {
        console.failure(text)
      }
      return code == EXIT_FAILURE ? ExitStatus.ourFault.rawValue : code
    }
  }
}
