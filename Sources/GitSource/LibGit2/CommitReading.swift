import CLibGit2
import Pipeline

extension RepositoryHandle {
  /// Returns the metadata of a commit. If libgit2 rejects the commit, only the tree and the parents are known, and the other fields are empty.
  func commitInfo(_ id: ObjectID) throws(GitError) -> CommitInfo {
    guard let commit = try readable(id) else {
      let head = try head(of: id)
      let nobody = CommitSignature(name: "", email: "", seconds: 0, offsetMinutes: 0)
      return CommitInfo(
        id: id.commit, tree: head.tree.hex, parents: head.parents.map(\.commit), author: nobody, committer: nobody,
        message: "")
    }
    guard let tree = unsafe git_commit_tree_id(commit.pointer),
      let author = unsafe git_commit_author(commit.pointer),
      let committer = unsafe git_commit_committer(commit.pointer)
    else { throw GitError(.missingObject, "read commit \(id)", "the commit is damaged") }
    return unsafe CommitInfo(
      id: id.commit, tree: ObjectID(tree.pointee).hex, parents: parents(of: commit).map(\.commit),
      author: signature(author.pointee), committer: signature(committer.pointee),
      message: git_commit_message(commit.pointer).map { unsafe String(cString: $0) } ?? "")
  }

  /// Returns a commit's parents and its commit time, which ``CommitWalk`` needs. The time is 0 if libgit2 rejects the commit.
  func ancestry(of id: ObjectID) throws(GitError) -> (parents: [ObjectID], seconds: Int64) {
    guard let commit = try readable(id) else { return (try head(of: id).parents, 0) }
    return unsafe (parents(of: commit), git_commit_time(commit.pointer))
  }

  /// Returns libgit2's commit object; `nil` if libgit2 rejects the commit, for example because its date is not a number. `head(of:)` reads such
  /// commits.
  private func readable(_ id: ObjectID) throws(GitError) -> Owned? {
    do { return try commit(id) } catch {
      if error.kind == .failed { return nil }
      throw error
    }
  }

  func commit(_ id: ObjectID) throws(GitError) -> Owned {
    var raw = id.raw
    return try unsafe Owned(git_commit_free, "read commit \(id)") {
      unsafe git_commit_lookup(&$0, repository, &raw)
    }
  }

  /// Reads the ids of the tree and the parents from the first lines of a commit. Git accepts a commit with valid first lines even if its other
  /// headers, such as a date or the committer, are invalid.
  func head(of id: ObjectID) throws(GitError) -> (tree: ObjectID, parents: [ObjectID]) {
    let operation = "read commit \(id)"
    var raw = id.raw
    let object = try unsafe Owned(git_odb_object_free, operation) { unsafe git_odb_read(&$0, objects, &raw) }
    guard unsafe git_odb_object_type(object.pointer) == GIT_OBJECT_COMMIT,
      let bytes = unsafe git_odb_object_data(object.pointer)
    else { throw GitError(.noSuchRevision, operation, "this object is not a commit") }
    let text = unsafe String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: git_odb_object_size(object.pointer)), as: UTF8.self)
    var tree: ObjectID?
    var parents: [ObjectID] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if tree == nil, line.hasPrefix("tree ") {
        tree = ObjectID(hex: String(line.dropFirst(5)))
      } else if line.hasPrefix("parent "), let parent = ObjectID(hex: String(line.dropFirst(7))) {
        parents.append(parent)
      } else {
        break
      }
    }
    guard let tree else { throw GitError(.missingObject, operation, "the commit is damaged: it has no tree") }
    return (tree, parents)
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
  /// Returns the id of a commit's tree. The tree itself may be missing.
  func commitTree(_ id: ObjectID) throws(GitError) -> ObjectID {
    guard let commit = try readable(id) else { return try head(of: id).tree }
    guard let tree = unsafe git_commit_tree_id(commit.pointer) else {
      throw GitError(.missingObject, "read commit \(id)", "the commit is damaged")
    }
    return unsafe ObjectID(tree.pointee)
  }
}
