import Localization
import Pipeline

/// The result of ``mirrorCheckout(from:to:)``.
package struct CheckoutCopy: Hashable, Sendable {
  /// The branch of the checkout, or a name for the commit of a detached HEAD. It becomes the default branch of the copy.
  package var branch: String
  /// Whether the checkout is shallow. In that case the copy has a new commit with the same tree, without the history.
  package var isShallow: Bool
  /// The branches that have diverged in the copy and were not moved.
  package var diverged: [String]

  package init(branch: String, isShallow: Bool, diverged: [String] = []) {
    self.branch = branch
    self.isShallow = isShallow
    self.diverged = diverged
  }
}

/// Creates or updates a bare copy of a checkout. The copy accepts pushes. A full checkout is copied with all its branches. For a shallow checkout,
/// the first call creates one new commit with the same tree, and each later call adds a commit if the tree has changed.
///
/// A branch of the copy is moved only if nobody else has moved it or if the move loses no commit. Branches are never removed.
/// - Throws: `notARepository`, or `emptyRepository` if the checkout has no commits.
package func mirrorCheckout(from checkout: String, to folder: String) throws(GitError) -> CheckoutCopy {
  let source = try GitRepository(path: checkout, searchingUpwards: true)
  let operation = "copy \(checkout) to \(folder)"
  guard let head = source.references.resolve("HEAD") else {
    throw GitError(.emptyRepository, operation, "the repository has no commits yet")
  }
  var heads = RemoteHeads(source.references)
  let branch: String
  if let named = source.references.headBranch ?? heads.defaultBranch {
    branch = named
  } else {
    // HEAD is detached at a commit that is not the tip of a branch.
    branch = heads.branches.contains { $0.name == RemoteHeads.detachedName } ? "checkout" : RemoteHeads.detachedName
    heads.branches.append(RemoteHeads.Branch(name: branch, commit: head.commit))
  }
  try GitRepository.create(at: folder, defaultBranch: branch)
  let target = try GitRepository(path: folder)
  let isShallow = source.isShallow
  var diverged: [String] = []
  try target.withHandle { (copy) throws(GitError) in
    try source.withHandle { (original) throws(GitError) in
      let adoption = BranchAdoption(original: original, copy: copy, references: target.references)
      if isShallow {
        if try !adoption.adoptTree(of: head, as: branch) { diverged.append(branch) }
      } else {
        if target.references.list("refs/").isEmpty {
          try ObjectFiles(folder: source.commonFolder + "/objects")
            .link(into: ObjectFiles(folder: target.commonFolder + "/objects"))
        }
        for head in heads.branches {
          guard let id = ObjectID(head.commit) else { continue }
          if try !adoption.adopt(id, as: head.name) { diverged.append(head.name) }
        }
      }
    }
    if target.references.headBranch != branch { try copy.setHead(toBranch: branch) }
  }
  return CheckoutCopy(branch: branch, isShallow: isShallow, diverged: diverged)
}

/// The two repositories of ``mirrorCheckout(from:to:)``. The functions move the branches of the copy, and record the commits to which they moved them
/// under `refs/dragoman/checkout/`.
private struct BranchAdoption {
  let original: RepositoryHandle
  let copy: RepositoryHandle
  let references: References

  private func remembered(_ branch: String) -> String { "refs/dragoman/checkout/" + branch }

  /// Copies a commit and its ancestors, and moves the branch of the copy to the commit.
  /// - Returns: `false` if others have added commits to the branch of the copy that the checkout lacks. In this case the branch is not moved.
  func adopt(_ id: ObjectID, as branch: String) throws(GitError) -> Bool {
    var transfer = ObjectTransfer(source: original, target: copy)
    try transfer.addHistory(of: id)
    try transfer.copy(into: references.commonFolder + "/objects")
    return try move(branch, to: id)
  }

  /// Copies only the tree, as a new commit on top of the commit that the previous call made. Does nothing if the tree is unchanged.
  /// - Returns: `false` if the branch was not moved, as in `adopt(_:as:)`.
  func adoptTree(of head: ObjectID, as branch: String) throws(GitError) -> Bool {
    let tree = try original.commitTree(head)
    let last = references.resolve(remembered(branch))
    if let last, try copy.commitTree(last) == tree { return true }
    var transfer = ObjectTransfer(source: original, target: copy)
    try transfer.addTree(tree)
    try transfer.copy(into: references.commonFolder + "/objects")
    let info = try original.commitInfo(head)
    let id = try copy.makeCommit(
      tree: tree, parents: last.map { [$0] } ?? [], message: info.message, author: info.author,
      committer: info.committer)
    return try move(branch, to: id)
  }

  private func move(_ branch: String, to id: ObjectID) throws(GitError) -> Bool {
    let name = "refs/heads/" + branch
    let current = references.resolve(name)
    if current != id {
      if let current, current != references.resolve(remembered(branch)),
        try CommitWalk.mergeBase(current, id, in: copy) != current
      {
        return false
      }
      guard try copy.moveReference(name, from: current, to: id) else {
        throw GitError(.locked, "move \(name)", "another process moved it at the same time; run the command again")
      }
    }
    try copy.setReference(remembered(branch), to: id)
    return true
  }
}
