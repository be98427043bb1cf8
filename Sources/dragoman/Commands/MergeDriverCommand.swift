import ArgumentParser
import CatalogFormats
import Foundation
import Localization

/// A git merge driver: `driver = dragoman merge-driver %O %A %B %P` (docs/reference/cli.md).
struct MergeDriverCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("merge-driver", help)

  static let help = CommandHelp(
    message(
      "Merge a String Catalog, .strings or .stringsdict file by key: a merge driver for git.",
      comment: "Describes the command merge-driver."),
    notes: [
      message(
        """
        Keys, languages and variations are merged one by one. There is a conflict only where the two sides made different \
        changes; each conflict is reported with its line. Both lines of the example are needed. Give the \
        absolute path of the program: if git cannot find it, git keeps your side without conflict markers.
        """, comment: "Help for merge-driver.")
    ],
    examples: [
      #"""
      git config --global merge.dragoman.driver \
        "/usr/local/bin/dragoman merge-driver %O %A %B %P"
      """#,
      "echo '*.xcstrings merge=dragoman' >> .gitattributes",
    ],
    exits: [
      .init(.done, message("merged without conflicts", comment: "Help: when a command exits with 0.")),
      .init(.finding, message("merged with conflicts", comment: "Help: when a command exits with 1.")),
      .usage,
      .init(
        .unreadableInput,
        message(
          "a version of the file cannot be read; OURS is not changed", comment: "Help: when a command exits with 65.")),
      .noFile,
      .notWritten,
    ])

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
        "%@. Where both sides changed an entry, the file has our version. Where one side removed the entry, the file has the changed version. Resolve every conflict, then run git add.",
        counted(
          merged.conflicts.count, one: message("1 conflict", comment: "A count."),
          other: message("%lld conflicts", merged.conflicts.count, comment: "A count.")),
        comment: "The last line of the command merge-driver, in a terminal under git merge: a count of conflicts."))
    throw ExitStatus.finding.code
  }
}
