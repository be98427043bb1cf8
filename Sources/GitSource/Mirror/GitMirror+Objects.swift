internal import ChildPrograms
package import Localization
package import Pipeline

extension GitError {
  fileprivate init(_ fault: SigningFault, _ operation: String) {
    self.init(fault.kind == .refused ? .refused : .timedOut, operation, fault.detail)
  }
}

/// Operations on commits and branches of the mirror that do not contact the remote.
extension GitMirror {
  /// Checks that the signing key can sign commits.
  /// - Returns: whether a signing key is configured.
  package func checkSigning() async throws -> Bool {
    guard let key = try await signingKey() else { return false }
    return try await workers.pool.run { () throws(GitError) in
      do throws(SigningFault) { try CommitSigner(key: key).check() } catch { throw GitError(error, "sign a commit") }
      return true
    }
  }

  private func signing() async throws -> CommitSigning? {
    guard let key = try await signingKey() else { return nil }
    let operation = "sign a commit"
    let signer: CommitSigner
    do throws(SigningFault) { signer = try CommitSigner(key: key) } catch { throw GitError(error, operation) }
    return { (bytes, seconds) throws(GitError) in
      do throws(SigningFault) { return try signer.signature(of: bytes, at: seconds) } catch {
        throw GitError(error, operation)
      }
    }
  }

  package func defaultBranch() async throws -> String? { try await store.defaultBranch() }

  package func branches() async throws -> [BranchHead] { try await store.branches() }

  package func commit(_ id: CommitID) async throws -> CommitInfo { try await store.commit(id) }

  package func tree(of commit: CommitID) async throws -> any SourceTree { try await store.tree(of: commit) }

  func gitTree(of commit: CommitID) async throws -> GitTree { try await store.tree(of: commit) }

  /// Returns whether the mirror has the commit and its root tree, and no read has reported a missing object since the last refresh.
  func holdsSafely(_ commit: CommitID) async throws -> Bool {
    guard await !store.isSuspect else { return false }
    return try await store.holds(commit)
  }

  package func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange] {
    try await store.changes(from: from, to: to)
  }

  package func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID? { try await store.mergeBase(a, b) }

  package func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo] {
    try await store.history(of: tip, excluding: excluded, limit: limit)
  }

  package func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID {
    try await store.makeCommit(
      edits, on: parent, message: message, author: author, committer: committer, sign: signing())
  }

  package func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult {
    try await store.makeMerge(
      of: first, and: second, resolving: resolved, message: message, author: author, committer: committer,
      sign: signing())
  }

  package func holds(_ commit: CommitID) async throws -> Bool { try await store.holds(commit) }

  package func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try await store.moveLocalBranch(name, from: old, to: new)
  }

  package func localBranch(_ name: String) async throws -> CommitID? { try await store.localBranch(name) }

  /// Returns the changes between two commits in the format of `git diff`. If `from` is `nil`, all files count as added.
  package func patch(from: CommitID?, to: CommitID) async throws -> String {
    try await store.patch(from: from, to: to)
  }

  package func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] {
    try await store.statistics(from: from, to: to)
  }
}
