package import Localization
package import Pipeline

/// The tree that a command works on, and its origin.
package struct OpenedTree: Sendable {
  package let tree: any SourceTree
  /// The directory, if the files of a directory were opened. Edits can be applied to it.
  package let directory: DirectoryTree?
  /// The repository, if a revision was read.
  package let repository: GitRepository?
  /// The commit of the revision; `nil` for a directory.
  package let commit: CommitID?
}

/// Opens the tree that `PATH` and `--revision REV` specify (cli.md). With a revision, the tree is read from the object database of the
/// repository at the path or above it. If the path is a folder below the work tree's root, that folder of the revision is read, unless the
/// revision names one itself (`HEAD:Folder`). Without a revision, the directory is read; if the path is a bare repository, `HEAD` is read,
/// even if there is nothing but HEAD and objects/.
/// - Parameters:
///   - path: a folder, or a `file:` URL of one.
///   - isNew: whether a folder that the revision does not have yet is read as an empty one.
/// - Throws: `noSuchPath`, `notARepository`, `noSuchRevision`, `emptyRepository`, `unsupported` (a repository on another machine).
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
  // Lists the root: a commit with a missing tree is reported here, and not treated as an empty project.
  do { _ = try resolved.tree.list(.root) } catch {
    throw GitError(.missingObject, "read \(revision ?? "HEAD") of \(path)", error.detail)
  }
  let tree = try folder(of: resolved.tree, at: revision, in: repository, allowingNew: isNew)
  return OpenedTree(tree: tree, directory: nil, repository: repository, commit: resolved.commit)
}

/// Returns the part of a tree that belongs to the folder that was given.
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

/// Returns a local path. Text that names an existing file is a path, even if it looks like a URL. Of URLs, only `file:` is local.
private func localPath(_ text: String) throws(GitError) -> String {
  if FileKind(text) != nil { return text }
  guard let path = try RemoteURL(text).localPath else {
    throw GitError(.unsupported, "open \(text)", "it is on another machine. Clone it, and give the path of the clone")
  }
  return path
}
