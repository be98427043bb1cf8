package import Localization

/// How a merge of two commits ended.
package enum MergeResult: Hashable, Sendable {
  case merged(CommitID)
  /// Nothing was made: these files differ on both sides in a way that git cannot merge.
  case conflicts([TreePath])
}

/// How a push ended.
package enum PushResult: Hashable, Sendable {
  case pushed
  /// The remote had that commit already.
  case upToDate
  /// The remote's branch stands elsewhere than the lease says (`nil`: it does not exist); nothing was changed.
  case leaseLost(remote: CommitID?)
  /// The remote refused: a hook, a protected branch. The text is the remote's.
  case refused(String)
}

/// A mirror of a remote repository: what the stages need of git. `GitSource` meets it.
///
/// Commits are made in the mirror without a work tree; only `push` changes the remote.
package protocol RepositoryMirror: Sendable {
  /// Brings the mirror in step with the remote, creating it first where it is missing.
  /// - Returns: the branches of the remote, by name.
  func refresh() async throws -> [BranchHead]

  /// The remote's default branch as of the last refresh; `nil` where the repository is empty.
  func defaultBranch() async throws -> String?

  /// The branches as of the last refresh.
  func branches() async throws -> [BranchHead]

  func commit(_ id: CommitID) async throws -> CommitInfo

  func tree(of commit: CommitID) async throws -> any SourceTree

  /// What differs between two commits' trees, with renames found. `from` nil: everything is added.
  func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange]

  /// The commit from which both descend; `nil` where there is none.
  func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID?

  /// The commits reachable from `tip` and not from `excluded`, newest first, at most `limit`.
  func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo]

  /// Makes a commit of the parent's tree with the edits. The same arguments give the same id.
  func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID

  /// Makes a commit with two parents, whose tree is git's own three-way merge of theirs. The same arguments give the same id.
  /// - Parameter resolved: files whose content is given and not merged by git; `nil` removes the file. A file keeps the mode that it has in
  ///   `first`, or else in `second`.
  func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult

  /// Whether the commit and its root tree are in the mirror; its files and ancestors are not looked at. A mirror may be deleted at any
  /// time, and history rewritten.
  /// - Throws: where it cannot be told, as for a damaged object or a disk that fails.
  func holds(_ commit: CommitID) async throws -> Bool

  /// Repacks and removes what is not needed any more, where that is worth it. Called now and then, such as once a day. Waits for the
  /// mirror's other operations. Commits without a reference are kept for two weeks.
  func maintain() async throws

  /// Moves a branch of the mirror's own (`refs/dragoman/<name>`, never fetched over), if it stands where the caller thinks.
  /// - Returns: whether it did.
  func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool

  func localBranch(_ name: String) async throws -> CommitID?

  /// Pushes a commit to a branch of the remote, if the branch stands there at `expected` (`nil`: it must not exist): the id that the
  /// remote advertises in the same connection is compared before anything is sent. Afterwards `branches` shows what was pushed, without
  /// another look.
  func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult

  /// Each changed file with the number of lines added and removed, as `git show --stat` counts them.
  func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics]
}

/// How much a commit changes in one file.
package struct FileStatistics: Hashable, Sendable {
  package var path: TreePath
  package var added: Int
  package var removed: Int

  package init(path: TreePath, added: Int, removed: Int) {
    self.path = path
    self.added = added
    self.removed = removed
  }
}
