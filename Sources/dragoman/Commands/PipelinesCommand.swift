import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

struct PipelinesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipelines",
    abstract: HelpText.pipelinesAbstract,
    subcommands: [Check.self, List.self, Schema.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.pipelinesCheckAbstract,
      discussion: HelpText.pipelinesCheckExample)

    @Argument(help: .init(HelpText.directory), completion: .directory)
    var directory = "pipelines"

    @OptionGroup var output: ConsoleOptions

    func run() throws {
      let found = try readFolder(directory)
      output.console.say(
        counted(
          found.count, one: message("1 valid pipeline.", comment: "The last line of pipelines check."),
          other: message("%lld valid pipelines.", found.count, comment: "The last line of pipelines check.")))
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.pipelinesListAbstract,
      discussion: HelpText.pipelinesListExample)

    @Argument(help: .init(HelpText.directory), completion: .directory)
    var directory = "pipelines"

    @OptionGroup var output: ConsoleOptions

    func run() throws {
      for (path, definition) in try readFolder(directory) {
        let branches = definition.repository.branches.map(\.text).joined(separator: ", ")
        output.console.result(
          "\(definition.name)\t\(path)\t\(definition.repository.url)\t\(branches)\t"
            + definition.vendors.map(\.kind).joined(separator: ", "))
      }
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: HelpText.pipelinesSchemaAbstract,
      discussion: HelpText.pipelinesSchemaExample)

    func run() throws { Console(isQuiet: false, isVerbose: false).result(PipelineSchema.json) }
  }
}

/// Reads the pipelines of a folder.
/// - Throws: every fault of every file; `CommandFailure` if the folder does not exist.
private func readFolder(_ path: String) throws -> [(path: String, definition: PipelineDefinition)] {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
    throw CommandFailure(.notFound, message("%@: no such folder", path, comment: "An error: a path."))
  }
  return try PipelineFolder.read(path)
}
