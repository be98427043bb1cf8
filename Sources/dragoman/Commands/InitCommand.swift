import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import Workspace

struct InitCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("init", help)

  static let help = CommandHelp(
    message("Start localizing a package or an app.", comment: "Describes the command init."),
    notes: [
      message(
        """
        Creates a String Catalog for each table that has none, and fills it from the code. Adds defaultLocalization and a \
        resource rule to a package's manifest if they are missing. Languages are added to Xcode projects. \
        With --pipeline, also writes a pipeline file for the repository, and adds its folder for translators to .gitignore. \
        Existing files and settings are not replaced.
        """, comment: "Help for init.")
    ],
    examples: [
      "dragoman init --dry-run",
      "dragoman init --language de --language fr --pipeline birds.yaml",
    ],
    exits: [
      .done, .usage,
      .init(
        .unreadableInput,
        message("the project could not be read, so nothing was changed", comment: "Help: when a command exits with 65.")
      ),
      .noFolder, .notWritten,
    ])

  @Argument(help: .init(HelpText.directory), completion: .directory)
  var path = "."

  @Option(
    name: .customLong("language"), help: .init(HelpText.initLanguages, valueName: "language"),
    transform: LocaleIdentifier.parse)
  var languages: [LocaleIdentifier] = []

  @Option(help: .init(HelpText.initPipeline, valueName: "file"), completion: .file())
  var pipeline: String?

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let directory = try openDirectory(path)
    if let pipeline {
      let folder = URL(filePath: pipeline).deletingLastPathComponent().path
      guard FileManager.default.fileExists(atPath: folder) else {
        throw CommandFailure(.notFound, message("%@: no such folder", folder, comment: "An error: a path."))
      }
    }
    if let pipeline, FileManager.default.fileExists(atPath: pipeline) {
      throw CommandFailure(
        .usage,
        message(
          "%@ already exists. Add languages to it with `dragoman add-language`", pipeline,
          comment: "An error: the path of a pipeline file."))
    }
    var snapshot = try ProjectSnapshot(directory, for: .sync, with: .standard())
    try snapshot.extract(extraction.options, findsUnplaced: true)
    console.show(snapshot.project.diagnostics)
    guard snapshot.isComplete, !snapshot.isUnreadable else { throw ExitStatus.unreadableInput.code }
    try refusePartOfProject(snapshot.project)
    try languages.forEach(refuseUnusual)
    if let source = languages.first(where: { $0 == snapshot.project.sourceLanguage }) {
      throw CommandFailure(
        .usage, message("%@ is the source language", "\(source)", comment: "An error: a language."))
    }
    let hasXcodeProject = snapshot.project.targets.contains { if case .xcode = $0.kind { true } else { false } }
    guard languages.isEmpty || pipeline != nil || hasXcodeProject else {
      throw CommandFailure(
        .usage,
        message(
          "--language has no effect without --pipeline, because only an Xcode project with a target lists languages",
          comment: "An error: options of init."))
    }
    let start = try ProjectStart(of: snapshot, languages: Set(languages), options: extraction.options)
    let file = try pipeline.map { (path: $0, text: try pipelineText(for: snapshot.project)) }
    let ignored = try pipeline.flatMap { _ in try IgnoredFolder(translationFolder(), from: path) }
    console.show(start.diagnostics)
    try apply(start.edits, to: directory, isDryRun: true, console)
    if !dryRun {
      // Writes the pipeline file first, because its folder may not be writable.
      if let file { try writeFile(Array(file.text.utf8), to: file.path) }
      if let ignored { try writeFile(Array(ignored.text.utf8), to: ignored.file) }
      try apply(start.edits, to: directory, console)
    }
    for (path, strings) in start.created {
      console.result(
        counted(
          strings,
          one: message("%@: created, with 1 string", path.text, comment: "A result of init: a catalog."),
          other: message(
            "%1$@: created, with %2$lld strings", path.text, strings, comment: "A result of init: a catalog.")))
    }
    let created = Set(start.created.map(\.path))
    for path in start.edits.paths where !created.contains(path) {
      console.result(message("%@: changed", path.text, comment: "A result of init: a file."))
    }
    if let file {
      console.result(message("%@: created", file.path, comment: "A result of init: a pipeline file."))
    }
    if let ignored {
      console.result(
        ignored.isNew
          ? message("%@: created", ignored.name, comment: "A result of init: a pipeline file.")
          : message("%@: changed", ignored.name, comment: "A result of init: a file."))
    }
    sayLeftOut(snapshot.project, console)
    say(start.edits.isEmpty && file == nil, isAllFound: start.diagnostics.isEmpty, console)
  }

  /// Names the packages that get no catalogs because they have no `defaultLocalization`. Xcode exports nothing from such packages. If the tree has no
  /// catalog at all, they get catalogs too.
  private func sayLeftOut(_ project: ProjectDescription, _ console: Console) {
    guard !project.catalogs.isEmpty else { return }
    let packages = Dictionary(
      grouping: project.targets.compactMap { target in
        if case .package(let manifest) = target.kind { (folder: manifest.parent, target: target) } else { nil }
      }, by: \.folder)
    let leftOut = packages.filter { _, members in
      members.allSatisfy { $0.target.places == nil && $0.target.catalogs.isEmpty }
        && members.contains { !$0.target.swiftSources.isEmpty }
    }
    for folder in leftOut.keys.sorted() {
      console.say(
        message(
          "%1$@ has no defaultLocalization, so it was left out. To localize it, run `dragoman init %1$@`.",
          folder.isRoot ? path : (path as NSString).appendingPathComponent(folder.text),
          comment: "A result of init: the folder of a package."))
    }
  }

  private func say(_ isNothing: Bool, isAllFound: Bool, _ console: Console) {
    if isNothing, !isAllFound {
      console.say(
        message(
          "Nothing was changed. The warnings say what to do first.", comment: "The last line of the command init."))
    } else if isNothing {
      console.say(
        message(
          "Nothing to do: every table of the code has a String Catalog or .strings files.",
          comment: "The last line of the command init."))
    } else if dryRun {
      console.say(message("Nothing was written.", comment: "The last line of init with --dry-run."))
    } else if let pipeline {
      console.say(
        message(
          "Commit and push the changes, check %1$@, then run `dragoman run %1$@ --once`.", pipeline,
          comment: "The last line of init: the path of the pipeline file."))
    } else {
      console.say(message("`dragoman status` shows what is missing.", comment: "The last line of init."))
    }
  }

  /// Refuses a folder inside a package or an Xcode project, because no target would build a catalog that is created there. Also refuses a folder that
  /// has neither a target nor a catalog.
  private func refusePartOfProject(_ project: ProjectDescription) throws {
    guard project.targets.allSatisfy({ if case .folder = $0.kind { true } else { false } }) else { return }
    var folder = URL(filePath: path).standardizedFileURL
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      if names.contains(where: { $0 == "Package.swift" || $0.hasSuffix(".xcodeproj") }) {
        throw CommandFailure(
          .usage,
          message(
            "%1$@ is a part of the project in %2$@; run `dragoman init %2$@`", path, folder.path,
            comment: "An error of init: two folders."))
      }
    }
    guard !project.targets.isEmpty || !project.catalogs.isEmpty else {
      throw CommandFailure(
        .unreadableInput,
        message(
          "%@: no project found: no package or Xcode project with a target, no catalog", path,
          comment: "An error of init: a folder."))
    }
  }

  /// Returns the text of a pipeline file for the repository around the folder.
  private func pipelineText(for project: ProjectDescription) throws -> String {
    let repository = try GitRepository(path: path, searchingUpwards: true)
    let root = URL(filePath: repository.root).standardizedFileURL
    let origin = repository.origin.map { Self.address($0, from: root) }
    let name = Self.pipelineName(of: repository)
    let all = Set(languages).union(project.languages).subtracting([project.sourceLanguage])
    guard !all.isEmpty else {
      throw CommandFailure(
        .usage,
        message(
          "the project has no translations yet; give the languages of the pipeline with --language",
          comment: "An error of init --pipeline."))
    }
    let text = PipelineFileText.new(
      name: name, url: origin ?? root.path, branch: repository.checkedOutBranch, languages: all.sorted(),
      folder: Self.translationFolder(name))
    // The text is read back, because names and addresses of repositories can contain any characters.
    do { _ = try PipelineFile.read(Array(text.utf8), at: "") } catch {
      throw CommandFailure(
        .usage,
        message(
          "no pipeline file can be written for this repository: %@. Write one by hand",
          error.diagnostics.map(\.message).joined(separator: "; "), comment: "An error of init --pipeline."))
    }
    return text
  }

  private static func pipelineName(of repository: GitRepository) -> String {
    let root = URL(filePath: repository.root).standardizedFileURL
    return pipelineName(repository.origin.map { URL(filePath: address($0, from: root)) } ?? root)
  }

  /// Returns the folder for exchanging bundles with translators.
  private static func translationFolder(_ pipeline: String) -> String { "translations/\(pipeline)" }

  private func translationFolder() throws -> String {
    Self.translationFolder(Self.pipelineName(of: try GitRepository(path: path, searchingUpwards: true)))
  }

  /// Returns a name for the pipeline: the last part of an address without `.git`, with `-` in place of characters that are not allowed in a name, and
  /// at most 64 characters; `app` if nothing is left.
  private static func pipelineName(_ place: URL) -> String {
    var name = place.lastPathComponent
    if name.hasSuffix(".git") { name = String(name.dropLast(4)) }
    let allowed = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" }
    let trimmed = String(allowed.prefix(64)).trimmingCharacters(in: CharacterSet(charactersIn: "._-"))
    return trimmed.isEmpty ? "app" : trimmed
  }

  /// Returns the address of a remote in a form that a pipeline file may contain: without the secret that a clone's address may have, and with an
  /// absolute path.
  private static func address(_ text: String, from root: URL) -> String {
    guard let scheme = text.firstRange(of: "://") else {
      // As in git, a text with a colon before the first slash, such as `user@host:path`, is not a local path.
      guard !text.hasPrefix("/"), !text.prefix(while: { $0 != "/" }).contains(":") else { return text }
      return root.appending(path: text).standardizedFileURL.path
    }
    let authority = text[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    // For ssh, the account name is part of the address and is kept. A password is removed.
    let user = text.hasPrefix("ssh:") ? authority[..<at].prefix { $0 != ":" } + "@" : ""
    return text[..<scheme.upperBound] + user + text[text.index(after: at)...]
  }
}
