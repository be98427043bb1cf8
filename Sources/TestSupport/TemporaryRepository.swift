private import Foundation

/// A real repository with a work tree. The git command line creates it with a fixed author and time, so the same steps give the same ids.
package final class TemporaryRepository: Sendable {
  package let folder: TemporaryFolder
  /// The work tree.
  package let path: String

  /// Creates an empty repository with the branch `main`.
  package init() throws {
    folder = try TemporaryFolder("repository")
    path = folder.file("work")
    try Self.git(["init", "-q", "-b", "main", path], in: folder.path)
  }

  /// Runs git without the host's configuration, and with a fixed author and time.
  /// - Returns: git's standard output, without the last newline.
  /// - Throws: ``CommandFailure`` if git exits with a status other than 0.
  @discardableResult
  package static func git(
    _ arguments: [String], in folder: String, seconds: Int = 1_700_000_000, input: String = ""
  ) throws -> String {
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "Test Author"
      environment["GIT_\(role)_EMAIL"] = "author@example.com"
      environment["GIT_\(role)_DATE"] = "\(seconds) +0000"
    }
    // A checkout may be mounted from another system. Git would then not trust the owner of the checkout.
    return try run("git", ["-c", "safe.directory=*"] + arguments, in: folder, environment: environment, input: input)
  }

  @discardableResult
  package func git(_ arguments: String..., seconds: Int = 1_700_000_000, input: String = "") throws -> String {
    try Self.git(arguments, in: path, seconds: seconds, input: input)
  }

  /// Writes a file of the work tree and creates its parent folders.
  package func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Writes files, removes other files and commits all changes.
  /// - Returns: the id of the commit.
  @discardableResult
  package func commit(
    _ files: [String: String] = [:], removing removed: [String] = [], message: String = "Change",
    seconds: Int = 1_700_000_000
  ) throws -> String {
    for (name, text) in files { try write(text, to: name) }
    for name in removed { try FileManager.default.removeItem(atPath: path + "/" + name) }
    try git("add", "-A", seconds: seconds)
    try git("commit", "-q", "--allow-empty", "-m", message, seconds: seconds)
    return try git("rev-parse", "HEAD")
  }

  /// Creates a bare clone next to the work tree.
  /// - Returns: the path of the clone.
  package func bareCopy(named name: String = "bare.git") throws -> String {
    let bare = folder.file(name)
    try Self.git(["clone", "-q", "--bare", path, bare], in: folder.path)
    return bare
  }
}
