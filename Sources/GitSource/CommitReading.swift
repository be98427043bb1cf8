import CLibGit2
import Pipeline

extension RepositoryHandle {
  /// What a commit says of itself.
  func commitInfo(_ id: ObjectID) throws(GitError) -> CommitInfo {
    let commit = try commit(id)
    guard let tree = unsafe git_commit_tree_id(commit.pointer),
      let author = unsafe git_commit_author(commit.pointer),
      let committer = unsafe git_commit_committer(commit.pointer)
    else { throw GitError(.missingObject, "read commit \(id)", "is damaged") }
    return unsafe CommitInfo(
      id: id.commit, tree: ObjectID(tree.pointee).hex, parents: parents(of: commit).map(\.commit),
      author: signature(author.pointee), committer: signature(committer.pointee),
      message: git_commit_message(commit.pointer).map { unsafe String(cString: $0) } ?? "")
  }

  /// A commit's parents and when it was committed, for walks.
  func ancestry(of id: ObjectID) throws(GitError) -> (parents: [ObjectID], seconds: Int64) {
    let commit = try commit(id)
    return unsafe (parents(of: commit), git_commit_time(commit.pointer))
  }

  func commit(_ id: ObjectID) throws(GitError) -> Owned {
    var raw = id.raw
    return try unsafe Owned(git_commit_free, "read commit \(id)") {
      unsafe git_commit_lookup(&$0, repository, &raw)
    }
  }

  private func parents(of commit: borrowing Owned) -> [ObjectID] {
    var parents: [ObjectID] = []
    for index in 0..<(unsafe git_commit_parentcount(commit.pointer)) {
      if let id = unsafe git_commit_parent_id(commit.pointer, index) { unsafe parents.append(ObjectID(id.pointee)) }
    }
    return parents
  }

  private func signature(_ signature: git_signature) -> CommitSignature {
    unsafe CommitSignature(
      name: signature.name.map { unsafe String(cString: $0) } ?? "",
      email: signature.email.map { unsafe String(cString: $0) } ?? "", seconds: signature.when.time,
      offsetMinutes: Int(signature.when.offset))
  }
}

extension RepositoryHandle {
  /// The id of a commit's tree, whether or not the tree is there.
  func commitTree(_ id: ObjectID) throws(GitError) -> ObjectID {
    let commit = try commit(id)
    guard let tree = unsafe git_commit_tree_id(commit.pointer) else {
      throw GitError(.missingObject, "read commit \(id)", "is damaged")
    }
    return unsafe ObjectID(tree.pointee)
  }
}
