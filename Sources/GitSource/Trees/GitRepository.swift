import CLibGit2
package import Localization
package import Pipeline
private import Synchronization

/// A git repository on this machine. It may have a work tree, be bare, or have only HEAD and objects/.
///
/// Several threads can use a repository at the same time, because each call takes its own handle from a pool. Every call blocks on disk access.
package final class GitRepository: Sendable {
  /// The path as given, for messages.
  package let path: String
  /// The folder that contains HEAD.
  let folder: String
  /// The folder that contains refs/ and objects/. In a linked work tree it differs from `folder`.
  let commonFolder: String
  /// Whether libgit2 opens only the object database. This is necessary if the repository has only HEAD and objects/, or if its configuration must not
  /// be read.
  let isPlain: Bool
  /// The reason why only the object database is open, so that no references can be changed; `nil` if the whole repository is open.
  let readOnlyReason: String?
  /// Whether the repository has no work tree.
  package let isBare: Bool
  /// The path of the given folder within the work tree if the repository was found in a parent folder; otherwise the root.
  package let place: TreePath

  /// The folder that each handle opens.
  private let openFolder: String
  private let idle = Mutex(IdleHandles())
  /// The objects that were written through this value.
  let written = WrittenObjects()
  /// The record of missing objects, after which a mirror is checked for damage; `nil` if the repository is not a mirror.
  private let damage: DamageNote?
  /// The maximum number of idle handles. Further handles are closed, because each handle maps packs into memory.
  private let idleLimit = 8

  private struct IdleHandles {
    var handles: [RepositoryHandle] = []
    /// The number of times that the handles were closed. A handle that was in use at that time is closed when it is returned to the pool.
    var closings = 0
  }

  /// Opens the repository of a folder: the folder itself or its `.git`.
  /// - Parameter searchingUpwards: whether to search parent folders too, as git does inside a work tree.
  package convenience init(path: String, searchingUpwards: Bool = false) throws(GitError) {
    let location = try RepositoryLocation.find(path, searchingUpwards: searchingUpwards)
    // Another account may have created these files. libgit2 opens them without checking their type, and would block forever on a named pipe.
    if let name = ObjectFiles(folder: location.files.commonFolder + "/objects").irregularFile() {
      throw GitError(.obstructed, "open \(path)", "objects/\(name) is not a regular file")
    }
    try self.init(path: path, at: location, damage: nil)
  }

  /// Opens a mirror.
  convenience init(mirror folder: String, damage: DamageNote) throws(GitError) {
    try self.init(path: folder, at: RepositoryLocation.find(folder, searchingUpwards: false), damage: damage)
  }

  private init(path: String, at location: RepositoryLocation, damage: DamageNote?) throws(GitError) {
    let files = location.files
    let configuration = try ConfigurationFile(folder: files.commonFolder)
    guard !configuration.isOfOtherHash else {
      throw GitError(.unsupported, "open \(path)", "it uses SHA-256 object ids; Dragoman supports only SHA-1")
    }
    isPlain = location.isPlain || configuration.includesOthers
    let handle = try RepositoryHandle(
      folder: isPlain ? files.commonFolder : location.folder, isPlain: isPlain, written: written)
    self.path = path
    self.damage = damage
    place = location.place
    if isPlain {
      folder = files.folder
      commonFolder = files.commonFolder
      isBare = location.isPlain || !files.commonFolder.hasSuffix("/.git")
      readOnlyReason =
        location.isPlain
        ? "it has no refs/ folder"
        : "its config includes other files, which Dragoman does not read. Remove the include"
    } else {
      folder = unsafe withoutSlash(git_repository_path(handle.repository)) ?? location.folder
      commonFolder =
        unsafe withoutSlash(git_repository_commondir(handle.repository)) ?? location.folder
      isBare = unsafe git_repository_is_bare(handle.repository) == 1
      readOnlyReason = nil
    }
    openFolder = isPlain ? files.commonFolder : folder
    idle.withLock { $0.handles = [handle] }
  }

  /// Runs `body` with a handle that no other caller uses at the same time. A missing object is recorded in `damage`.
  func withHandle<R>(_ body: (RepositoryHandle) throws(GitError) -> R) throws(GitError) -> R {
    let (taken, closings) = idle.withLock { ($0.handles.popLast(), $0.closings) }
    let handle =
      if let taken { taken } else { try RepositoryHandle(folder: openFolder, isPlain: isPlain, written: written) }
    defer {
      idle.withLock { idle in
        if idle.closings == closings, idle.handles.count < idleLimit { idle.handles.append(handle) }
      }
    }
    do throws(GitError) { return try body(handle) } catch {
      if error.kind == .missingObject { damage?.note() }
      throw error
    }
  }

  /// Closes the handles and their open packs. The next use opens new handles.
  func closeHandles() {
    idle.withLock { idle in
      idle.handles = []
      idle.closings += 1
    }
  }

  /// The folder of the main work tree. For a bare repository, and for a submodule whose repository is in its parent's `.git`, the repository's own
  /// folder.
  package var root: String {
    // A linked work tree uses the objects of the main repository, so it has the same root.
    commonFolder.hasSuffix("/.git") ? String(commonFolder.dropLast(5)) : commonFolder
  }

  /// The checked out branch; `nil` if HEAD is detached.
  package var checkedOutBranch: String? { references.headBranch }

  /// Returns whether a branch with this name exists, locally or at the remote `origin`.
  package func hasBranch(_ name: String) -> Bool {
    ["refs/heads/", "refs/remotes/origin/"].contains { references.resolve($0 + name) != nil }
  }

  /// The URL of the remote `origin`; `nil` if there is none, or if the repository's configuration is not read.
  package var origin: String? {
    guard !isPlain else { return nil }
    return try? withHandle { (handle) throws(GitError) in
      let remote = try unsafe Owned(git_remote_free, "read origin") {
        unsafe git_remote_lookup(&$0, handle.repository, "origin")
      }
      return unsafe git_remote_url(remote.pointer).map { unsafe String(cString: $0) }
    }
  }

  var references: References { References(folder: folder, commonFolder: commonFolder) }

  /// Returns the tree of a commit.
  package func tree(of commit: CommitID) throws(GitError) -> GitTree {
    let id = try objectID(commit)
    return GitTree(self, root: try treeID(of: id))
  }

  func objectID(_ commit: CommitID) throws(GitError) -> ObjectID {
    guard let id = ObjectID(commit) else {
      throw GitError(
        .noSuchRevision, "read \(path)", "'\(commit)' is not a commit id of 40 hexadecimal digits")
    }
    return id
  }
}

/// A record of whether a required object was missing.
final class DamageNote: Sendable {
  private let noted = Mutex(false)

  var isNoted: Bool { noted.withLock { $0 } }

  func note() { noted.withLock { $0 = true } }

  /// Returns whether a missing object was recorded since the last call.
  func take() -> Bool {
    noted.withLock { noted in
      defer { noted = false }
      return noted
    }
  }
}

private func withoutSlash(_ path: UnsafePointer<CChar>?) -> String? {
  guard let path = unsafe path.map({ unsafe String(cString: $0) }) else { return nil }
  return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
}
