import GitSource
import Localization
import Pipeline
import Synchronization

/// A mirror whose pushes are only recorded. After a recorded push, the mirror reports the branch as if it had been pushed.
///
/// New commits, both those fetched from the remote and Dragoman's own, are stored only in the dry run's copy of the mirror (``DryRunFolder``).
final class DryRunMirror: WrappingMirror {
  private let mirror: GitMirror
  private let pipeline: String
  private let record: DryRunRecord
  private let pushed = Mutex<[String: CommitID]>([:])

  init(_ mirror: GitMirror, of pipeline: String, _ record: DryRunRecord) {
    self.mirror = mirror
    self.pipeline = pipeline
    self.record = record
  }

  var wrapped: any RepositoryMirror { mirror }

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

  /// Returns Dragoman's commits from `tip` back along first parents. Stops before `expected`, before the newest commit of a branch of the remote, and
  /// before a commit that was not made by Dragoman.
  /// - Returns: the commits found, oldest first and at most 100. They include commits that this dry run pushed to other branches.
  private func commits(to tip: CommitID, since expected: CommitID?) async throws -> [DryRunReport.Commit] {
    let known = Set(try await mirror.branches().map(\.commit))
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

  /// Does nothing, because the copy of the mirror is removed before it needs maintenance.
  func maintain() async throws {}
}
