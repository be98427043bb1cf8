import Localization
import Pipeline

/// Functions that read and make commits.
extension MirrorStore {
  func commit(_ id: CommitID) throws(GitError) -> CommitInfo {
    let repository = try repository()
    let id = try held(id, in: repository)
    return try repository.withHandle { (handle) throws(GitError) in try handle.commitInfo(id) }
  }

  /// Returns the id of an existing commit. A missing commit usually means that history was rewritten. The mirror is damaged only if one of its
  /// references points to the missing commit; in this case the damage is recorded.
  /// - Throws: `missingObject` if the mirror lacks the commit.
  private func held(_ commit: CommitID, in repository: GitRepository) throws(GitError) -> ObjectID {
    let id = try repository.objectID(commit)
    let isThere = try repository.withHandle { (handle) throws(GitError) in handle.holds(id) }
    if !isThere {
      if repository.references.list("refs/").contains(where: { $0.id == id }) { noteDamage() }
      throw GitError(.missingObject, "read commit \(commit)", "the mirror does not have it")
    }
    return id
  }

  /// Returns whether the commit and its root tree exist. Files, folders and ancestors are not checked. If a later read does not find one of these
  /// objects, the next refresh checks the whole mirror.
  /// - Throws: an error if reading fails for a reason other than a missing commit or tree.
  func holds(_ commit: CommitID) throws(GitError) -> Bool {
    guard FileKind(folder + "/HEAD") != nil else { return false }
    let repository = try repository()
    let id = try repository.objectID(commit)
    return try repository.withHandle { (handle) throws(GitError) in try handle.holdsCommit(id) }
  }

  func tree(of commit: CommitID) throws(GitError) -> GitTree {
    let repository = try repository()
    _ = try held(commit, in: repository)
    return try repository.tree(of: commit)
  }

  func changes(from: CommitID?, to: CommitID) throws(GitError) -> [TreeChange] {
    try difference(from, to) { (_, difference) in difference.changes }
  }

  func statistics(from: CommitID?, to: CommitID) throws(GitError) -> [FileStatistics] {
    try difference(from, to) { (handle, difference) in difference.statistics(handle) }
  }

  /// Returns the changes between two commits in the format of `git diff`.
  func patch(from: CommitID?, to: CommitID) throws(GitError) -> String {
    let repository = try repository()
    let old = try from.map { (id) throws(GitError) in try held(id, in: repository) }
    let new = try held(to, in: repository)
    return try repository.withHandle { (handle) throws(GitError) in
      let oldTree = try old.map { (id) throws(GitError) in try handle.commitTree(id) }
      let difference = try TreeDifference(handle, from: oldTree, to: handle.commitTree(new), contextLines: 3)
      return try difference.patch("compare \(to) with its parent")
    }
  }

  private func difference<R>(
    _ from: CommitID?, _ to: CommitID, _ body: (RepositoryHandle, borrowing TreeDifference) -> R
  ) throws(GitError) -> R {
    let repository = try repository()
    let old = try from.map { (id) throws(GitError) in try held(id, in: repository) }
    let new = try held(to, in: repository)
    return try repository.withHandle { (handle) throws(GitError) in
      let oldTree = try old.map { (id) throws(GitError) in try handle.commitTree(id) }
      let difference = try TreeDifference(handle, from: oldTree, to: handle.commitTree(new))
      return body(handle, difference)
    }
  }

  func mergeBase(_ a: CommitID, _ b: CommitID) throws(GitError) -> CommitID? {
    let repository = try repository()
    let (a, b) = (try held(a, in: repository), try held(b, in: repository))
    return try repository.withHandle { (handle) throws(GitError) in
      try CommitWalk.mergeBase(a, b, in: handle)?.commit
    }
  }

  func history(of tip: CommitID, excluding: CommitID?, limit: Int) throws(GitError) -> [CommitInfo] {
    let repository = try repository()
    let tip = try held(tip, in: repository)
    let excluded = try excluding.map { (id) throws(GitError) in try held(id, in: repository) }
    return try repository.withHandle { (handle) throws(GitError) in
      var found: [CommitInfo] = []
      for id in try CommitWalk.history(of: tip, excluding: excluded, limit: limit, in: handle) {
        found.append(try handle.commitInfo(id))
      }
      return found
    }
  }

  func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature,
    sign: CommitSigning?
  ) throws(GitError) -> CommitID {
    let repository = try repository()
    let parent = try held(parent, in: repository)
    return try repository.withHandle { (handle) throws(GitError) in
      try handle.storingTogether(in: objects) { () throws(GitError) in
        let tree = try handle.editedTree(handle.commitTree(parent), edits)
        return try handle.makeCommit(
          tree: tree, parents: [parent], message: message, author: author, committer: committer, sign: sign
        ).commit
      }
    }
  }

  func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature, sign: CommitSigning?
  ) throws(GitError) -> MergeResult {
    let repository = try repository()
    let parents = [try held(first, in: repository), try held(second, in: repository)]
    return try repository.withHandle { (handle) throws(GitError) in
      // Without `storingTogether`, libgit2 would write each merged file separately and sync the file and its folder.
      try handle.storingTogether(in: objects) { () throws(GitError) -> MergeResult in
        let base = try CommitWalk.mergeBase(parents[0], parents[1], in: handle)
        switch try handle.mergedTree(of: parents[0], and: parents[1], base: base, resolving: resolved) {
        case .conflicts(let paths): return .conflicts(paths)
        case .tree(let tree):
          return .merged(
            try handle.makeCommit(
              tree: tree, parents: parents, message: message, author: author, committer: committer, sign: sign
            ).commit)
        }
      }
    }
  }

  private var objects: String { folder + "/objects" }
}
