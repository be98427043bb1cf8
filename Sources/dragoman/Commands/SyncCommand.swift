import ArgumentParser
import GitSource
import Localization
import Pipeline

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: HelpText.syncAbstract,
    discussion: HelpText.syncExample)

  @Argument(help: .init(HelpText.path), completion: .directory)
  var path = "."

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @Flag(help: .init(HelpText.syncCheck))
  var check = false

  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    guard extraction.targets.isEmpty else {
      throw ValidationError(
        message(
          "sync needs the strings of all targets; leave --target out.", comment: "Refusal of --target by sync."))
    }
  }

  func run() throws {
    let console = output.console
    let directory = try openDirectory(path)
    let state = try ProjectSnapshot.read(directory, options: extraction.options, isCodeAlone: true)
    console.show(state.diagnostics)
    let synced = state.synced()
    for catalog in synced.inStep.changes.keys.sorted() {
      for change in synced.inStep.changes[catalog] ?? [] {
        console.result("\(catalog): \(Self.word(for: change.kind)): \(change.key.text.debugDescription)")
      }
    }
    console.show(synced.diagnostics)
    if !dryRun && !check { try directory.apply(synced.edits) }
    console.say(
      message("Catalogs changed: %lld.", synced.edits.edits.count, comment: "The last line of the command sync."))
    if state.isUnreadable { throw ExitStatus.unreadableInput.code }
    if check && !synced.edits.isEmpty { throw ExitStatus.finding.code }
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
