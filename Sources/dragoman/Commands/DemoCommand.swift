import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import Pipeline

/// The command of `make run`. It runs one whole round with built-in defaults and pushes to a copy of a repository. Without `--once`, it then runs as
/// a daemon.
struct DemoCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("demo", help)

  static let help = CommandHelp(
    message(
      "Run one whole round with built-in defaults, on a copy of a repository.", comment: "Describes the command demo."),
    notes: [
      message(
        """
        The pseudo vendor answers with accented, longer texts. Everything is written to .dragoman in the \
        current directory; nothing is pushed to the repository itself. Without --once, the demo then serves \
        until Ctrl-C.
        """, comment: "Help for demo.")
    ],
    examples: [
      "dragoman demo ~/Birds --languages de,uk --once",
      "dragoman demo https://git.example.com/birds.git --languages de",
    ],
    exits: [
      .init(.done, message("done, or stopped", comment: "Help: when a command exits with 0.")),
      .usage,
      .unusablePipeline,
      .noPipeline,
      .unreachable,
      .notWritten,
      .needsPerson,
    ])

  @Argument(
    help: .init(HelpText.demoRepository), completion: .directory)
  var repository: String?

  @Option(
    help: .init(HelpText.demoLanguages))
  var languages: String?

  @Flag(help: .init(HelpText.demoOnce))
  var once = false

  @OptionGroup var output: ConsoleOptions

  private static let folder = ".dragoman"

  func run() async throws {
    let console = output.console
    let definition: PipelineDefinition
    var location = StoreLocation.standard
    if let repository {
      let name = Self.name(of: repository)
      let copy = "\(Self.folder)/demo/\(name).git"
      try await Self.copy(repository, to: copy, console: console)
      location = StoreLocation(folder: "\(Self.folder)/demo/\(name)")
      definition = PipelineDefinition(
        name: name, repository: RepositorySettings(url: copy), languages: try targetLanguages,
        vendors: [VendorDefinition(kind: "pseudo")])
    } else {
      let file = "pipelines/self.yaml"
      var own = try PipelineFile.read(readFile(file), at: file)
      if let languages = try targetLanguages {
        own.languages = languages
        own.vendors = [VendorDefinition(kind: "pseudo")]
      }
      try await Self.copy(".", to: own.repository.url, console: console)
      definition = own
    }
    console.say(
      message(
        "Pipeline %@ on %@; vendors: %@.", definition.name, definition.repository.url,
        definition.vendors.map(\.kind).joined(separator: ", "), comment: "Shown when the demo begins."))
    // A session holds the store until it is deallocated, so the daemon's session starts after the first session has ended.
    try await PipelineSession(
      .definitions([definition]), at: location, progress: .text, isOnce: true, console: console
    ).runOnce(format: .text, judgesInput: once)
    guard !once else { return }
    try await PipelineSession(
      .definitions([definition]), at: location, progress: .text, isOnce: false, console: console
    ).serve()
  }

  private var targetLanguages: [LocaleIdentifier]? {
    get throws {
      guard let languages else { return nil }
      return try languages.split(separator: ",").map { part in
        let language = LocaleIdentifier(part.trimmingCharacters(in: .whitespaces))
        guard language.isWellFormed else {
          throw CommandFailure(
            .usage,
            message(
              "%@ is not a language identifier such as de or pt-BR.", language.rawValue,
              comment: "Refusal of --languages."))
        }
        return language
      }
    }
  }

  /// Copies a checkout, a bare repository or the repository at a URL. The original is only read.
  private static func copy(_ repository: String, to folder: String, console: Console) async throws {
    var source = repository
    if repository.contains("://"), !repository.hasPrefix("file:") {
      console.say(message("Fetching %@ …", repository, comment: "Shown while a repository is fetched: a URL."))
      source = folder.replacing(".git", with: ".mirror.git")
      _ = try await GitMirror(url: repository, folder: source).refresh()
    } else if let url = URL(string: repository), url.isFileURL {
      source = url.path
    }
    let copy = try mirrorCheckout(from: source, to: folder)
    for branch in copy.diverged {
      console.say(
        message(
          "Branch %@ of the copy has its own commits and was not moved.", branch,
          comment: "Shown when a branch of the copy cannot be updated: its name."))
    }
    if copy.isShallow {
      console.say(
        message(
          "The checkout is shallow: its tree was copied as one commit.", comment: "Shown when the history is too short."
        )
      )
    }
  }

  /// Returns a file name that is derived from the last component of a path or URL.
  private static func name(of repository: String) -> String {
    let last = URL(filePath: repository).standardizedFileURL.lastPathComponent
    let stem = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    let clean = String(stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" })
    return clean.isEmpty ? "repository" : clean
  }
}
