import Localization
import Pipeline

/// The mirror's own repository: everything that blocks on its disk happens in this actor, on the threads of ``GitWorkers``.
actor MirrorStore {
  private nonisolated let executor: PooledSerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Lets one of refresh, push and maintenance run at a time: their network children write to the mirror as well.
  nonisolated let gate = OperationGate()

  let folder: String
  private weak let workers: GitWorkers?
  private var opened: GitRepository?
  /// The packs when `opened` was opened; libgit2 would keep using packs that were deleted.
  private var openedStamp: FileStamp?
  private let damage = DamageNote()
  /// What the last refresh found complete, so that an unchanged poll opens nothing.
  private var complete: (heads: RemoteHeads, stamp: FileStamp?)?
  /// Objects that were missing when the mirror was last made anew. If they are missing again, the remote itself lacks them.
  private var missingBefore: Set<ObjectID> = []

  /// - Parameter folder: where the bare repository is, or will be.
  init(folder: String, workers: GitWorkers) {
    self.folder = folder
    self.workers = workers
    executor = PooledSerialExecutor(workers.pool)
  }

  /// The repository; made first where `creating` says so.
  func repository(creating: Bool = false) throws(GitError) -> GitRepository {
    // The folder is a cache that anybody may delete while we run.
    let stamp = packStamp
    if let opened, FileKind(folder + "/HEAD") != nil, stamp == openedStamp {
      workers?.noteUse(of: self)
      return opened
    }
    opened = nil
    if workers?.isFirstOpening(of: folder) ?? false { StaleFiles(folder: folder).remove() }
    if creating { try GitRepository.create(at: folder) }
    guard RepositoryLocation.looksBare(folder) else {
      throw GitError(.notARepository, "open mirror \(folder)", "there is no mirror yet")
    }
    let repository = try GitRepository(mirror: folder, damage: damage)
    opened = repository
    openedStamp = packStamp
    workers?.noteUse(of: self)
    return repository
  }

  private var packStamp: FileStamp? { FileStamp(folder + "/objects/pack") }

  /// Closes the repository; the next use opens it again.
  func close() { opened = nil }

  /// Makes the mirror where it is missing.
  func prepare() throws(GitError) -> GitRepository { try repository(creating: true) }

  /// The branches, if they are where the remote has them and nothing is missing.
  func unchanged(at heads: RemoteHeads) throws(GitError) -> [BranchHead]? {
    if damage.take() { try healIfDamaged() }
    guard FileKind(folder + "/HEAD") != nil else { return nil }
    let references = References(folder: folder, commonFolder: folder)
    guard references.branches == heads.heads,
      heads.defaultBranch == nil || references.headBranch == heads.defaultBranch
    else { return nil }
    let stamp = packStamp
    if let complete, complete.heads == heads, complete.stamp == stamp { return heads.heads }
    let repository = try repository()
    let isComplete = try repository.withHandle { (handle) throws(GitError) in
      for branch in heads.branches {
        guard let id = ObjectID(branch.commit), try handle.holdsCommit(id) else { return false }
      }
      return true
    }
    if isComplete { complete = (heads, stamp) }
    return isComplete ? heads.heads : nil
  }

  /// An object that must be there is missing; the next refresh looks for more.
  func noteDamage() { damage.note() }

  /// Looks for missing objects after one was found missing, and removes the mirror if there are some: the next download makes it anew.
  /// Without that a fetch would bring nothing, because git takes what references name to be there.
  private func healIfDamaged() throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    let tips = repository.references.list("refs/heads/").map(\.id)
    let missing = try repository.withHandle { (handle) throws(GitError) in
      try Reachability(handle).missing(from: tips)
    }
    if !missing.isSubset(of: missingBefore) {
      startAnew()
      // The next refresh finds out what the remote itself lacks.
      damage.note()
    }
    missingBefore = missing
  }

  /// Removes the mirror.
  private func startAnew() {
    opened = nil
    complete = nil
    StaleFiles(folder: folder).removeMirror()
  }

  /// Readies the mirror for a download: removes it if a branch leads to a commit that is missing.
  func prepareDownload() throws(GitError) -> GitRepository {
    let repository = try repository(creating: true)
    let tips = repository.references.list("refs/").map(\.id)
    let isWhole = try repository.withHandle { (handle) throws(GitError) in
      for id in tips { guard try handle.holdsCommit(id) else { return false } }
      return true
    }
    if isWhole { return repository }
    startAnew()
    return try self.repository(creating: true)
  }

  func download(from remote: LocalRemote) throws(GitError) -> RemoteHeads {
    let mirror = try prepareDownload()
    return try remote.download(into: mirror)
  }

  /// Moves the mirror's branches to where the remote's are.
  func adopt(_ heads: RemoteHeads) throws(GitError) -> [BranchHead] {
    let repository = try repository(creating: true)
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in try handle.adopt(heads, over: references) }
    return heads.heads
  }

  /// Repacks, if that is worth it. No other operation may run on the mirror; trees that are being read find their objects again.
  func maintain(_ limits: MaintenanceLimits, now: Int, isCancelled: @escaping @Sendable () -> Bool) throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    removeLeftovers()
    let maintenance = Maintenance(repository: repository, limits: limits, now: now, isCancelled: isCancelled)
    if try maintenance.run() { opened = nil }
  }

  func list(_ remote: LocalRemote) throws(GitError) -> RemoteHeads { try remote.heads() }

  func removeLeftovers() { ObjectFiles(folder: folder + "/objects").removeLeftovers() }

  func branches() throws(GitError) -> [BranchHead] { try repository().references.branches }

  func defaultBranch() throws(GitError) -> String? {
    let references = try repository().references
    return references.headBranch.flatMap { references.resolve("refs/heads/" + $0) == nil ? nil : $0 }
  }

  private func localName(_ name: String) throws(GitError) -> String {
    let full = "refs/dragoman/" + name
    guard References.isWellFormed(full) else {
      throw GitError(.failed, "open branch \(name)", "git does not allow this branch name")
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

  /// Moves the mirror's branch to a commit that the remote's branch has now, so that `branches` is right before the next look.
  func note(_ commit: CommitID, at branch: String) throws(GitError) {
    let repository = try repository()
    let id = try repository.objectID(commit)
    try repository.withHandle { (handle) throws(GitError) in try handle.setReference("refs/heads/" + branch, to: id) }
  }

  /// Gives a commit a name to be pushed by. It stays until the branch is pushed again, and holds nothing that the branch would not.
  func name(_ commit: CommitID, for branch: String) throws(GitError) -> String {
    let repository = try repository()
    let id = try repository.objectID(commit)
    let name = "refs/dragoman-push/" + branch
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in
      // A name of an earlier push may be a folder of this one, or the other way round.
      for old in references.list("refs/dragoman-push/").map(\.name) where RemoteHeads.collide(old, branch) {
        try handle.removeReference("refs/dragoman-push/" + old)
      }
      try handle.setReference(name, to: id)
    }
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
}
