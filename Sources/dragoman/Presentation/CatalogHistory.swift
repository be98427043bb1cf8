import GitSource
import Localization
import Pipeline
import Workspace

/// The history of the catalogs in the tree that a command reads.
struct CatalogHistory {
  private let repository: GitRepository
  private let head: CommitID
  /// The project's folder in the trees of the commits.
  private let folder: TreePath

  /// Opens the repository of a tree. Returns `nil` for a directory outside a repository, or in a repository without a commit.
  init?(of options: TreeOptions) throws {
    guard options.revision == nil else {
      repository = try GitRepository(path: options.path, searchingUpwards: true)
      let parts = (options.revision ?? "").split(separator: ":", maxSplits: 1).map(String.init)
      head = try repository.commit(named: parts.first ?? "HEAD")
      folder = parts.count == 2 ? TreePath(checking: parts[1]) ?? .root : repository.place
      return
    }
    guard let found = try? GitRepository(path: options.path, searchingUpwards: true),
      let commit = try? found.commit(named: "HEAD")
    else { return nil }
    repository = found
    head = commit
    folder = found.place
  }

  func walk(limit: Int, _ search: inout EntryOrigins) throws {
    let (commits, isWhole) = try repository.firstParents(of: head, limit: limit)
    for info in commits {
      let version = EntryOrigins.Version(
        commit: info.id.rawValue, author: info.author.name, seconds: info.author.seconds)
      let root = try repository.tree(of: info.id)
      guard search.look(at: version, folder.isRoot ? root : try? root.subtree(folder)) else { return }
    }
    if isWhole { search.end() }
  }
}
