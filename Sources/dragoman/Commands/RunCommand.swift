import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline

/// `--store` and `--progress`, for the commands that run pipelines.
struct RunOptions: ParsableArguments {
  enum Progress: String, ExpressibleByArgument, CaseIterable { case text, json, none }

  @Option(
    help: .init(HelpText.store))
  var store: String?

  @Option(
    help: .init(HelpText.progress))
  var progress: Progress?

  func location() throws -> StoreLocation { try store.map { try StoreLocation($0) } ?? .standard }

  func style(_ console: Console) -> ProgressStyle {
    switch progress {
    case .json: .json
    case .text: .text
    case .none?: .none
    case nil: console.isQuiet ? .none : .text
    }
  }
}

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: HelpText.runAbstract,
    discussion: HelpText.runExample)

  @Argument(help: .init(HelpText.pipeline), completion: .file())
  var pipelines: [String]

  @Flag(
    help: .init(HelpText.once))
  var once = false

  @Option(help: .init(HelpText.runFormat))
  var format = OutputFormat.text

  @OptionGroup var options: RunOptions
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let source = PipelineSource.files(pipelines)
    try requireOne(of: source)
    let session = try PipelineSession(
      source, at: options.location(), progress: options.style(console), isOnce: once, console: console)
    guard once else { return try await session.serve() }
    try await session.runOnce(format: format)
  }
}

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: HelpText.serveAbstract,
    discussion: HelpText.serveExample)

  @Option(
    help: .init(HelpText.pipelines), completion: .directory)
  var pipelines = "pipelines"

  @OptionGroup var options: RunOptions
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let source = PipelineSource.folder(pipelines)
    try requireOne(of: source)
    let session = try PipelineSession(
      source, at: options.location(), progress: options.style(console), isOnce: false, console: console)
    try await session.serve()
  }
}

private func isFolder(_ path: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}

/// Fails if no pipeline file can be used, because nothing would run. One usable file of several is enough.
private func requireOne(of source: PipelineSource) throws {
  switch source {
  case .files(let paths):
    for path in paths where isFolder(path) {
      throw CommandFailure(
        .usage,
        message(
          "%@ is a folder. Give its pipeline files, or use dragoman serve --pipelines %@", path, path,
          comment: "An error: a path, twice."))
    }
    // A single path that does not exist has its own exit code.
    for path in paths where paths.count == 1 { _ = try readFile(path) }
  case .folder(let path):
    guard !isFolder(path) else { break }
    throw CommandFailure(
      .notFound,
      FileManager.default.fileExists(atPath: path)
        ? message(
          "%@ is a file. Give its folder, or use dragoman run %@", path, path, comment: "An error: a path, twice.")
        : message(
          "no folder %@. Create it and add a pipeline file, or choose another folder with --pipelines", path,
          comment: "An error: a path."))
  case .definitions: break
  }
  let readings = try source.readings()
  if readings.contains(where: { $0.definition != nil }) { return }
  let diagnostics = readings.flatMap(\.diagnostics)
  if !diagnostics.isEmpty { throw InputFault(diagnostics) }
}
