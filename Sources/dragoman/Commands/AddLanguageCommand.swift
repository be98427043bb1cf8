import ArgumentParser
import Daemon
import Localization
import Pipeline
import Workspace

struct AddLanguageCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("add-language", help)

  static let help = CommandHelp(
    message("Add a language to Xcode projects and to a pipeline file.", comment: "Describes the command add-language."),
    notes: [
      message(
        """
        The language is added to the knownRegions of Xcode projects. A Swift package lists no languages: its languages are \
        those of its catalogs. The comments and the layout of the pipeline file are kept.
        """, comment: "Help for add-language.")
    ],
    examples: [
      "dragoman add-language uk",
      "dragoman add-language pt-BR ~/Birds --pipeline pipelines/birds.yaml --dry-run",
    ],
    exits: [
      .done, .usage,
      .init(
        .unreadableInput,
        message("the project or the pipeline file has a fault", comment: "Help: when a command exits with 65.")),
      .noFolder, .notWritten,
    ])

  @Argument(help: .init(HelpText.newLanguage, valueName: "language"), transform: LocaleIdentifier.parse)
  var language: LocaleIdentifier

  @Argument(help: .init(HelpText.directory), completion: .directory)
  var path = "."

  @Option(help: .init(HelpText.addLanguagePipeline, valueName: "file"), completion: .file())
  var pipeline: String?

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    try refuseUnusual(language)
    let directory = try openDirectory(path)
    let snapshot = try ProjectSnapshot(directory, for: .exchange, with: .standard())
    console.show(snapshot.project.diagnostics)
    guard snapshot.isComplete else { throw ExitStatus.unreadableInput.code }
    guard language != snapshot.project.sourceLanguage else {
      throw CommandFailure(
        .usage, message("%@ is the source language", "\(language)", comment: "An error: a language."))
    }
    let registered = LanguageAddition(language, to: snapshot)
    let file = try pipeline.map { try changedPipeline($0, snapshot.project) } ?? nil
    console.show(registered.diagnostics)
    try apply(registered.edits, to: directory, isDryRun: true, console)
    if !dryRun {
      try apply(registered.edits, to: directory, console)
      if let file { try writeFile(Array(file.text.utf8), to: file.path) }
    }
    for path in registered.edits.paths.map(\.text) + (file.map { [$0.path] } ?? []) {
      console.result(message("%@: %@ added", path, "\(language)", comment: "A result of add-language: file, language."))
    }
    if registered.edits.isEmpty && file == nil {
      console.say(
        pipeline == nil
          ? message(
            "Nothing to change: no Xcode project needs %@ added. To have it translated, give the pipeline file with --pipeline.",
            "\(language)", comment: "The last line of add-language: a language.")
          : message(
            "Nothing to change: %@ is already listed.", "\(language)",
            comment: "The last line of add-language: a language."))
    } else if dryRun {
      console.say(message("Nothing was written.", comment: "The last line of init with --dry-run."))
    }
  }

  /// Returns the path and the new text of the pipeline file; `nil` if the pipeline already has the language.
  private func changedPipeline(_ path: String, _ project: ProjectDescription) throws -> (path: String, text: String)? {
    let bytes = try readFile(path)
    let definition = try PipelineFile.read(bytes, at: path)
    guard definition.languages?.contains(language) != true else { return nil }
    let others = project.languages.subtracting([project.sourceLanguage, language]).sorted()
    guard
      let text = PipelineFileText.adding(
        language, to: String(decoding: bytes, as: UTF8.self), of: definition, otherwise: others)
    else {
      throw CommandFailure(
        .unreadableInput,
        message(
          "%1$@ cannot be changed automatically; add %2$@ to `languages` by hand", path, "\(language)",
          comment: "An error: the path of a pipeline file and a language."))
    }
    if definition.vendors.allSatisfy({ $0.languages != nil && $0.languages?.contains(language) != true }) {
      output.console.failure(
        message(
          "%1$@: no vendor accepts %2$@ yet; add the language to the `languages` of a vendor", path, "\(language)",
          comment: "A warning: the path of a pipeline file and a language."))
    }
    return (path, text)
  }
}
