import ArgumentParser
import Daemon
import GitSource
import Localization
import Workspace

@testable import dragoman

// This is the example of docs/adding-a-command.md. ContributorPageTests compares it with the page.
struct CountCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("count", help)

  static let help = CommandHelp(
    message("Count the keys of each catalog.", comment: "What count does."),
    examples: ["dragoman count ~/Birds.git --revision main"],
    exits: [.done, .usage, .nothingReadable, .noSuchPart])

  // The argument PATH and the option --revision.
  @OptionGroup var tree: TreeOptions
  // The options --quiet and --verbose.
  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let snapshot = try ProjectSnapshot(tree.open().tree, for: .comparison, with: .standard())
    console.show(snapshot.diagnostics)
    for (path, catalog) in snapshot.catalogs.sorted(by: { $0.key < $1.key }) {
      console.result("\(path)\t\(catalog.entries.count)")
    }
    if snapshot.isUnreadable { throw ExitStatus.unreadableInput.code }
  }
}
