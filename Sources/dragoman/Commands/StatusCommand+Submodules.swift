import Daemon
import GitSource
import Localization
import Pipeline
import Workspace

extension StatusCommand {
  /// Returns the directory whose checked-out submodules are read; `nil` if no submodules are read.
  func directoryWithSubmodules(_ definition: PipelineDefinition?) throws -> DirectoryTree? {
    guard submodules || definition?.submodules.isEmpty == false else { return nil }
    let directory = try tree.open().directory
    guard directory != nil || !submodules else {
      throw CommandFailure.submodulesOfRevision
    }
    return directory
  }

  /// Returns the languages of the project, without those that only a submodule has.
  func projectLanguages(
    _ snapshot: ProjectSnapshot, _ outer: DirectoryTree?, _ definition: PipelineDefinition?
  ) throws -> Set<LocaleIdentifier> {
    guard let outer else { return snapshot.project.languages }
    return try snapshot.tools.layout.project(in: outer, excluding: definition?.extract.exclude ?? []).languages
  }
}

extension CommandFailure {
  /// The error for `--submodules` with a tree that is not checked out.
  static var submodulesOfRevision: CommandFailure {
    CommandFailure(
      .usage,
      message(
        "--submodules reads checked-out files of a directory; leave out --revision",
        comment: "An error: options of status."))
  }
}
