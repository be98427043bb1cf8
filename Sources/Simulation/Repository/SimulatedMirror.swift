package import Localization
package import Pipeline
internal import Synchronization

/// The folder of a mirror on the daemon's machine. It outlives processes, and can be deleted at any time.
package final class MirrorFolder: Sendable {
  struct State {
    /// Each commit, with the time at which it was last written.
    var commits: [CommitID: Duration] = [:]
    /// The commits that were made in this mirror and are not known to exist elsewhere.
    var own: Set<CommitID> = []
    var branches: [BranchHead] = []
    var defaultBranch: String?
    var local: [String: CommitID] = [:]
  }

  let state = Mutex(State())

  package init() {}

  package func delete() { state.withLock { $0 = State() } }

  /// Simulates a power failure, in which commits that exist only in this mirror may be lost.
  package func loseUnsynced(_ random: inout SeededRandom) {
    for commit in state.withLock({ $0.own.sorted() }) where random.chance(50) {
      state.withLock { state in
        state.commits[commit] = nil
        state.own.remove(commit)
      }
    }
  }

  var commits: Set<CommitID> { Set(state.withLock { $0.commits.keys }) }
}

/// A mirror of a remote repository, as used by the stages.
package struct SimulatedMirror: RepositoryMirror {
  private let remote: RemoteRepository
  private let folder: MirrorFolder
  private let pipeline: String
  private let life: Life
  private let time: VirtualTime
  private var history: GitHistory { remote.history }

  package init(remote: RemoteRepository, folder: MirrorFolder, pipeline: String, life: Life, time: VirtualTime) {
    self.remote = remote
    self.folder = folder
    self.pipeline = pipeline
    self.life = life
    self.time = time
  }

  // MARK: The network

  /// Runs a request on the server. The server's health decides whether the request succeeds, fails or is delayed.
  private func connect<Value>(_ operation: String, _ body: () throws -> Value) async throws -> Value {
    try life.pass()
    switch remote.health {
    case .healthy: break
    case .silent:
      await time.sleep(.seconds(60))
      try Task.checkCancellation()
      try life.pass()
      throw fault(operation, "the server was silent for 60 s")
    case .refusing: throw fault(operation, "connection refused")
    case .failing:
      // The request is executed anyway.
      _ = try body()
      try life.pass()
      throw fault(operation, "the server closed the connection")
    case .slow:
      await time.sleep(.seconds(20))
      try Task.checkCancellation()
      try life.pass()
    }
    let value = try body()
    try life.pass()
    return value
  }

  private func fault(_ operation: String, _ detail: String) -> PipelineError {
    PipelineError(.notFound, operation: operation, detail: detail, disposition: .retry)
  }

  package func refresh() async throws -> [BranchHead] {
    try await connect("fetch \(remote.name)") {
      let branches = remote.branches
      let reachable = history.reachable(from: branches.map(\.commit))
      folder.state.withLock { state in
        for commit in reachable where state.commits[commit] == nil { state.commits[commit] = time.elapsed }
        state.own.subtract(reachable)
        state.branches = branches
        state.defaultBranch = branches.isEmpty ? nil : remote.defaultBranch
      }
      return branches
    }
  }

  package func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    _ = try held(commit)
    return try await connect("push \(branch)") {
      let standing = remote.head(of: branch)
      if standing == commit { return .upToDate }
      guard standing == expected else { return .leaseLost(remote: standing) }
      if let words = remote.refusal(of: branch) { return .refused(words) }
      remote.move(branch, to: commit, pipeline: pipeline)
      folder.state.withLock { state in
        state.branches.removeAll { $0.name == branch }
        state.branches.append(BranchHead(name: branch, commit: commit))
        state.branches.sort { $0.name < $1.name }
      }
      return .pushed
    }
  }

  // MARK: Reading

  private func held(_ id: CommitID) throws -> SimulatedCommit {
    guard folder.state.withLock({ $0.commits[id] != nil }), let commit = history[id] else {
      throw PipelineError(
        .notFound, operation: "read commit \(id.short)", detail: "it is not in the mirror", disposition: .permanent)
    }
    return commit
  }

  package func defaultBranch() async throws -> String? {
    try life.pass()
    return folder.state.withLock { $0.defaultBranch }
  }

  package func branches() async throws -> [BranchHead] {
    try life.pass()
    return folder.state.withLock { $0.branches }
  }

  package func commit(_ id: CommitID) async throws -> CommitInfo {
    try life.pass()
    return try held(id).info
  }

  package func tree(of commit: CommitID) async throws -> any SourceTree {
    try life.pass()
    return SimulatedTree(files: try held(commit).tree)
  }

  package func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange] {
    try life.pass()
    let old = try from.map { try held($0).tree }
    return try held(to).tree.changes(from: old)
  }

  package func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID? {
    try life.pass()
    return history.mergeBase(try held(a).id, try held(b).id)
  }

  package func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo] {
    try life.pass()
    _ = try held(tip)
    if let excluded { _ = try held(excluded) }
    return history.history(of: tip, excluding: excluded).prefix(limit).map(\.info)
  }

  package func holds(_ commit: CommitID) async throws -> Bool {
    try life.pass()
    return folder.state.withLock { $0.commits[commit] != nil }
  }

  /// Removes unreachable commits that were written more than two weeks ago, as the real mirror does.
  package func maintain() async throws {
    try life.pass()
    let now = time.elapsed
    folder.state.withLock { state in
      let kept = history.reachable(from: state.branches.map(\.commit) + state.local.values)
      state.commits = state.commits.filter { kept.contains($0.key) || $0.value > now - Self.keptUnreachable }
      state.own.formIntersection(state.commits.keys)
    }
  }

  private static let keptUnreachable = Duration.seconds(14 * 86_400)

  package func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] { [] }

  // MARK: Making commits

  private func keep(_ commit: SimulatedCommit) throws -> CommitID {
    folder.state.withLock { state in
      if state.commits.updateValue(time.elapsed, forKey: commit.id) == nil { state.own.insert(commit.id) }
    }
    try life.pass()
    return commit.id
  }

  package func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID {
    try life.pass()
    let tree = try held(parent).tree.applying(edits)
    return try keep(
      history.commit(tree, parents: [parent], message: message, author: author, committer: committer))
  }

  package func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult {
    try life.pass()
    let ours = try held(first).tree
    let theirs = try held(second).tree
    let base = history.mergeBase(first, second).flatMap { history[$0]?.tree } ?? FileTree()
    switch TreeMerge.merge(base: base, ours: ours, theirs: theirs, resolving: resolved) {
    case .conflicts(let paths): return .conflicts(paths)
    case .merged(let tree):
      return .merged(
        try keep(
          history.commit(tree, parents: [first, second], message: message, author: author, committer: committer)))
    }
  }

  package func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try life.pass()
    return folder.state.withLock { state in
      guard state.local[name] == old else { return false }
      state.local[name] = new
      return true
    }
  }

  package func localBranch(_ name: String) async throws -> CommitID? {
    try life.pass()
    return folder.state.withLock { $0.local[name] }
  }
}
