import ArgumentParser
import CatalogFormats
import Daemon
import Foundation
import GitSource
import Localization
import ProjectLayout
import Workspace

struct ExportCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("export", help)

  static let help = CommandHelp(
    message(
      "Write one .xcloc bundle for each language, as xcodebuild -exportLocalizations does.",
      comment: "Describes the command export."),
    notes: [
      message(
        """
        Keys that are only in the code are included, and no key of a catalog is left out. A language that the project \
        does not have yet can be exported, too.
        """, comment: "Help for export.")
    ],
    examples: [
      "dragoman export --language de --language uk --output Localizations",
      "dragoman export ~/Birds.git --revision main --output Localizations",
    ],
    exits: [
      .done,
      .usage,
      .init(
        .unreadableInput,
        message(
          "nothing could be read, a catalog is unreadable (the other catalogs are exported), a project file or a manifest is unreadable, or the notes are too large",
          comment: "Help: when a command exits with 65.")),
      .noSuchPart,
      .notWritten,
    ])

  @OptionGroup var tree: TreeOptions

  @Option(
    name: .customLong("language"),
    help: .init(HelpText.exportLanguages, valueName: "language"))
  var languages: [String] = []

  @Flag(help: .init(HelpText.exportCatalogsOnly))
  var catalogsOnly = false

  @Flag(
    help: .init(HelpText.exportTemplate))
  var template = false

  @Option(
    help: .init(HelpText.exportXcode, valueName: "version/build"))
  var xcode: ToolInfo?

  @Option(
    help: .init(HelpText.exportNotes, valueName: "folder"), completion: .directory)
  var notes: String?

  @Option(help: .init(HelpText.exportXcodeProject, valueName: "path"))
  var xcodeProject: String?

  @Option(
    help: .init(HelpText.exportOutput, valueName: "folder"), completion: .directory)
  var output: String

  @OptionGroup var selected: SelectionArguments
  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var console: ConsoleOptions

  func validate() throws {
    for language in languages where !LocaleIdentifier(language).isWellFormed {
      throw LocaleIdentifier.notALanguage(language)
    }
  }

  /// Returns the languages of `--language` in the project's spelling, or all languages of the project if the option is missing.
  /// - Throws: an error for a name that is not a language, or for a new language with an unusual spelling.
  private func targets(in snapshot: ProjectSnapshot) throws -> [LocaleIdentifier] {
    guard !languages.isEmpty else { return snapshot.project.languages.sorted() }
    let known = snapshot.project.languages.union(snapshot.catalogs.values.flatMap(\.languages))
    let match = LanguageMatch([known])
    var targets: [LocaleIdentifier] = []
    for name in languages.map(LocaleIdentifier.init(_:)) {
      let language = match.find(name) ?? name
      if !known.contains(language) {
        guard KnownLanguages.contains(language) else {
          throw CommandFailure.unknown(
            name, among: known,
            message("no language %@", name.rawValue, comment: "An error: a language that --language of export gives."),
            .usage)
        }
        try refuseUnusual(language)
      }
      if !targets.contains(language) { targets.append(language) }
    }
    return targets
  }

  func run() throws {
    let console = console.console
    let opened = try tree.open()
    var options = extraction.options
    options.isForExport = true
    let chosen = try xcodeProject.map { try Self.scope($0, in: opened.tree) }
    var snapshot = try ProjectSnapshot(
      opened.tree, for: .exchange, with: .standard(), projects: chosen?.projects, isForExport: !catalogsOnly)
    if !catalogsOnly { try snapshot.extract(options) }
    console.show(snapshot.diagnostics)
    if snapshot.isUnreadable || !snapshot.project.outside.isEmpty { throw ExitStatus.unreadableInput.code }
    if !catalogsOnly, let unread = snapshot.project.unread.min() {
      throw CommandFailure(
        .unreadableInput,
        message(
          "%@ is unreadable, so it is unknown which strings belong to which table. Nothing was exported. Repair the file, or export only the texts of the catalogs with --catalogs-only",
          unread.text, comment: "An error of export: the path of a project file or a manifest."))
    }
    if !catalogsOnly { console.show(snapshot.addKeysFromCode()) }
    let selection = try selected.selection(in: snapshot.project)
    if !selection.isWhole { snapshot.restrict(to: selection) }
    console.show(snapshot.missingTables)
    var exporter = BundleExporter(
      snapshot: snapshot, tool: xcode ?? .newest,
      scope: chosen ?? tree.wholeScope(of: snapshot.project, in: opened.tree, console))
    if let notes { exporter.notes = try Self.readNotes(notes) }
    let targets = try targets(in: snapshot)
    let isPartlyUnread = snapshot.isPartlyUnread(in: targets)
    let isComplete =
      !isPartlyUnread && exporter.hasAllAssets && snapshot.extraction.incompleteCatalogs.isEmpty
      && !exporter.diagnostics.contains { $0.severity == .error }
    let source = snapshot.project.sourceLanguage
    if template, !targets.contains(source) {
      throw CommandFailure(
        .usage,
        message(
          "--template changes only the bundle of the source language; add --language %@", source.rawValue,
          comment: "Refusal of options of export: a language."))
    }
    try makeFolder(output)
    let folder = DirectoryTree(path: output)
    var sharedIDs: Set<Diagnostic> = []
    for language in targets {
      let isTemplate = template && language == source
      let bundle = exporter.bundle(for: language, formsFor: isTemplate ? snapshot.project.languages.union(targets) : [])
      let units = bundle.files.reduce(0) { $0 + $1.units.count }
      guard units > 0 || !isPartlyUnread else {
        console.failure(
          message(
            "error: %@.xcloc was not written, because it would have no units while a catalog is unreadable",
            language.rawValue, comment: "An error of export: a language."))
        continue
      }
      console.show(exporter.sharedIDs(in: bundle).filter { sharedIDs.insert($0).inserted })
      let edits = try BundleReplacement.edits(for: bundle, in: folder, isComplete: isComplete)
      try apply(edits, to: folder, console)
      console.result(
        message(
          "%@.xcloc: %@, %@", language.rawValue,
          counted(
            bundle.files.count, one: message("1 file", comment: "A count."),
            other: message("%lld files", bundle.files.count, comment: "A count.")),
          counted(
            units, one: message("1 unit", comment: "A count."),
            other: message("%lld units", units, comment: "A count.")),
          comment: "A bundle that the command export wrote: its language, and counts of files and units."))
    }
    console.show(exporter.diagnostics)
    if isPartlyUnread { throw ExitStatus.unreadableInput.code }
  }
}

extension ExportCommand {
  /// Returns the scope for exporting only the project or workspace that `--xcode-project` names.
  private static func scope(_ text: String, in tree: any SourceTree) throws -> ExportScope {
    let path = TreePath(checking: text)
    if let path, ["xcodeproj", "xcworkspace"].contains(path.ending) {
      do { return try ExportScope.only(path, in: tree) } catch  where error.kind != .notFound {
        throw CommandFailure(
          .unreadableInput,
          message("%@ is unreadable: %@", text, error.detail, comment: "An error: a path and the reason."))
      } catch {}
    }
    throw CommandFailure(
      .notFound,
      message(
        "no project %@; give the path of an .xcodeproj or .xcworkspace in the repository", text,
        comment: "An error: the value of --xcode-project of export."))
  }

  /// The maximum size of the notes in bytes.
  private static let largestNotes = 1 << 28

  /// Returns the files of a folder, such as screenshots and texts, keyed by their paths in the folder. Hidden files and symbolic links are skipped.
  private static func readNotes(_ path: String) throws -> [TreePath: [UInt8]] {
    let tree = try openDirectory(path)
    var found: [TreePath: [UInt8]] = [:]
    var size = 0
    for entry in try tree.wholeWalk()
    where entry.isFile && !entry.path.components.contains(where: { $0.hasPrefix(".") }) {
      let bytes = try tree.read(entry.path)
      size += bytes.count
      guard size <= largestNotes else {
        throw CommandFailure(
          .unreadableInput,
          message(
            "the notes in %@ have more than %lld bytes; remove large files", path, largestNotes,
            comment: "An error: a path and a size."))
      }
      found[entry.path] = bytes
    }
    return found
  }
}

extension ToolInfo: ExpressibleByArgument {}
