import ArgumentParser
import Foundation
import GitSource
import Localization
import ProjectLayout

/// The argument PATH and the option `--revision`, as cli.md defines them for all commands that read a tree.
struct TreeOptions: ParsableArguments {
  @Argument(
    help: .init(HelpText.path),
    completion: .directory)
  var path = "."

  @Option(
    help: .init(HelpText.revision, valueName: "rev"))
  var revision: String?

  func open() throws -> OpenedTree { try openTree(path: path, revision: revision) }

  /// Returns the scope of an export of the whole project, and shows warnings about it.
  func wholeScope(of project: ProjectDescription, in opened: any SourceTree, _ console: Console) -> ExportScope {
    let (scope, diagnostics) = ExportScope.whole(project, in: opened, called: name)
    console.show(diagnostics)
    return scope
  }

  /// The name of the repository or directory.
  var name: String {
    let name = URL(filePath: path).standardizedFileURL.lastPathComponent
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }
}

/// Returns the path of a tree within its git repository, with a trailing slash, for tools that expect paths from the repository's root (code scanning
/// and annotations). The path is empty for the root and outside a repository.
func folderInRepository(_ tree: TreeOptions) -> String {
  // The folder in `REV:folder` is relative to the root.
  if let revision = tree.revision, let colon = revision.firstIndex(of: ":") {
    let folder = revision[colon...].split(separator: "/").joined(separator: "/").dropFirst()
    return folder.isEmpty ? "" : folder + "/"
  }
  guard let place = (try? GitRepository(path: tree.path, searchingUpwards: true))?.place, place != .root else {
    return ""
  }
  return place.text + "/"
}

/// Opens a directory to which a command writes.
/// - Throws: an error if the path does not exist, or is a bare repository, which has no files to write.
func openDirectory(_ path: String) throws -> DirectoryTree {
  guard let directory = try openTree(path: path).directory else {
    throw CommandFailure(
      .notFound,
      message(
        "%@ is a bare repository; this command needs a working directory", path, comment: "An error: a path."))
  }
  return directory
}

/// Returns why the system refused to read, write or create a file, without the names of Foundation's errors; `other` if the reason is unknown.
func systemReason(_ error: any Error, orElse other: String = "check its permissions and the disk") -> String {
  systemCode(error).map { String(cString: strerror($0)) } ?? other
}

/// Returns the `errno` of an error of Foundation; `nil` if the error has none.
func systemCode(_ error: any Error) -> Int32? {
  ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) }
}

/// Creates the folder to which a command writes, and its parent folders.
func makeFolder(_ path: String) throws {
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  } catch {
    throw CommandFailure(
      .disk,
      message(
        "cannot create the folder %@: %@", path,
        systemReason(error, orElse: "a file is in the way, or permissions are missing"),
        comment: "An error: a path and the reason."))
  }
}

/// Applies edits to a project's directory. If an edit fails, reports the edits that were already applied.
///
/// - Parameter isDryRun: whether to check only that the edits could be applied.
func apply(_ edits: TreeEdits, to directory: DirectoryTree, isDryRun: Bool = false, _ console: Console) throws {
  try apply([edits], to: directory, isDryRun: isDryRun, console)
}

/// Applies edits in several steps, one after the other. If an edit fails, reports the edits that were already applied.
func apply(_ steps: [TreeEdits], to directory: DirectoryTree, isDryRun: Bool = false, _ console: Console) throws {
  guard !isDryRun else { return try directory.check(steps) }
  var made: [String] = []
  do { try directory.apply(steps) { made.append($0.text) } } catch {
    if !made.isEmpty {
      console.failure(
        message(
          "Writing stopped early. Changed before the error: %@.", made.joined(separator: ", "),
          comment: "Before an error that ended a command: paths of files."))
    }
    throw error
  }
}

/// Options for extraction, shared by the commands that read sources.
struct ExtractionArguments: ParsableArguments {
  @Option(
    name: .customLong("macro"),
    help: .init(HelpText.macros, valueName: "name"))
  var macros: [String] = []

  var options: ExtractionOptions {
    ExtractionOptions(macros: macros, threads: max(1, ProcessInfo.processInfo.activeProcessorCount))
  }
}

/// The output format of a command: text for people, or JSON for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}
