import Localization
import Pipeline

/// The repository of a mirror. All blocking disk access happens in this actor, on the threads of ``GitWorkers``.
actor MirrorStore {
  private nonisolated let executor: PooledSerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Allows only one refresh, push or maintenance at a time: their network children write to the mirror too.
  nonisolated let gate = OperationGate()

  let folder: String
  private weak let workers: GitWorkers?
  private var opened: GitRepository?
  /// The state of the pack folder when `opened` was opened. libgit2 would keep using deleted packs.
  private var openedStamp: FileStamp?
  /// Repositories that were opened before. Trees that are still in use keep them.
  private var former: [FormerRepository] = []
  private let damage = DamageNote()
  /// The last complete state that a refresh found. An unchanged poll need not open the repository.
  private var complete: (heads: RemoteHeads, stamp: FileStamp?)?
  /// Objects that were missing when the mirror was last removed. If they are missing again, the remote itself lacks them.
  private var missingBefore: Set<ObjectID> = []
  /// The branches that the last refresh left out, because their names are not UTF-8.
  private(set) var unreadable: [String] = []

  /// - Parameter folder: the folder of the bare repository. It need not exist yet.
  init(folder: String, workers: GitWorkers) {
    self.folder = folder
    self.workers = workers
    executor = PooledSerialExecutor(workers.pool)
  }

  /// Returns the repository. Creates it first if `creating` is set.
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

  /// Creates the mirror if it is missing.
  func prepare() throws(GitError) -> GitRepository { try repository(creating: true) }

  /// Returns the branches if they are at the same commits as on the remote and nothing is missing.
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

  /// Whether a read found an object missing since the last refresh.
  var isSuspect: Bool { damage.isNoted }

  /// Records that a required object is missing. The next refresh then checks the whole mirror.
  func noteDamage() { damage.note() }

  /// Searches for missing and damaged objects after one was found. If there are any, it removes the mirror, and the next download creates it
  /// again. A fetch alone would not download them, because git assumes that everything below a reference exists.
  private func healIfDamaged() throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    let tips = repository.references.list("refs/heads/").map(\.id)
    let missing = try repository.withHandle { (handle) throws(GitError) in
      try Reachability(handle).missing(from: tips)
    }
    if !missing.isSubset(of: missingBefore) {
      startAnew()
      // The next refresh finds out which objects the remote itself lacks.
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

  /// Prepares the mirror for a download. Removes it first if a reference is damaged, or points to a missing or damaged commit.
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

  /// Moves the mirror's branches to the commits of the remote's branches.
  func adopt(_ heads: RemoteHeads) throws(GitError) -> [BranchHead] {
    let repository = try repository(creating: true)
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in try handle.adopt(heads, over: references) }
    return heads.heads
  }

  /// Repacks if it is worth the time. No other operation may run on the mirror. Trees that are in use will find their objects again.
  func maintain(_ limits: MaintenanceLimits, now: Int, isCancelled: @escaping @Sendable () -> Bool) throws(GitError) {
    guard FileKind(folder + "/HEAD") != nil else { return }
    let repository = try repository()
    removeLeftovers()
    let maintenance = Maintenance(repository: repository, limits: limits, now: now, isCancelled: isCancelled)
    guard try maintenance.run() else { return }
    noteFormer()
    // An open pack that was deleted keeps its place on the disk.
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

  /// Moves the mirror's branch to the current commit of the remote's branch, so that `branches` is correct before the next look.
  func note(_ commit: CommitID, at branch: String) throws(GitError) {
    let repository = try repository()
    let id = try repository.objectID(commit)
    try repository.withHandle { (handle) throws(GitError) in try handle.setReference("refs/heads/" + branch, to: id) }
  }

  /// Sets a reference to a commit, which a push requires. It stays until the next push of the branch, and keeps only objects that the
  /// branch has.
  func name(_ commit: CommitID, for branch: String) throws(GitError) -> String {
    let repository = try repository()
    let id = try repository.objectID(commit)
    let name = "refs/dragoman-push/" + branch
    let references = repository.references
    try repository.withHandle { (handle) throws(GitError) in
      // A reference of an earlier push may collide: one name may be a folder of the other.
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
