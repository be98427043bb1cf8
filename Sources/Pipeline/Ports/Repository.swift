package import Localization

/// The result of merging two commits.
package enum MergeResult: Hashable, Sendable {
  case merged(CommitID)
  /// No commit was made: git cannot merge these files, which both sides changed differently.
  case conflicts([TreePath])
}

/// The result of a push.
package enum PushResult: Hashable, Sendable {
  case pushed
  /// The branch of the remote was already at this commit.
  case upToDate
  /// The branch of the remote is not at the expected commit (`remote` is `nil` if the branch does not exist). Nothing was changed.
  case leaseLost(remote: CommitID?)
  /// The remote refused the push, for example because of a hook or a protected branch. The text comes from the remote.
  case refused(String)
}

/// A mirror of a remote repository, with the git operations that the stages need. `GitSource` implements it.
///
/// Commits are made in the mirror without a work tree. Only `push` changes the remote.
package protocol RepositoryMirror: Sendable {
  /// Fetches from the remote. Creates the mirror first if it is missing.
  /// - Returns: the branches of the remote, each with its newest commit.
  func refresh() async throws -> [BranchHead]

  /// Returns the branches that the last refresh left out because their names are not UTF-8. The names are escaped, for messages.
  func unreadableBranches() async throws -> [String]

  /// Returns the remote's default branch as of the last refresh; `nil` if the repository is empty or the remote does not report the branch.
  func defaultBranch() async throws -> String?

  /// Returns the branches as of the last refresh.
  func branches() async throws -> [BranchHead]

  func commit(_ id: CommitID) async throws -> CommitInfo

  func tree(of commit: CommitID) async throws -> any SourceTree

  /// Returns the differences between the trees of two commits, with renames detected. If `from` is `nil`, all files of `to` are returned as
  /// added.
  func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange]

  /// Returns the merge base of two commits; `nil` if there is none.
  func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID?

  /// Returns at most `limit` commits that are reachable from `tip` but not from `excluded`, newest first.
  func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo]

  /// Makes a commit by applying the edits to the parent's tree. The same arguments always result in the same id.
  func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID

  /// Makes a merge commit with git's three-way merge of the two trees. The same arguments always result in the same id.
  /// - Parameter resolved: the contents of files that git does not merge; `nil` removes the file. A file keeps the mode that it has in
  ///   `first`, or in `second` if `first` does not have the file.
  func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult

  /// Returns whether the mirror has the commit and its root tree. Files and ancestors are not checked. A commit can disappear: mirrors can
  /// be deleted at any time, and history can be rewritten.
  /// - Throws: if this cannot be determined, for example because of a damaged object or a disk error.
  func holds(_ commit: CommitID) async throws -> Bool

  /// Repacks the mirror and removes objects that are no longer needed, if this is worth the time. Call it regularly, for example once a
  /// day. It waits for the mirror's other operations to finish. Commits without a reference are kept for two weeks.
  func maintain() async throws

  /// Moves a local branch of the mirror (`refs/dragoman/<name>`, never overwritten by a fetch) if it is at `old`.
  /// - Returns: whether the branch was moved.
  func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool

  func localBranch(_ name: String) async throws -> CommitID?

  /// Pushes a commit to a branch of the remote if that branch is at `expected` (`nil` if it must not exist). The id that the remote
  /// advertises in the same connection is checked before anything is sent. Afterwards, `branches` includes the pushed commit without
  /// another refresh.
  func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult

  /// Fetches a reference of the remote other than a branch, such as the reference of a pull request. The mirror keeps the fetched commits
  /// for some time, but creates no reference for them.
  /// - Returns: the commit to which the reference points; `nil` if the remote does not have the reference.
  func fetch(_ reference: String) async throws -> CommitID?

  /// Fetches a commit that is on no branch of the remote. The mirror keeps the commit for some time.
  /// - Returns: `false` if the remote does not have the commit, or does not serve commits by their ids.
  func fetch(_ commit: CommitID) async throws -> Bool

  /// Returns each changed file with its number of added and removed lines, as `git show --stat` counts them.
  func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics]
}

extension RepositoryMirror {
  package func fetch(_ reference: String) async throws -> CommitID? { nil }
  package func fetch(_ commit: CommitID) async throws -> Bool { false }

  package func unreadableBranches() async throws -> [String] { [] }
}

/// The numbers of lines that were added to and removed from one file between two commits.
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
