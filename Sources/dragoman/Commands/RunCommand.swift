import ArgumentParser
import Daemon
import DaemonServer
import Foundation
import Localization
import Pipeline

/// The options `--store` and `--progress` of `run` and `serve`.
struct RunOptions: ParsableArguments {
  enum Progress: String, ExpressibleByArgument, CaseIterable { case text, json, none }

  @Option(
    help: .init(HelpText.store))
  var store: String?

  @Option(
    help: .init(HelpText.progress))
  var progress: Progress?

  func location() throws -> StoreLocation { try store.map { try StoreLocation($0) } ?? .standard }

  func style(_ console: Console) -> ProgressStyle { Self.style(progress, console) }

  static func style(_ progress: Progress?, _ console: Console) -> ProgressStyle {
    switch progress {
    case .json: .json
    case .text: .text
    case .none?: .none
    case nil: console.isQuiet ? .none : .text
    }
  }
}

/// The option `--log-format` of `run`, `serve` and `worker`.
struct LogOptions: ParsableArguments {
  @Option(help: .init(HelpText.logFormat, valueName: "format"))
  var logFormat = LogFormat.text
}

extension LogFormat: ExpressibleByArgument {}

/// The option `--listen` and the options for access to the server, of `serve` and `worker`.
struct ListenOptions: ParsableArguments {
  @Option(help: .init(HelpText.listen, valueName: "address"))
  var listen: String?

  @Option(name: .customLong("behind-proxy"), help: .init(HelpText.behindProxy, valueName: "host"))
  var proxies: [String] = []

  @Option(name: .customLong("proxy-user"), help: .init(HelpText.proxyUser, valueName: "header"))
  var userHeader: String?

  @Option(name: .customLong("proxy-role"), help: .init(HelpText.proxyRole, valueName: "role"))
  var userRole = Role.viewer

  /// Returns the public host names of the server, and how a proxy names its users.
  /// - Throws: `ServerFault` if the options are not valid.
  func access() throws -> ServerAccess {
    try ServerAccess(publicHosts: proxies, userHeader: userHeader, userRole: userRole)
  }

  /// Returns the address of the server; `nil` for no server.
  /// - Throws: `ServerFault` if the options are not valid.
  func address() throws -> ListenAddress? { try listen.map { try ListenAddress($0, isBehindProxy: !proxies.isEmpty) } }
}

struct RunCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("run", help)

  static let help = CommandHelp(
    message(
      "Run pipeline files through all stages, from the watched branches to the delivered translations.",
      comment: "Describes the command run."),
    notes: [
      message(
        """
        With --once, process the available work and exit; the next run continues from there. Without --once, run until \
        Ctrl-C. A pipeline file that cannot be used does not stop the others.
        """, comment: "Help for run."),
      message(
        """
        A run with --once that is stopped before its work is done exits with 130 (Ctrl-C) or 143 (SIGTERM). The running stages are \
        finished first.
        """, comment: "Help for run."),
      message(
        """
        With --dry-run, the stages run on a copy of the store. Repositories, vendors and forges are only read. The report \
        lists the units that would be sent, and the commits that would be pushed with the ids of their trees. If nothing \
        changes in between, the next run makes the same trees. It makes the same commits if both runs have the same \
        SOURCE_DATE_EPOCH.
        """, comment: "Help for run."),
    ],
    examples: [
      "dragoman run pipelines/birds.yaml --once",
      "dragoman run pipelines/birds.yaml --once --dry-run",
      "dragoman run pipelines/*.yaml --store sqlite:/var/lib/dragoman",
    ],
    exits: [
      .init(
        .done,
        message(
          "done, or stopped; units may still be outstanding at vendors", comment: "Help: when a command exits with 0.")),
      .usage,
      .unusablePipeline,
      .noPipeline,
      .unreachable,
      .notWritten,
      .needsPerson,
    ])

  @Argument(help: .init(HelpText.runPipelines, valueName: "pipeline"), completion: .file())
  var pipelines: [String]

  @Flag(
    help: .init(HelpText.once))
  var once = false

  @Flag(help: .init(HelpText.dryRunOfRun))
  var dryRun = false

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var options: RunOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    if log.logFormat == .json, once {
      throw ValidationError(
        message("--log-format has no effect with --once.", comment: "Refusal of options of run."))
    }
    if format == .json, !once {
      throw ValidationError(
        message(
          "--format json needs --once, because only a single run has a report.", comment: "Refusal of options of run."))
    }
  }

  func run() async throws {
    let console = output.console
    guard once || !dryRun else {
      throw CommandFailure(.usage, message("--dry-run needs --once.", comment: "Refusal of options of run."))
    }
    let source = PipelineSource.files(Self.distinct(pipelines))
    try requireOne(of: source, console)
    // In a dry run, progress lines would report that units were sent or commits pushed.
    let progress = dryRun && options.progress == nil ? .none : options.style(console)
    let session = try PipelineSession(
      source, at: options.location(), progress: progress, isOnce: once, isDry: dryRun,
      logFormat: log.logFormat, console: console)
    guard once else { return try await session.serve() }
    try await session.runOnce(format: format)
  }

  /// Returns the paths without repeated files, even if a file is given by two different paths.
  private static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted }
  }
}

struct ServeCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("serve", help)

  static let help = CommandHelp(
    message("Run all pipelines of a folder as a daemon, until stopped.", comment: "Describes the command serve."),
    notes: [
      message(
        """
        SIGTERM or Ctrl-C stops the daemon after the running stages. SIGHUP makes it read the pipeline files again. Vendors \
        and repositories that fail are tried again.
        """, comment: "Help for serve.")
    ],
    examples: [
      "dragoman serve",
      "dragoman serve --pipelines /etc/dragoman --store sqlite:/var/lib/dragoman",
      "dragoman serve --listen 127.0.0.1:8080",
      "dragoman serve --listen 127.0.0.1:8080 --behind-proxy l10n.example.com",
    ],
    exits: [
      .init(.done, message("stopped", comment: "Help: when a command exits with 0.")),
      .usage,
      .init(
        .unreadableInput,
        message("no pipeline file of the folder can be used", comment: "Help: when a command exits with 65.")),
      .noFolder,
      .init(
        .unavailable,
        message(
          "another dragoman uses the store, or the port is in use", comment: "Help: when a command exits with 69.")
      ),
      .unwrittenStore,
    ])

  @Option(
    help: .init(HelpText.pipelineFolder, valueName: "folder"), completion: .directory)
  var pipelines = "pipelines"

  @OptionGroup var server: ListenOptions
  @OptionGroup var options: RunOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let source = PipelineSource.folder(pipelines)
    let (access, address) = (try server.access(), try server.address())
    try requireOne(of: source, console)
    let session = try PipelineSession(
      source, at: options.location(), progress: options.style(console), isOnce: false,
      logFormat: log.logFormat, console: console)
    try await session.serve(listeningAt: address, access: access)
  }
}

private func isFolder(_ path: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}

/// Fails if none of the pipeline files can be used; one usable file is sufficient. Also fails if a folder is given instead of files, or if the folder
/// or the only file does not exist. An empty folder is accepted.
private func requireOne(of source: PipelineSource, _ console: Console) throws {
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
  case .definitions, .ledger: break
  }
  let readings = try source.readingsUpToUsable()
  if readings.last?.definition != nil { return }
  let diagnostics = readings.flatMap(\.diagnostics)
  guard !diagnostics.isEmpty else { return }
  if case .files = source, readings.allSatisfy(\.isMissing) {
    console.show(diagnostics)
    throw ExitStatus.notFound.code
  }
  throw InputFault(diagnostics)
}
