package import Localization
package import Pipeline

/// The tree that a command works on, and its origin.
package struct OpenedTree: Sendable {
  package let tree: any SourceTree
  /// The directory if the files of a directory were opened; `nil` otherwise. Edits can be applied to the directory.
  package let directory: DirectoryTree?
  /// The repository if a revision was read; `nil` otherwise.
  package let repository: GitRepository?
  /// The commit of the revision; `nil` for a directory, and for a revision without a commit, such as the id of a tree.
  package let commit: CommitID?
}

/// Opens the tree that `PATH` and `--revision REV` specify (cli.md). With a revision, the tree is read from the object database of the repository at
/// the path or above it. If the path is a folder below the work tree's root, the same folder of the revision is read, unless the revision names a
/// folder (`HEAD:Folder`). Without a revision, the directory is read. If the path is a bare repository, `HEAD` is read, even if the repository has
/// only HEAD and objects/.
/// - Parameters:
///   - path: the path or `file:` URL of a folder.
///   - isNew: whether a folder that does not exist in the revision is read as an empty folder.
/// - Throws: for example `noSuchPath`, `notARepository`, `noSuchRevision`, `emptyRepository`, or `unsupported` for a repository on another machine.
package func openTree(
  path: String, revision: String? = nil, allowingNew isNew: Bool = false
) throws(GitError) -> OpenedTree {
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
  // Lists the root, because a commit with a missing tree must be reported and not treated as an empty project.
  do { _ = try resolved.tree.list(.root) } catch {
    throw GitError(.missingObject, "read \(revision ?? "HEAD") of \(path)", error.detail)
  }
  let tree = try folder(of: resolved.tree, at: revision, in: repository, allowingNew: isNew)
  return OpenedTree(tree: tree, directory: nil, repository: repository, commit: resolved.commit)
}

/// Returns the folder of the revision's tree that corresponds to the opened path; the whole tree if no revision was given or the revision names a
/// folder.
private func folder(
  of tree: GitTree, at revision: String?, in repository: GitRepository, allowingNew isNew: Bool
) throws(GitError) -> any SourceTree {
  guard let revision, !revision.contains(":") else { return tree }
  do { return try tree.subtree(repository.place) } catch {
    if isNew, error.kind == .notFound { return InMemoryTree([:]) }
    throw GitError(
      error.kind == .unreadable ? .missingObject : .noSuchRevision, "read \(revision) of \(repository.path)", "\(error)"
    )
  }
}

/// Returns the local path of a path or URL. A text that is the path of an existing file or folder is never read as a URL. The only local URLs are
/// `file:` URLs.
private func localPath(_ text: String) throws(GitError) -> String {
  if FileKind(text) != nil { return text }
  guard let path = try RemoteURL(text).localPath else {
    throw GitError(.unsupported, "open \(text)", "it is on another machine. Clone it, and pass the path of the clone")
  }
  return path
}
