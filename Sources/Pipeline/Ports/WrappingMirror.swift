package import Localization

/// A mirror that forwards to another mirror, except for members that it implements itself.
package protocol WrappingMirror: RepositoryMirror {
  var wrapped: any RepositoryMirror { get }
}

extension WrappingMirror {
  package func refresh() async throws -> [BranchHead] { try await wrapped.refresh() }

  package func unreadableBranches() async throws -> [String] { try await wrapped.unreadableBranches() }

  package func defaultBranch() async throws -> String? { try await wrapped.defaultBranch() }

  package func branches() async throws -> [BranchHead] { try await wrapped.branches() }

  package func commit(_ id: CommitID) async throws -> CommitInfo { try await wrapped.commit(id) }

  package func tree(of commit: CommitID) async throws -> any SourceTree { try await wrapped.tree(of: commit) }

  package func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange] {
    try await wrapped.changes(from: from, to: to)
  }

  package func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID? { try await wrapped.mergeBase(a, b) }

  package func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo] {
    try await wrapped.history(of: tip, excluding: excluded, limit: limit)
  }

  package func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID {
    try await wrapped.makeCommit(edits, on: parent, message: message, author: author, committer: committer)
  }

  package func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult {
    try await wrapped.makeMerge(
      of: first, and: second, resolving: resolved, message: message, author: author, committer: committer)
  }

  package func holds(_ commit: CommitID) async throws -> Bool { try await wrapped.holds(commit) }

  package func maintain() async throws { try await wrapped.maintain() }

  package func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try await wrapped.moveLocalBranch(name, from: old, to: new)
  }

  package func localBranch(_ name: String) async throws -> CommitID? { try await wrapped.localBranch(name) }

  package func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    try await wrapped.push(commit, to: branch, expecting: expected)
  }

  package func fetch(_ reference: String) async throws -> CommitID? { try await wrapped.fetch(reference) }
  package func fetch(_ commit: CommitID) async throws -> Bool { try await wrapped.fetch(commit) }

  package func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] {
    try await wrapped.statistics(from: from, to: to)
  }
}
