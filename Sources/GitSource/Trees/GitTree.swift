package import Localization
import Pipeline
private import Synchronization

/// A tree of a commit, read directly from the object database.
///
/// Listed folders are cached, but files are not. Several threads can read a tree at the same time.
package struct GitTree: SourceTree {
  /// The maximum size of a file in bytes. Larger files are rejected. Source files and catalogs are much smaller.
  package static let fileLimit = 64 << 20

  private let repository: GitRepository
  /// The id of the tree object.
  let root: ObjectID
  private let folders = FolderMemory()

  init(_ repository: GitRepository, root: ObjectID) {
    self.repository = repository
    self.root = root
  }

  /// The id of the tree object as 40 hexadecimal digits.
  package var id: String { root.hex }

  /// Returns the entries of two folders, in git's order.
  func lines(of old: ObjectID, and new: ObjectID) throws(GitError) -> (old: [TreeLine], new: [TreeLine]) {
    try repository.withHandle { (handle) throws(GitError) in (try handle.treeLines(old), try handle.treeLines(new)) }
  }

  /// Returns a folder of the tree as a separate tree.
  package func subtree(_ path: TreePath) throws(TreeError) -> GitTree {
    path.isRoot ? self : GitTree(repository, root: try folder(at: path).id)
  }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    try self.folder(at: folder).entries
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    guard !path.isRoot else { return TreeEntry(path: path, kind: .folder) }
    let parent: Folder
    do { parent = try folder(at: path.parent) } catch {
      // A path below a file or a link does not exist. A folder that cannot be read is an error.
      if error.kind == .unreadable { throw error }
      return nil
    }
    return parent.index(of: path).map { parent.entries[$0] }
  }

  /// Returns the commit of a submodule; `nil` if the path has no submodule.
  func submodule(at path: TreePath) throws(TreeError) -> CommitID? {
    guard let entry = try entry(at: path), entry.kind == .submodule else { return nil }
    let parent = try folder(at: path.parent)
    return parent.index(of: path).map { parent.ids[$0].commit }
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    guard !path.isRoot else {
      throw TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    }
    let parent = try folder(at: path.parent, for: path)
    guard let index = parent.index(of: path) else {
      throw TreeError(path: path, kind: .notFound, detail: "no such file")
    }
    let entry = parent.entries[index]
    switch entry.kind {
    case .file, .executable: break
    case .symbolicLink:
      throw TreeError(
        path: path, kind: .isSymbolicLink, detail: "is a symbolic link, which is not followed")
    case .folder: throw TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    case .submodule:
      throw TreeError(path: path, kind: .notAFile, detail: "is a submodule, not a file")
    }
    let id = parent.ids[index]
    let bytes: [UInt8]?
    do {
      bytes = try repository.withHandle { (handle) throws(GitError) in
        guard try handle.header(of: id).size <= Self.fileLimit else { return nil }
        return try unsafe handle.withObject(id) { unsafe [UInt8]($1) }
      }
    } catch {
      throw TreeError(path: path, kind: .unreadable, detail: unreadable(id, error))
    }
    guard let bytes else {
      throw TreeError(
        path: path, kind: .tooLarge, detail: "is larger than \(Self.fileLimit >> 20) MiB")
    }
    return bytes
  }

  /// Returns whether the tree has more than the given number of paths. The paths are counted only if a walk has listed the same tree objects many
  /// times, as happens only in malicious trees; otherwise the result is `false`. In an ordinary tree, counting would read every tree object again.
  package func holdsMore(than entries: Int) -> Bool {
    guard folders.isRepetitive else { return false }
    let root = root
    return
      (try? repository.withHandle { (handle) throws(GitError) in
        var count = PathCount(handle, limit: entries)
        return try count.differing(nil, root) > entries
      }) ?? false
  }

  /// Returns the folder at a path, and stores it in the cache.
  /// - Parameter asked: the path that errors report.
  private func folder(at path: TreePath, for asked: TreePath? = nil) throws(TreeError) -> Folder {
    if let known = folders[path] { return known }
    let asked = asked ?? path
    var id = root
    if !path.isRoot {
      let parent = try folder(at: path.parent, for: asked)
      guard let index = parent.index(of: path) else {
        throw TreeError(
          path: asked, kind: .notFound, detail: asked == path ? "no such folder" : "no such file")
      }
      switch parent.entries[index].kind {
      case .folder: id = parent.ids[index]
      case .symbolicLink:
        throw TreeError(
          path: asked, kind: .isSymbolicLink,
          detail: "\(path) is a symbolic link, which is not followed")
      case .submodule:
        throw TreeError(path: asked, kind: .notFound, detail: "\(path) is a submodule")
      case .file, .executable:
        throw TreeError(
          path: asked, kind: .notFound,
          detail: asked == path ? "is a file, not a folder" : "no such file")
      }
    }
    let folder: Folder
    do {
      folder = try repository.withHandle { (handle) throws(GitError) in
        try handle.folder(id, at: path)
      }
    } catch {
      throw TreeError(path: path, kind: .unreadable, detail: unreadable(id, error))
    }
    folders[path] = folder
    return folder
  }

  private func unreadable(_ id: ObjectID, _ error: GitError) -> String {
    guard error.kind == .missingObject else { return "\(error)" }
    let object = "object \(id.hex.prefix(10))"
    return repository.isPartial
      ? "\(object) is missing because the repository was cloned with a filter; `git fetch --refetch --no-filter` fetches all objects"
      : "\(object) is missing from the repository or damaged: \(error.detail)"
  }
}

/// A listed folder: its entries, sorted by the bytes of their names, and their ids.
struct Folder: Sendable {
  let id: ObjectID
  let entries: [TreeEntry]
  let ids: [ObjectID]

  func index(of path: TreePath) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].path < path { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].path == path ? low : nil
  }
}

/// The cache of listed folders. It is emptied when it becomes too large, which limits its memory use for any tree.
private final class FolderMemory: Sendable {
  private struct State {
    var folders: [TreePath: Folder] = [:]
    var entries = 0
    /// The number of listed folders, including repeated listings of the same object.
    var listed = 0
    var objects: Set<ObjectID> = []
  }

  private let state = Mutex(State())
  private let entryLimit = 200_000

  /// Whether a few tree objects make up most of the listed folders.
  var isRepetitive: Bool { state.withLock { $0.listed > 20 * $0.objects.count } }

  subscript(path: TreePath) -> Folder? {
    get { state.withLock { $0.folders[path] } }
    set {
      guard let newValue else { return }
      state.withLock { state in
        state.listed += 1
        state.objects.insert(newValue.id)
        if state.entries + newValue.entries.count > entryLimit {
          state.folders = [:]
          state.entries = 0
        }
        if state.folders.updateValue(newValue, forKey: path) == nil {
          state.entries += newValue.entries.count
        }
      }
    }
  }
}
