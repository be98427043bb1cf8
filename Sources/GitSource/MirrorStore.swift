import CLibGit2
private import Glibc
import Localization
import Pipeline

/// The mirror's own repository: everything that blocks on its disk happens on this actor's thread.
actor MirrorStore {
  private nonisolated let executor = SerialQueueExecutor("mirror")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private let folder: String
  private var opened: GitRepository?

  /// - Parameter folder: where the bare repository is, or will be.
  init(folder: String) { self.folder = folder }

  /// The repository; made first where `creating` says so.
  private func repository(creating: Bool = false) throws(GitError) -> GitRepository {
    // The folder is a cache that anybody may delete while we run.
    if let opened, FileKind(folder + "/HEAD") != nil { return opened }
    if creating {
      try GitRepository.create(at: folder)
      removeStaleLocks()
    }
    guard RepositoryLocation.looksBare(folder) else {
      throw GitError(.notARepository, "open mirror \(folder)", "there is no mirror yet")
    }
    let repository = try GitRepository(path: folder)
    opened = repository
    return repository
  }

  /// Makes the mirror where it is missing.
  func prepare() throws(GitError) -> GitRepository { try repository(creating: true) }

  func download(from remote: LocalRemote) throws(GitError) -> RemoteHeads {
    let mirror = try repository(creating: true)
    return try remote.download(into: mirror)
  }

  /// Moves the mirror's branches to where the remote's are.
  func adopt(_ heads: RemoteHeads) throws(GitError) -> [BranchHead] {
    let repository = try repository(creating: true)
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in try handle.adopt(heads, over: references) }
    return heads.heads
  }

  func list(_ remote: LocalRemote) throws(GitError) -> [BranchHead] { try remote.heads().heads }

  func removeLeftovers() { ObjectFiles(folder: folder + "/objects").removeLeftovers() }

  func branches() throws(GitError) -> [BranchHead] { try repository().references.branches }

  func defaultBranch() throws(GitError) -> String? {
    let references = try repository().references
    return references.headBranch.flatMap { references.resolve("refs/heads/" + $0) == nil ? nil : $0 }
  }

  func commit(_ id: CommitID) throws(GitError) -> CommitInfo {
    let repository = try repository()
    let id = try repository.objectID(id)
    return try repository.withHandle { (handle) throws(GitError) in try handle.commitInfo(id) }
  }

  func tree(of commit: CommitID) throws(GitError) -> GitTree { try repository().tree(of: commit) }

  func changes(from: CommitID?, to: CommitID) throws(GitError) -> [TreeChange] {
    try difference(from, to) { (difference) in difference.changes }
  }

  func statistics(from: CommitID?, to: CommitID) throws(GitError) -> [FileStatistics] {
    try difference(from, to) { (difference) in difference.statistics }
  }

  private func difference<R>(
    _ from: CommitID?, _ to: CommitID, _ body: (borrowing TreeDifference) -> R
  ) throws(GitError) -> R {
    let repository = try repository()
    let old = try from.map { (id) throws(GitError) in try repository.objectID(id) }
    let new = try repository.objectID(to)
    return try repository.withHandle { (handle) throws(GitError) in
      let oldTree = try old.map { (id) throws(GitError) in try handle.commitTree(id) }
      let difference = try TreeDifference(handle, from: oldTree, to: handle.commitTree(new))
      return body(difference)
    }
  }

  func mergeBase(_ a: CommitID, _ b: CommitID) throws(GitError) -> CommitID? {
    let repository = try repository()
    let (a, b) = (try repository.objectID(a), try repository.objectID(b))
    return try repository.withHandle { (handle) throws(GitError) in
      try CommitWalk.mergeBase(a, b, in: handle)?.commit
    }
  }

  func history(of tip: CommitID, excluding: CommitID?, limit: Int) throws(GitError) -> [CommitInfo] {
    let repository = try repository()
    let tip = try repository.objectID(tip)
    let excluded = try excluding.map { (id) throws(GitError) in try repository.objectID(id) }
    return try repository.withHandle { (handle) throws(GitError) in
      var found: [CommitInfo] = []
      for id in try CommitWalk.history(of: tip, excluding: excluded, limit: limit, in: handle) {
        found.append(try handle.commitInfo(id))
      }
      return found
    }
  }

  func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) throws(GitError) -> CommitID {
    let repository = try repository()
    let parent = try repository.objectID(parent)
    return try repository.withHandle { (handle) throws(GitError) in
      let tree = try handle.editedTree(handle.commitTree(parent), edits)
      return try handle.makeCommit(
        tree: tree, parents: [parent], message: message, author: author, committer: committer
      ).commit
    }
  }

  private func localName(_ name: String) throws(GitError) -> String {
    let full = "refs/dragoman/" + name
    guard References.isWellFormed(full) else {
      throw GitError(.failed, "open branch \(name)", "is not a name that a branch may have")
    }
    return full
  }

  func localBranch(_ name: String) throws(GitError) -> CommitID? {
    try repository().references.resolve(localName(name))?.commit
  }

  func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) throws(GitError) -> Bool {
    let repository = try repository()
    let name = try localName(name)
    let old = try old.map { (id) throws(GitError) in try repository.objectID(id) }
    let new = try repository.objectID(new)
    return try repository.withHandle { (handle) throws(GitError) in
      try handle.moveReference(name, from: old, to: new)
    }
  }

  /// Gives a commit a name to be pushed by. It stays until the branch is pushed again, and holds nothing that the branch would not.
  func name(_ commit: CommitID, for branch: String) throws(GitError) -> String {
    let repository = try repository()
    let id = try repository.objectID(commit)
    let name = "refs/dragoman-push/" + branch
    try repository.withHandle { (handle) throws(GitError) in try handle.setReference(name, to: id) }
    return name
  }

  func push(
    _ commit: CommitID, to branch: String, expecting expected: CommitID?, at remote: LocalRemote
  ) throws(GitError) -> PushResult {
    let repository = try repository()
    let commit = try repository.objectID(commit)
    let expected = try expected.map { (id) throws(GitError) in try repository.objectID(id) }
    return try remote.push(commit, to: branch, expecting: expected, from: repository)
  }

  /// Locks of a process that was killed. One process at a time uses a mirror, and none holds a lock for a minute.
  private func removeStaleLocks() {
    var pending = ["refs"]
    var locks = ["HEAD.lock", "packed-refs.lock", "config.lock"]
    while let next = pending.popLast() {
      for name in folderNames(folder + "/" + next) ?? [] {
        let path = next + "/" + name
        if FileKind(folder + "/" + path) == .folder { pending.append(path) }
        if name.hasSuffix(".lock") { locks.append(path) }
      }
    }
    for lock in locks {
      var status = stat()
      guard unsafe stat(folder + "/" + lock, &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 else {
        continue
      }
      _ = unsafe unlink(folder + "/" + lock)
    }
  }
}

extension GitRepository {
  /// Makes a bare repository, folders above it included; nothing happens where there is one.
  static func create(at folder: String, defaultBranch: String = "main") throws(GitError) {
    LibGit2.start()
    if RepositoryLocation.looksBare(folder) && FileKind(folder + "/refs") == .folder { return }
    var options = unsafe git_repository_init_options()
    let operation = "create \(folder)"
    try makeFolders(folder)
    // libgit2 trips over doubled slashes and links on the way.
    guard let folder = RepositoryLocation.absolute(folder) else { throw GitError(.disk, operation, systemError()) }
    try unsafe check(
      operation, git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)))
    unsafe options.flags = GIT_REPOSITORY_INIT_BARE.rawValue
    let code = unsafe defaultBranch.withCString { name in
      unsafe options.initial_head = unsafe name
      var made: OpaquePointer?
      let code = unsafe git_repository_init_ext(&made, folder, &options)
      unsafe git_repository_free(made)
      return code
    }
    try check(operation, code)
  }
}
