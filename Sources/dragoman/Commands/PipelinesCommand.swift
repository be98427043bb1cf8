import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

struct PipelinesCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "pipelines", help,
    subcommands: [
      Check.self, List.self, PipelinesApplyCommand.self, Schema.self, Pause.self, Resume.self, Look.self,
    ])

  static let help = CommandHelp(
    message(
      "Check, list, upload or describe pipeline files; pause or resume pipelines, or poll them now.",
      comment: "Describes the command pipelines."),
    examples: [
      "dragoman pipelines check",
      "dragoman pipelines list /etc/dragoman",
    ],
    exits: [
      .done,
      .usage,
    ])

  struct Check: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("check", help)

    static let help = CommandHelp(
      message(
        "Report all faults of a pipeline file, or of all pipeline files in a folder, with their lines.",
        comment: "Describes the command pipelines check."),
      examples: [
        "dragoman pipelines check",
        "dragoman pipelines check /etc/dragoman",
        "dragoman pipelines check birds.yaml",
      ],
      exits: [
        .init(.done, message("every file can be used", comment: "Help: when a command exits with 0.")),
        .usage,
        .faultyPipeline,
        .noFolder,
      ])

    @Argument(help: .init(HelpText.pipelinePlace, valueName: "path"), completion: .file())
    var directory = "pipelines"

    @OptionGroup var output: ConsoleOptions

    func run() throws {
      let found = try readFolder(directory, orFile: true)
      output.console.say(
        counted(
          found.count, one: message("1 valid pipeline.", comment: "The last line of pipelines check."),
          other: message("%lld valid pipelines.", found.count, comment: "The last line of pipelines check.")))
    }
  }

  struct List: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("list", help)

    static let help = CommandHelp(
      message(
        "List the pipelines of a folder with their repositories, branches and vendors.",
        comment: "Describes the command pipelines list."),
      examples: [
        "dragoman pipelines list",
        "dragoman pipelines list /etc/dragoman",
      ],
      exits: [
        .done,
        .usage,
        .faultyPipeline,
        .noFolder,
      ])

    @Argument(help: .init(HelpText.pipelineFolder, valueName: "folder"), completion: .directory)
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

  struct Schema: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("schema", help)

    static let help = CommandHelp(
      message(
        "Print the JSON schema of pipeline files, for editors.", comment: "Describes the command pipelines schema."),
      examples: [
        "dragoman pipelines schema > pipeline.schema.json"
      ],
      exits: [
        .done,
        .usage,
      ])

    @OptionGroup var output: ConsoleOptions

    func run() throws { output.console.text(PipelineSchema.json) }
  }
}

/// Reads the pipelines of a folder, or of a single pipeline file if `takesFile` is `true`.
/// - Throws: every fault of every file; `CommandFailure` if nothing exists at the path, or if it is a file and `takesFile` is `false`.
private func readFolder(_ path: String, orFile takesFile: Bool = false) throws -> [(
  path: String, definition: PipelineDefinition
)] {
  var isFolder: ObjCBool = false
  let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
  if exists, !isFolder.boolValue, takesFile { return [(path, try PipelineFile.read(readFile(path), at: path))] }
  guard exists, isFolder.boolValue else {
    throw CommandFailure(
      .notFound,
      exists
        ? message("%@ is a file; give the folder of the pipeline files", path, comment: "An error: a path.")
        : message("%@: no such folder", path, comment: "An error: a path."))
  }
  return try PipelineFolder.read(path)
}
