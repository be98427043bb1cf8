import GitSource
import Localization
import Pipeline
import Synchronization

/// A mirror that notes pushes instead of making them. Everything else happens in the copy of the mirror that a dry run has.
final class DryMirror: RepositoryMirror {
  private let mirror: GitMirror
  private let pipeline: String
  private let journal: DryRunJournal
  /// The branches as they would be after the pushes.
  private let pushed = Mutex<[String: CommitID]>([:])

  init(_ mirror: GitMirror, of pipeline: String, _ journal: DryRunJournal) {
    self.mirror = mirror
    self.pipeline = pipeline
    self.journal = journal
  }

  private func moved(_ branches: [BranchHead]) -> [BranchHead] {
    let pushed = pushed.withLock { $0 }
    let others = branches.filter { pushed[$0.name] == nil }
    return (others + pushed.map { BranchHead(name: $0.key, commit: $0.value) }).sorted { $0.name < $1.name }
  }

  func refresh() async throws -> [BranchHead] { moved(try await mirror.refresh()) }
  func branches() async throws -> [BranchHead] { moved(try await mirror.branches()) }
  func defaultBranch() async throws -> String? { try await mirror.defaultBranch() }

  func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    let current = try await branches().first { $0.name == branch }?.commit
    if current == commit { return .upToDate }
    guard current == expected else { return .leaseLost(remote: current) }
    var commits: [PlannedCommit] = []
    for info in try await mirror.history(of: commit, excluding: expected, limit: 50).reversed() where info.isOurs {
      commits.append(
        PlannedCommit(
          commit: info.id, tree: info.tree, subject: String(info.message.prefix { $0 != "\n" }),
          diff: try await mirror.patch(from: info.parents.first, to: info.id, limit: 256 << 10)))
    }
    journal.note(
      PlannedRequest(
        pipeline: pipeline, kind: .push, subject: branch,
        detail: "\(expected?.short ?? "(new)") → \(commit.short)", commits: commits))
    pushed.withLock { $0[branch] = commit }
    return .pushed
  }

  func commit(_ id: CommitID) async throws -> CommitInfo { try await mirror.commit(id) }
  func tree(of commit: CommitID) async throws -> any SourceTree { try await mirror.tree(of: commit) }
  func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange] {
    try await mirror.changes(from: from, to: to)
  }
  func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID? { try await mirror.mergeBase(a, b) }
  func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo] {
    try await mirror.history(of: tip, excluding: excluded, limit: limit)
  }
  func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID {
    try await mirror.makeCommit(edits, on: parent, message: message, author: author, committer: committer)
  }
  func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult {
    try await mirror.makeMerge(
      of: first, and: second, resolving: resolved, message: message, author: author, committer: committer)
  }
  func holds(_ commit: CommitID) async throws -> Bool { try await mirror.holds(commit) }
  func maintain() async throws {}
  func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try await mirror.moveLocalBranch(name, from: old, to: new)
  }
  func localBranch(_ name: String) async throws -> CommitID? { try await mirror.localBranch(name) }
  func fetch(_ reference: String) async throws -> CommitID? { try await mirror.fetch(reference) }
  func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] {
    try await mirror.statistics(from: from, to: to)
  }
}
