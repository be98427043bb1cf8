import ArgumentParser
import CatalogFormats
import Foundation
import Localization

/// A git merge driver: `driver = dragoman merge-driver %O %A %B %P` (docs/reference/cli.md).
struct MergeDriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver",
    abstract: HelpText.mergeDriverAbstract,
    discussion: HelpText.mergeDriverExample)

  @Argument(help: .init(HelpText.mergeDriverBase), completion: .file())
  var base: String

  @Argument(help: .init(HelpText.mergeDriverOurs), completion: .file())
  var ours: String

  @Argument(help: .init(HelpText.mergeDriverTheirs), completion: .file())
  var theirs: String

  @Argument(help: .init(HelpText.mergeDriverPath))
  var path: String?

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let versions = MergeVersions(base: try readFile(base), ours: try readFile(ours), theirs: try readFile(theirs))
    let merged = try MergeDriver.merge(versions, at: path.map(TreePath.init(trusted:)))
    if merged.bytes != versions.ours { try writeFile(merged.bytes, to: ours) }
    console.show(merged.warnings)
    guard !merged.conflicts.isEmpty else { return }
    for conflict in merged.conflicts { console.show([conflict.diagnostic(at: path ?? ours)]) }
    console.say(
      message(
        "%@. The file has our version where both sides changed an entry, and the changed one where a side removed it. Resolve every conflict, then git add.",
        counted(
          merged.conflicts.count, one: message("1 conflict", comment: "A count."),
          other: message("%lld conflicts", merged.conflicts.count, comment: "A count.")),
        comment: "The last line of the command merge-driver, in a terminal under git merge: a count of conflicts."))
    throw ExitStatus.finding.code
  }
}
