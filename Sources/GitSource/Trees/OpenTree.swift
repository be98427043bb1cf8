package import Localization
package import Pipeline

/// What a command works on: the tree, and where it came from.
package struct OpenedTree: Sendable {
  package let tree: any SourceTree
  /// The directory, where the files of a plain directory were opened; edits may be applied to it.
  package let directory: DirectoryTree?
  /// The repository, where a revision was read.
  package let repository: GitRepository?
  /// The commit that the revision names; `nil` for a directory.
  package let commit: CommitID?
}

/// Opens what `PATH` and `--revision REV` name (cli.md). With a revision, its tree is read from the object database, of the repository at
/// the path or above it; without one, the directory is read, or `HEAD` where the path is a bare repository, even one that holds nothing
/// but HEAD and objects/.
/// - Parameter path: a folder, or a `file:` URL of one.
/// - Throws: `noSuchPath`, `notARepository`, `noSuchRevision`, `emptyRepository`, `unsupported` (another machine's repository).
package func openTree(path: String, revision: String? = nil) throws(GitError) -> OpenedTree {
  let path = try localPath(path)
  guard let kind = FileKind(path) else {
    throw GitError(.noSuchPath, "open \(path)", "no such file or folder")
  }
  guard kind == .folder else {
    throw GitError(.noSuchPath, "open \(path)", "it is a file, not a folder")
  }
  if revision == nil && !RepositoryLocation.looksBare(path) {
    let directory = DirectoryTree(path: path)
    return OpenedTree(tree: directory, directory: directory, repository: nil, commit: nil)
  }
  let repository = try GitRepository(path: path, searchingUpwards: true)
  let resolved = try repository.resolve(revision ?? "HEAD")
  // Listed once, so that a commit whose tree is missing is told here and not taken for an empty project.
  do { _ = try resolved.tree.list(.root) } catch {
    throw GitError(.missingObject, "read \(revision ?? "HEAD") of \(path)", error.detail)
  }
  return OpenedTree(
    tree: resolved.tree, directory: nil, repository: repository, commit: resolved.commit)
}

/// What stands on this machine is a path, whatever it looks like; of URLs only `file:` leads to one.
private func localPath(_ text: String) throws(GitError) -> String {
  if FileKind(text) != nil { return text }
  guard let path = try RemoteURL(text).localPath else {
    throw GitError(.unsupported, "open \(text)", "it is on another machine. Clone it, and give the path of the clone")
  }
  return path
}
