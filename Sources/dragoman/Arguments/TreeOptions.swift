import ArgumentParser
import Foundation
import GitSource
import Localization

/// PATH and `--revision`, as cli.md defines them for all commands that read a tree.
struct TreeOptions: ParsableArguments {
  @Argument(
    help: .init(HelpText.path),
    completion: .directory)
  var path = "."

  @Option(
    help: .init(HelpText.revision, valueName: "rev"))
  var revision: String?

  func open() throws -> OpenedTree { try openTree(path: path, revision: revision) }

  /// What the repository or the directory is called.
  var name: String {
    let name = URL(filePath: path).standardizedFileURL.lastPathComponent
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }
}

/// A directory that a command writes to.
/// - Throws: where the path is none, or names a bare repository, which has no files to write.
func openDirectory(_ path: String) throws -> DirectoryTree {
  guard let directory = try openTree(path: path).directory else {
    throw CommandFailure(
      .notFound,
      message(
        "open %@: is a bare repository; this command writes to a directory", path, comment: "An error: a path."))
  }
  return directory
}

/// Makes the folder that a command writes into, and those above it.
func makeFolder(_ path: String) throws {
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  } catch {
    let reason = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
      .map { String(cString: strerror(Int32($0.code))) }
    throw CommandFailure(
      .disk,
      message(
        "%@: the folder cannot be made: %@", path, reason ?? "a file is in the way, or permissions are missing",
        comment: "An error: a path and the reason."))
  }
}

/// Makes edits in the directory of a project; where one fails, says which were made.
func apply(_ edits: TreeEdits, to directory: DirectoryTree, _ console: Console) throws {
  var made: [String] = []
  do { try directory.apply(edits) { made.append($0.text) } } catch {
    if !made.isEmpty {
      console.failure(
        message(
          "Not all was written. Changed before the error: %@.", made.joined(separator: ", "),
          comment: "Before an error that ended a command: paths of files."))
    }
    throw error
  }
}

/// What the code of a project can be told about extraction, shared by the commands that read sources.
struct ExtractionArguments: ParsableArguments {
  @Option(
    name: .customLong("macro"),
    help: .init(HelpText.macros, valueName: "name"))
  var macros: [String] = []

  var options: ExtractionOptions {
    ExtractionOptions(macros: macros, threads: max(1, ProcessInfo.processInfo.activeProcessorCount))
  }
}

/// Text for people or JSON for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}
