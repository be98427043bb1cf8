import CLibGit2
import Glibc
import Localization
import Pipeline

extension RepositoryHandle {
  /// Atomically moves a reference if it points to `old`. If `old` is `nil`, the reference must not exist.
  /// - Parameter pause: waits before another attempt; see ``pauseForLock(_:)``.
  /// - Returns: whether the reference was moved; `false` if its value is not `old`.
  /// - Throws: ``GitError`` of kind `locked` if the reference stays locked.
  func moveReference(
    _ name: String, from old: ObjectID?, to new: ObjectID, pause: (Int) -> Void = RepositoryHandle.pauseForLock
  ) throws(GitError) -> Bool {
    try unlocked(pause) { () throws(GitError) in try moveUnlockedReference(name, from: old, to: new) }
  }

  /// Runs an operation on a reference, and retries it while the reference is locked. A stage or process holds the lock of a reference only briefly.
  /// Therefore the operation is retried for about one second. Git retries for 0.1 s (`core.filesRefLockTimeout`).
  /// - Parameter pause: blocks the calling thread before another attempt. It receives the number of attempts so far.
  private func unlocked<Result>(
    _ pause: (Int) -> Void, _ change: () throws(GitError) -> Result
  ) throws(GitError) -> Result {
    var attempts = 1
    while true {
      do throws(GitError) {
        return try change()
      } catch {
        guard error.kind == .locked, attempts < RepositoryHandle.lockAttempts else { throw error }
        pause(attempts)
        attempts += 1
      }
    }
  }

  private static let lockAttempts = 12

  /// Waits 10 ms after the first attempt, and twice as long after each further attempt, up to 0.1 s. The total is 0.85 s.
  private static func pauseForLock(_ attempts: Int) {
    let milliseconds = min(100, 5 << attempts)
    poll(nil, 0, Int32(milliseconds))
  }

  private func moveUnlockedReference(_ name: String, from old: ObjectID?, to new: ObjectID) throws(GitError) -> Bool {
    let operation = "move \(name) to \(new)"
    var raw = new.raw
    var reference: OpaquePointer?
    let code: Int32
    if let old {
      var expected = old.raw
      code = unsafe git_reference_create_matching(&reference, repository, name, &raw, 1, &expected, nil)
    } else {
      code = unsafe git_reference_create(&reference, repository, name, &raw, 0, nil)
    }
    unsafe git_reference_free(reference)
    if code == GIT_EMODIFIED.rawValue || code == GIT_EEXISTS.rawValue || (old != nil && code == GIT_ENOTFOUND.rawValue)
    {
      git_error_clear()
      return false
    }
    try check(operation, code)
    try syncReferenceFolders(of: name)
    return true
  }

  /// Syncs the parents of a reference's folder. libgit2 syncs the reference and its folder, but not the parents of a new folder.
  private func syncReferenceFolders(of name: String) throws(GitError) {
    guard let common = unsafe git_repository_commondir(repository).map({ unsafe String(cString: $0) }) else { return }
    var folders = name.split(separator: "/").dropLast()
    while folders.popLast() != nil, !folders.isEmpty { try syncFolder(common + folders.joined(separator: "/")) }
  }

  /// Sets a reference regardless of its current value.
  func setReference(
    _ name: String, to id: ObjectID, pause: (Int) -> Void = RepositoryHandle.pauseForLock
  ) throws(GitError) {
    try unlocked(pause) { () throws(GitError) in
      var raw = id.raw
      var reference: OpaquePointer?
      let code = unsafe git_reference_create(&reference, repository, name, &raw, 1, nil)
      unsafe git_reference_free(reference)
      try check("set \(name)", code)
    }
  }

  func removeReference(
    _ name: String, pause: (Int) -> Void = RepositoryHandle.pauseForLock
  ) throws(GitError) {
    try unlocked(pause) { () throws(GitError) in
      let code = unsafe git_reference_remove(repository, name)
      if code == GIT_ENOTFOUND.rawValue { git_error_clear() } else { try check("remove \(name)", code) }
    }
  }

  func setHead(toBranch branch: String) throws(GitError) {
    try unsafe check("set HEAD", git_repository_set_head(repository, "refs/heads/" + branch))
  }

  /// The maximum number of branches that are written or removed one by one. If more change, all branches are written together in one file, which
  /// takes as long as a few single writes.
  private static let mostSingle = 32

  /// Updates `refs/heads/` to the branches of a remote, and HEAD to its default branch if there is one. Branches that the remote no longer has are
  /// removed.
  func adopt(_ heads: RemoteHeads, over references: References) throws(GitError) {
    let known = Dictionary(uniqueKeysWithValues: references.list("refs/heads/").map { ($0.name, $0.id) })
    let wanted = Dictionary(heads.branches.map { ($0.name, ObjectID($0.commit)) }) { first, _ in first }
    let old = known.keys.filter { wanted[$0] == nil }
    let changed = heads.branches.compactMap { branch in
      ObjectID(branch.commit).flatMap { known[branch.name] == $0 ? nil : (name: branch.name, id: $0) }
    }
    if old.count + changed.count > Self.mostSingle {
      try PackedReferences(folder: references.commonFolder).replaceBranches(
        with: heads.branches.compactMap { branch in
          ObjectID(branch.commit).map { ("refs/heads/" + branch.name, $0) }
        })
    } else {
      // Old branches are removed first, because `a` and `a/b` cannot both exist.
      for name in old { try removeReference("refs/heads/" + name) }
      for (name, id) in changed { try setReference("refs/heads/" + name, to: id) }
    }
    if let branch = heads.defaultBranch, references.headBranch != branch { try setHead(toBranch: branch) }
  }
}

/// The branches of a remote, and its default branch.
struct RemoteHeads: Codable, Sendable, Equatable {
  struct Branch: Codable, Sendable, Equatable {
    var name: String
    var commit: CommitID
  }

  var branches: [Branch]
  var defaultBranch: String?
  /// The names of branches that are not UTF-8, with escapes. They are not in `branches`.
  var unreadable: [String] = []

  /// - Parameter branches: the branches in any order. They are stored sorted by the bytes of their names.
  init(branches: [Branch], defaultBranch: String?) {
    self.branches = branches.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.defaultBranch = defaultBranch
  }

  /// The branch name for a repository that has a detached HEAD and no branches, such as a checkout in CI.
  static let detachedName = "main"

  init(_ references: References) {
    let heads = references.validated("refs/heads/")
    var branches = heads.found.map { Branch(name: $0.name, commit: $0.id.commit) }
    var defaultBranch = references.headBranch
    if let branch = defaultBranch, !branches.contains(where: { $0.name == branch }) { defaultBranch = nil }
    if case .object(let id)? = references.head, case let head = id.commit {
      if branches.isEmpty { branches = [Branch(name: Self.detachedName, commit: head)] }
      defaultBranch =
        ["main", "master"].first { name in branches.contains { $0.name == name && $0.commit == head } }
        ?? branches.first { $0.commit == head }?.name
    }
    self.init(branches: branches, defaultBranch: defaultBranch)
    unreadable = heads.unreadable
  }

  /// Checks that a branch can be created.
  /// - Throws: `branchConflict` if the new branch's name conflicts with an existing branch, as `l10n` conflicts with `l10n/main`.
  func checkCollision(of branch: String, _ operation: String) throws(GitError) {
    guard let other = branches.first(where: { BranchHead.collide($0.name, branch) })?.name else { return }
    throw GitError(
      .branchConflict, operation,
      "git cannot create '\(branch)', because the repository has a branch '\(other)'. Delete or rename '\(other)', or set another "
        + "deliver.branch")
  }

  var heads: [BranchHead] { branches.map { BranchHead(name: $0.name, commit: $0.commit) } }
}
