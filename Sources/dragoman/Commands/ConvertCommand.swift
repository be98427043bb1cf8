import ArgumentParser
import CatalogFormats
import Daemon
import GitSource
import Localization
import ProjectLayout
import Workspace

/// The command `convert`, which converts the `.strings` and `.stringsdict` files of all languages to one String Catalog for each table, storyboard or
/// xib.
struct ConvertCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("convert", help)

  static let help = CommandHelp(
    message(
      "Convert .strings and .stringsdict files to String Catalogs, as Xcode's migration does.",
      comment: "Describes the command convert."),
    notes: [
      message(
        """
        Each table becomes one catalog with all languages. The old files are removed, and Xcode projects are \
        updated. Entries that a catalog cannot hold stay in their file and are reported.
        """, comment: "Help for convert.")
    ],
    examples: [
      "dragoman convert --dry-run",
      "dragoman convert ~/Birds --table Localizable",
    ],
    exits: [
      .done,
      .usage,
      .init(
        .unreadableInput,
        message(
          "a table was skipped because a file cannot be read, its catalog lacks a text of the files or cannot be added to its project; the others were converted",
          comment: "Help: when a command exits with 65.")),
      .noSuchTable,
      .notWritten,
    ])

  @Argument(help: .init(HelpText.directory), completion: .directory)
  var path = "."

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var selected: SelectionArguments
  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let directory = try openDirectory(path)
    var state = try ProjectSnapshot(directory, for: .exchange, with: .standard())
    try state.extract(extraction.options)
    console.show(state.diagnostics)
    // A new catalog would lack the languages whose files a sparse checkout leaves out.
    guard state.project.outside.isEmpty else { throw ExitStatus.unreadableInput.code }
    let selection = try selected.selection(in: state.project)
    let groups = TableGroup.all(of: state.project).filter { selection.contains(table: $0.table, of: $0.targets) }
    if let missing = selected.tables.first(where: { name in !groups.contains { $0.table == name } }) {
      throw CommandFailure(
        .notFound,
        message(
          "table %@ has no .strings or .stringsdict file in the source language", missing,
          comment: "An error: the name of a table."))
    }
    if selection.isWhole { console.show(TableGroup.staying(of: state.project)) }
    var conversions: [(group: TableGroup, edits: TreeEdits)] = []
    var isUnreadable = false
    for group in groups {
      do {
        let (conversion, staying) = try group.conversion(in: state)
        console.show(staying + conversion.diagnostics)
        if !conversion.edits.isEmpty { conversions.append((group, conversion.edits)) }
      } catch {
        console.show(error.diagnostics)
        isUnreadable = true
      }
    }
    let projects = RepositoryLayout().exchanging(
      conversions.map { group, edits in
        ConvertedTable(
          catalog: group.path, removed: Set(edits.paths.filter { edits.edits[$0] == .remove }),
          interface: group.interface)
      }, of: state.project, in: state.tree)
    // The faults of an unreadable project file are already shown.
    let told = Set(state.diagnostics)
    console.show(projects.diagnostics.filter { !told.contains($0) })
    // A table that its project would still reference must not be removed.
    conversions.removeAll { projects.refused.contains($0.group.path) }
    let edits = conversions.reduce(into: projects.edits) { $0 = $0.merging($1.edits) }
    try apply(
      TableGroup.steps(conversions, projects: projects.edits), to: directory, isDryRun: dryRun, console)
    for path in edits.paths {
      let isRemoved = edits.edits[path] == .remove
      console.result(
        dryRun ? "\(isRemoved ? "would remove" : "would write") \(path)" : "\(isRemoved ? "removed" : "wrote") \(path)")
    }
    console.say(
      dryRun
        ? counted(
          conversions.count,
          one: message(
            "1 table would be converted. Nothing was written.",
            comment: "The last line of the command convert with --dry-run."),
          other: message(
            "%lld tables would be converted. Nothing was written.", conversions.count,
            comment: "The last line of the command convert with --dry-run."))
        : counted(
          conversions.count, one: message("1 table converted.", comment: "The last line of the command convert."),
          other: message(
            "%lld tables converted.", conversions.count, comment: "The last line of the command convert.")))
    if isUnreadable || !projects.refused.isEmpty || state.isUnreadable || !state.project.unread.isEmpty {
      throw ExitStatus.unreadableInput.code
    }
  }
}
