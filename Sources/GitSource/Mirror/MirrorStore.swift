import Localization
import Pipeline

/// The repository of a mirror. The functions of this actor wait for the disk, so they run on the threads of ``GitWorkers``.
actor MirrorStore {
  private nonisolated let executor: PooledSerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// A lock that allows only one refresh, fetch, push or maintenance at a time. The actor alone does not suffice, because network children also write
  /// to the mirror.
  nonisolated let gate = OperationGate()

  let folder: String
  private weak let workers: GitWorkers?
  private var opened: GitRepository?
  /// The state of the pack folder when `opened` was opened. After a change the repository is opened again, because libgit2 would keep using deleted
  /// packs.
  private var openedStamp: FileStamp?
  /// The repositories that were opened before. Trees that are still in use retain them.
  private var former: [FormerRepository] = []
  private let damage = DamageNote()
  /// The last state in which a refresh could read the commits of all branches and their root trees; `nil` if there was none. If neither the remote
  /// nor the pack folder has changed since then, a refresh does not have to open the repository.
  private var complete: (heads: RemoteHeads, stamp: FileStamp?)?
  /// The objects that were missing at the last check of the mirror. If they are missing again after the mirror was removed and fetched again, the
  /// remote itself lacks them.
  private var missingBefore: Set<ObjectID> = []
  /// The names of the branches that the last refresh skipped because the names are not UTF-8.
  private(set) var unreadable: [String] = []

  /// - Parameter folder: the folder of the bare repository. It need not exist yet.
  init(folder: String, workers: GitWorkers) {
    self.folder = folder
    self.workers = workers
    executor = PooledSerialExecutor(workers.pool)
  }

  /// Returns the repository, which is opened again if it was closed or changed. The first opening in this process also removes the leftover files of
  /// killed processes.
  /// - Parameter creating: whether to create a missing repository.
  /// - Throws: `noMirror` if the repository is missing and `creating` is `false`.
  func repository(creating: Bool = false) throws(GitError) -> GitRepository {
    // The folder is a cache that can be deleted while we run.
    let stamp = packStamp
    if let opened, FileKind(folder + "/HEAD") != nil, stamp == openedStamp {
      workers?.noteUse(of: self)
      return opened
    }
    noteFormer()
    if workers?.isFirstOpening(of: folder) ?? false { StaleFiles(folder: folder).remove() }
    if creating { try GitRepository.create(at: folder) }
    guard RepositoryLocation.looksBare(folder) else {
      throw GitError(.noMirror, "open mirror \(folder)", "there is no mirror yet")
    }
    let repository = try GitRepository(mirror: folder, damage: damage)
    opened = repository
    openedStamp = packStamp
    workers?.noteUse(of: self)
    return repository
  }

  private var packStamp: FileStamp? { FileStamp(folder + "/objects/pack") }

  /// Closes the repository. The next use opens it again.
  func close() { noteFormer() }

  private func noteFormer() {
    former.removeAll { $0.repository == nil }
    if let opened { former.append(FormerRepository(repository: opened)) }
    opened = nil
  }

  private struct FormerRepository {
    weak var repository: GitRepository?
  }

  /// Returns the mirror's repository, which is created if it is missing.
  func prepare() throws(GitError) -> GitRepository { try repository(creating: true) }

  /// Returns the branches if they are the same as on the remote, all their commits can be read, and the default branch is the same or the remote
  /// reports none; otherwise `nil`. If a missing object was recorded, the whole mirror is checked first.
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
        guard let id = ObjectID(branch.commit), try handle.canReadCommit(id) else { return false }
      }
      return true
    }
    if isComplete { complete = (heads, stamp) }
    return isComplete ? heads.heads : nil
  }

  func note(unreadable names: [String]) { unreadable = names }

  /// Whether a read has reported a missing object since the last refresh.
  var isSuspect: Bool { damage.isNoted }

  /// Records that a required object is missing. The next refresh then checks the whole mirror.
  func noteDamage() { damage.note() }

  /// Searches everything that the mirror's branches contain for missing and damaged objects. If there are any, removes the mirror, and the next
  /// download creates it again. The mirror is kept if all of these objects were already missing at the last check. A fetch alone would not download
  /// the missing objects, because git assumes that everything below a reference exists.
  private func healIfDamaged() throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    let tips = repository.references.list("refs/heads/").map(\.id)
    let missing = try repository.withHandle { (handle) throws(GitError) in
      try Reachability(handle).missing(from: tips)
    }
    if !missing.isSubset(of: missingBefore) {
      startAnew()
      // The next refresh then determines which objects the remote itself lacks.
      damage.note()
    }
    missingBefore = missing
  }

  /// Removes the mirror.
  private func startAnew() {
    noteFormer()
    complete = nil
    StaleFiles(folder: folder).removeMirror()
  }

  /// Prepares the mirror for a download. Removes the mirror first if a reference is damaged, or points to a missing or damaged commit.
  func prepareDownload() throws(GitError) -> GitRepository {
    if References(folder: folder, commonFolder: folder).areDamaged { startAnew() }
    let repository = try repository(creating: true)
    let tips = repository.references.list("refs/").map(\.id)
    let isWhole = try repository.withHandle { (handle) throws(GitError) in
      for id in tips { guard try handle.canReadCommit(id) else { return false } }
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

  func download(_ reference: String, from remote: LocalRemote) throws(GitError) -> CommitID? {
    try remote.download(reference, into: prepareDownload())
  }

  func download(_ commit: CommitID, from remote: LocalRemote) throws(GitError) -> Bool {
    try remote.download(commit, into: prepareDownload())
  }

  /// Makes the mirror's branches equal to the remote's, and also the default branch if the remote reports one.
  /// - Returns: the branches.
  func adopt(_ heads: RemoteHeads) throws(GitError) -> [BranchHead] {
    let repository = try repository(creating: true)
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in try handle.adopt(heads, over: references) }
    return heads.heads
  }

  /// Removes the remains of interrupted downloads, and repacks the mirror if its number of files exceeds the limits. No other operation may run on
  /// the mirror. Trees that are in use can still read their objects afterwards.
  func maintain(_ limits: MaintenanceLimits, now: Int, isCancelled: @escaping @Sendable () -> Bool) throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    removeLeftovers()
    let maintenance = Maintenance(repository: repository, limits: limits, now: now, isCancelled: isCancelled)
    guard try maintenance.run() else { return }
    noteFormer()
    // A deleted pack occupies disk space until it is closed.
    for former in former { former.repository?.closeHandles() }
  }

  func list(_ remote: LocalRemote) throws(GitError) -> RemoteHeads { try remote.heads() }

  func checkPush(to remote: LocalRemote) throws(GitError) { try remote.checkPush() }

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

  /// Moves the mirror's branch to the current commit of the remote's branch. This makes `branches` correct before the next refresh.
  func note(_ commit: CommitID, at branch: String) throws(GitError) {
    let repository = try repository()
    let id = try repository.objectID(commit)
    try repository.withHandle { (handle) throws(GitError) in try handle.setReference("refs/heads/" + branch, to: id) }
  }

  /// Sets a reference to a commit, because only a reference can be pushed. The reference stays until the next push of the branch, or of a branch with
  /// a conflicting name. After a successful push, it retains only objects that the remote's branch also contains.
  /// - Returns: the name of the reference.
  func name(_ commit: CommitID, for branch: String) throws(GitError) -> String {
    let repository = try repository()
    let id = try repository.objectID(commit)
    let name = "refs/dragoman-push/" + branch
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in
      // A reference of an earlier push may conflict, as `l10n` conflicts with `l10n/main`.
      for old in references.list("refs/dragoman-push/").map(\.name) where BranchHead.collide(old, branch) {
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
