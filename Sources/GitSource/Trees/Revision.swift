import CLibGit2
import Localization
package import Pipeline

/// The commit and tree of a revision.
package struct ResolvedRevision: Sendable {
  /// The commit; `nil` if the revision has none, such as the id of a tree. For `HEAD:Folder` it is the commit of `HEAD`.
  package let commit: CommitID?
  package let tree: GitTree
}

extension GitRepository {
  /// Returns the commit and the tree of a revision. The revision may be a branch, a remote branch, a tag, a commit id of at least 4 digits or `HEAD`,
  /// optionally followed by steps such as `~2` or `^`. `REV:Folder` is a folder of such a revision.
  /// - Throws: `noSuchRevision`, `ambiguousRevision`, `missingObject`, or `emptyRepository` if there are no commits.
  package func resolve(_ revision: String) throws(GitError) -> ResolvedRevision {
    let operation = "read \(revision) of \(path)"
    // The name of a reference contains no colon, so the first colon ends the name.
    let parts = revision.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard !name.isEmpty else {
      throw GitError(
        .noSuchRevision, operation,
        "the revision names no branch, tag or commit; for a folder of HEAD, give HEAD:FOLDER")
    }
    let (commit, root) = try commitAndTree(named: name, operation)
    let tree = GitTree(self, root: root)
    guard parts.count == 2 else { return ResolvedRevision(commit: commit?.commit, tree: tree) }
    guard let folder = TreePath(checking: String(parts[1])) else {
      throw GitError(.noSuchRevision, operation, "'\(parts[1])' is not a valid path inside a tree")
    }
    do {
      return ResolvedRevision(commit: commit?.commit, tree: try tree.subtree(folder))
    } catch {
      throw GitError(
        error.kind == .unreadable ? .missingObject : .noSuchRevision, operation, "\(error)")
    }
  }

  private func commitAndTree(
    named name: String, _ operation: String
  ) throws(GitError) -> (commit: ObjectID?, tree: ObjectID) {
    do throws(GitError) {
      let id = try object(named: name, operation)
      let commit = try peel(id, to: GIT_OBJECT_COMMIT, operation)
      guard let root = try peel(id, to: GIT_OBJECT_TREE, operation) else {
        throw GitError(.noSuchRevision, operation, "it is a file, not a commit or a folder")
      }
      return (commit, root)
    } catch {
      // A shallow clone contains the ids of parents whose commits it lacks.
      guard error.kind == .missingObject, isShallow else { throw error }
      throw GitError(
        .noSuchRevision, operation,
        "the clone is shallow and does not have this commit; fetch more history (git fetch --unshallow)")
    }
  }

  /// Returns the id of a commit's tree.
  func treeID(of id: ObjectID) throws(GitError) -> ObjectID {
    let operation = "read commit \(id) of \(path)"
    guard let tree = try peel(id, to: GIT_OBJECT_TREE, operation) else {
      throw GitError(.noSuchRevision, operation, "it is not a commit")
    }
    return tree
  }

  /// Returns the commit of a revision.
  package func commit(named revision: String) throws(GitError) -> CommitID {
    let operation = "read \(revision) of \(path)"
    let id = try object(named: revision, operation)
    guard let commit = try peel(id, to: GIT_OBJECT_COMMIT, operation) else {
      throw GitError(.noSuchRevision, operation, "it is not a commit")
    }
    return commit.commit
  }

  private func object(named name: String, _ operation: String) throws(GitError) -> ObjectID {
    let end =
      name.utf8.firstIndex { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "^") } ?? name.endIndex
    let base = String(name[..<end])
    var found = reference(named: base)
    if found == nil { found = try objectID(startingWith: base, operation) }
    guard let id = found else { throw noSuchRevision(base, operation) }
    guard end < name.endIndex else { return id }
    return try ancestor(of: id, String(name[end...]), operation)
  }

  /// Follows steps such as `~2`, `^`, `^2`, `^{commit}` and `^{tree}`, one after the other.
  private func ancestor(of id: ObjectID, _ steps: String, _ operation: String) throws(GitError) -> ObjectID {
    var id = id
    var rest = steps[...]
    while let sign = rest.popFirst() {
      if sign == "^", rest.first == "{" {
        let type = rest.dropFirst().prefix { $0 != "}" }
        let isClosed = rest.dropFirst(type.count + 1).first == "}"
        rest = rest.dropFirst(type.count + 2)
        // Without a type, a tag is followed to its target. For the revisions that we read, this is a commit.
        let types = ["": GIT_OBJECT_COMMIT, "commit": GIT_OBJECT_COMMIT, "tree": GIT_OBJECT_TREE]
        guard isClosed, let wanted = types[String(type)], let peeled = try peel(id, to: wanted, operation) else {
          throw GitError(.noSuchRevision, operation, "\(id.hex.prefix(10)) has no ^{\(type)}")
        }
        id = peeled
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard sign == "~" || sign == "^", let number = digits.isEmpty ? 1 : Int(digits),
        var commit = try peel(id, to: GIT_OBJECT_COMMIT, operation)
      else { throw GitError(.noSuchRevision, operation, "'\(steps)' is not a valid sequence of ~ and ^ steps") }
      for step in 0..<(sign == "~" ? number : min(number, 1)) {
        let parents = try withHandle { (handle) throws(GitError) in try handle.ancestry(of: commit).parents }
        let index = sign == "~" ? 0 : number - 1
        guard parents.indices.contains(index) else {
          throw GitError(
            .noSuchRevision, operation,
            "commit \(commit.hex.prefix(10)) has too few parents (\(parents.count)) for step \(step + 1) of '\(steps)'")
        }
        commit = parents[index]
      }
      id = commit
    }
    return id
  }

  /// Returns the object to which a name points; `nil` if there is none. Searches the same places as git in the same order, and then the branches of
  /// `origin`, as git does on checkout.
  private func reference(named name: String) -> ObjectID? {
    if name.utf8.count == 40, let id = ObjectID(hex: name) { return id }
    let references = references
    if name == "HEAD" || name == "@" { return references.resolve("HEAD") }
    if name.hasPrefix("refs/") { return references.resolve(name) }
    for place in ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] {
      if let id = references.resolve(place + name) { return id }
    }
    return references.resolve("refs/remotes/\(name)/HEAD")
      ?? references.resolve("refs/remotes/origin/\(name)")
  }

  private func objectID(startingWith digits: String, _ operation: String) throws(GitError)
    -> ObjectID?
  {
    let count = digits.utf8.count
    guard (4..<40).contains(count),
      let short = ObjectID(hex: digits + String(repeating: "0", count: 40 - count))
    else {
      return nil
    }
    return try withHandle { (handle) throws(GitError) in
      var raw = short.raw
      var found = git_oid()
      let code = unsafe git_odb_exists_prefix(&found, handle.objects, &raw, count)
      if code == GIT_ENOTFOUND.rawValue {
        git_error_clear()
        return nil
      }
      try check(operation, code)
      return ObjectID(found)
    }
  }

  private func noSuchRevision(_ name: String, _ operation: String) -> GitError {
    let references = references
    if references.isEmpty {
      return GitError(.emptyRepository, operation, "the repository has no commits yet")
    }
    let branches = references.branches.map(\.name)
    let known =
      branches.isEmpty
      ? "there is no branch"
      : "branches: " + branches.prefix(8).joined(separator: ", ")
        + (branches.count > 8 ? ", …" : "")
    if name == "HEAD" || name == "@", let branch = references.headBranch {
      return GitError(
        .noSuchRevision, operation, "HEAD points to branch '\(branch)', which does not exist; \(known)")
    }
    return GitError(.noSuchRevision, operation, "no branch, tag or commit '\(name)'; \(known)")
  }

  /// Peels an object to an object of the wanted type, such as a tag to its commit. Returns `nil` if there is no such object.
  private func peel(_ id: ObjectID, to type: git_object_t, _ operation: String) throws(GitError)
    -> ObjectID?
  {
    try withHandle { (handle) throws(GitError) in
      var raw = id.raw
      let object: Owned
      do throws(GitError) {
        object = try unsafe Owned(git_object_free, operation) {
          unsafe git_object_lookup(&$0, handle.repository, &raw, GIT_OBJECT_ANY)
        }
      } catch {
        guard error.kind == .failed else { throw error }
        // libgit2 rejects a commit with an invalid date or without a committer, but the commit still has a tree.
        let tree = try handle.head(of: id).tree
        return type == GIT_OBJECT_TREE ? tree : type == GIT_OBJECT_COMMIT ? id : nil
      }
      if type == GIT_OBJECT_TREE, unsafe git_object_type(object.pointer) == GIT_OBJECT_COMMIT {
        // The commit contains the id of its tree, even if the tree is missing.
        return unsafe git_commit_tree_id(object.pointer).map { unsafe ObjectID($0.pointee) }
      }
      var peeled: OpaquePointer?
      let code = unsafe git_object_peel(&peeled, object.pointer, type)
      defer { unsafe git_object_free(peeled) }
      if code == GIT_EPEEL.rawValue || code == GIT_EINVALIDSPEC.rawValue
        || code == GIT_EAMBIGUOUS.rawValue
      {
        git_error_clear()
        return nil
      }
      try check(operation, code)
      guard let peeled = unsafe peeled, let found = unsafe git_object_id(peeled) else { return nil }
      return unsafe ObjectID(found.pointee)
    }
  }
}
