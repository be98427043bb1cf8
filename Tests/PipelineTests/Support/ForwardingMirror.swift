import Localization
import Pipeline
import Synchronization

/// A mirror whose looks fail as a test says, and are counted.
final class ForwardingMirror: RepositoryMirror {
  private let mirror: any RepositoryMirror
  private let fault = Mutex<(any Error)?>(nil)
  private let counted = Mutex((looks: 0, trees: 0))
  /// Called before a tree is opened.
  private let willOpen: @Sendable () async throws -> Void

  init(_ mirror: any RepositoryMirror, willOpen: @escaping @Sendable () async throws -> Void = {}) {
    self.mirror = mirror
    self.willOpen = willOpen
  }

  var looks: Int { counted.withLock { $0.looks } }
  var trees: Int { counted.withLock { $0.trees } }
  func fail(_ error: (any Error)?) { fault.withLock { $0 = error } }

  func refresh() async throws -> [BranchHead] {
    counted.withLock { $0.looks += 1 }
    if let error = fault.withLock({ $0 }) { throw error }
    return try await mirror.refresh()
  }

  func tree(of commit: CommitID) async throws -> any SourceTree {
    counted.withLock { $0.trees += 1 }
    try await willOpen()
    return try await mirror.tree(of: commit)
  }

  func defaultBranch() async throws -> String? { try await mirror.defaultBranch() }
  func branches() async throws -> [BranchHead] { try await mirror.branches() }
  func commit(_ id: CommitID) async throws -> CommitInfo { try await mirror.commit(id) }
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
  func maintain() async throws { try await mirror.maintain() }
  func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try await mirror.moveLocalBranch(name, from: old, to: new)
  }
  func localBranch(_ name: String) async throws -> CommitID? { try await mirror.localBranch(name) }
  func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    try await mirror.push(commit, to: branch, expecting: expected)
  }
  func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] {
    try await mirror.statistics(from: from, to: to)
  }
}
