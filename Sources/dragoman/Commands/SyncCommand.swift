import ArgumentParser
import Daemon
import GitSource
import Localization
import Workspace

struct SyncCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("sync", help)

  static let help = CommandHelp(
    message(
      "Update the String Catalogs from the code, as a build in Xcode does.", comment: "Describes the command sync."),
    notes: [
      message(
        """
        New keys are added, changed texts and comments are updated, and keys that the code no longer has are \
        removed or marked stale. Missing catalogs are not created. If a source file cannot be read, keys are only added to \
        the catalogs that may contain its strings, never removed. If a project file cannot be read, the catalogs of its \
        folder are not changed.
        """, comment: "Help for sync.")
    ],
    examples: [
      "dragoman sync",
      "dragoman sync --check --target Birds",
    ],
    exits: [
      .done,
      .init(
        .finding,
        message(
          "--check: a catalog is not in step with the code, or this cannot be judged",
          comment: "Help: when a command exits with 1.")),
      .usage,
      .init(
        .unreadableInput,
        message(
          "a project file, a manifest or the whole tree could not be read; with --check, a catalog could not be read",
          comment: "Help: when a command exits with 65.")),
      .noSuchTable,
      .notWritten,
    ])

  @Argument(help: .init(HelpText.directory), completion: .directory)
  var path = "."

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @Flag(help: .init(HelpText.syncCheck))
  var check = false

  @Flag(help: .init(HelpText.submodules))
  var submodules = false

  @OptionGroup var selected: SelectionArguments
  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let directory = try openDirectory(path)
    var state = try ProjectSnapshot(
      submodules ? directory.readingSubmodules() : directory, for: .sync, with: .standard())
    try state.extract(extraction.options, findsUnplaced: check)
    if submodules { state.leaveOutCatalogs(where: directory.isInSubmodule) }
    let selection = try selected.selection(in: state.project)
    // All code is read even if only some catalogs are selected: a target's strings depend on declarations in other targets.
    if !selection.isWhole { state.restrict(to: selection) }
    // The strings of a catalog that a sparse checkout leaves out must not be written to another catalog.
    if !check, !state.project.outside.isEmpty {
      console.show(state.diagnostics)
      throw ExitStatus.unreadableInput.code
    }
    let synced = state.synced()
    let obstacles = check ? state.gate.obstacles + state.gate.uncompared(synced.inStep) : []
    if check { console.result(Self.verdict(synced.inStep, obstacles).withVisibleControls) }
    console.show(state.diagnostics)
    // The edits are applied before the changes are reported, because writing may fail.
    if !check { try apply(synced.edits, to: directory, isDryRun: dryRun, console) }
    for catalog in synced.inStep.changes.keys.sorted() {
      for change in synced.inStep.changes[catalog] ?? [] {
        console.result("\(catalog): \(Self.word(for: change.kind)): \(change.key.text.debugDescription)")
      }
    }
    console.show(synced.diagnostics)
    let count = synced.edits.edits.count
    console.say(
      dryRun || check
        ? counted(
          count,
          one: message(
            "1 catalog would change. Nothing was written.",
            comment: "The last line of the command sync with --dry-run or --check."),
          other: message(
            "%lld catalogs would change. Nothing was written.", count,
            comment: "The last line of the command sync with --dry-run or --check."))
        : counted(
          count, one: message("1 catalog changed.", comment: "The last line of the command sync."),
          other: message("%lld catalogs changed.", count, comment: "The last line of the command sync.")))
    let isPartlyUnread =
      !state.project.unread.isEmpty || check && !(state.unreadable.isEmpty && state.project.outside.isEmpty)
    if state.isUnreadable || isPartlyUnread { throw ExitStatus.unreadableInput.code }
    if check && !(synced.inStep.changes.isEmpty && obstacles.isEmpty) { throw ExitStatus.finding.code }
  }

  private static func verdict(_ inStep: CatalogsInStep, _ obstacles: [String]) -> String {
    let changed = inStep.changes.count
    let keys = inStep.changes.values.reduce(0) { $0 + $1.count }
    let difference =
      changed == 0
      ? []
      : [
        "\(changed == 1 ? "1 catalog" : "\(changed) catalogs") not in step with the code "
          + "(\(keys == 1 ? "1 change" : "\(keys) changes"))"
      ]
    let reasons = obstacles + difference
    return reasons.isEmpty ? "PASS every catalog is in step with the code" : "FAIL " + reasons.joined(separator: "; ")
  }

  private static func word(for kind: SyncChange.Kind) -> String {
    switch kind {
    case .added: "added"
    case .removed: "removed"
    case .becameStale: "stale"
    case .revived: "revived"
    case .sourceChanged, .sourceAdded: "source"
    case .commentChanged: "comment"
    case .extractionStateChanged: "state"
    }
  }
}
