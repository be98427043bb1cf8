import GitSource
import Localization
import Pipeline
import Synchronization

/// A mirror whose pushes are only recorded. Afterwards its branches are as if they were pushed.
///
/// It reads the remote, and keeps commits in the scratch copy of the mirror.
final class DryRunMirror: RepositoryMirror {
  private let mirror: GitMirror
  private let pipeline: String
  private let record: DryRunRecord
  private let pushed = Mutex<[String: CommitID]>([:])

  init(_ mirror: GitMirror, of pipeline: String, _ record: DryRunRecord) {
    self.mirror = mirror
    self.pipeline = pipeline
    self.record = record
  }

  private func overlaid(_ branches: [BranchHead]) -> [BranchHead] {
    let pushed = pushed.withLock { $0 }
    guard !pushed.isEmpty else { return branches }
    var commits = Dictionary(branches.map { ($0.name, $0.commit) }) { first, _ in first }
    commits.merge(pushed) { _, new in new }
    return commits.map { BranchHead(name: $0.key, commit: $0.value) }.sorted { $0.name < $1.name }
  }

  func refresh() async throws -> [BranchHead] { overlaid(try await mirror.refresh()) }

  func branches() async throws -> [BranchHead] { overlaid(try await mirror.branches()) }

  func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    let current = overlaid(try await mirror.remoteBranches()).first { $0.name == branch }?.commit
    if current == commit { return .upToDate }
    guard current == expected else { return .leaseLost(remote: current) }
    let commits = try await commits(to: commit, since: expected)
    record.note(pipeline) { $0.pushes.append(.init(branch: branch, expected: expected, commits: commits)) }
    pushed.withLock { $0[branch] = commit }
    return .pushed
  }

  /// The commits that no branch of the remote has, oldest first.
  private func commits(to tip: CommitID, since expected: CommitID?) async throws -> [DryRunReport.Commit] {
    let known = Set(try await branches().map(\.commit))
    var found: [DryRunReport.Commit] = []
    var next: CommitID? = tip
    while let id = next, id != expected, !known.contains(id), found.count < 100 {
      let info = try await mirror.commit(id)
      guard CommitTrailers(message: info.message) != nil else { break }
      found.append(
        DryRunReport.Commit(
          id: id, tree: info.tree, subject: info.message.split(separator: "\n").first.map(String.init) ?? "",
          patch: try await mirror.patch(from: info.parents.first, to: id)))
      next = info.parents.first
    }
    return found.reversed()
  }

  func defaultBranch() async throws -> String? { try await mirror.defaultBranch() }

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

  /// The scratch copy does not last long enough.
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
