package import Pipeline

extension GitRepository {
  /// Whether history is missing because the repository was cloned with a limited depth.
  package var isShallow: Bool {
    (wholeFile(commonFolder + "/shallow", limit: 1 << 24) ?? []).contains { $0 != 0x0a }
  }

  /// Whether objects may be missing because the repository was cloned with a filter, such as `blob:none`.
  package var isPartial: Bool {
    (folderNames(commonFolder + "/objects/pack") ?? []).contains { $0.hasSuffix(".promisor") }
  }

  /// Returns the newest commit that is in the history of both commits; `nil` if they have no common history, or if a shallow repository lacks the
  /// common commits.
  package func mergeBase(_ a: CommitID, _ b: CommitID) throws(GitError) -> CommitID? {
    let (a, b) = (try objectID(a), try objectID(b))
    return try withHandle { (handle) throws(GitError) in try CommitWalk.mergeBase(a, b, in: handle)?.commit }
  }

  /// Returns a commit and its ancestors on the line of first parents, newest first.
  /// - Parameter limit: the maximum number of commits.
  /// - Returns: the commits, and whether the last commit has no parent. If it has a parent, the limit was reached or the repository is shallow.
  package func firstParents(
    of tip: CommitID, limit: Int
  ) throws(GitError) -> (commits: [CommitInfo], isWhole: Bool) {
    let start = try objectID(tip)
    return try withHandle { (handle) throws(GitError) in
      var commits: [CommitInfo] = []
      var next: ObjectID? = start
      while let id = next, commits.count < limit {
        guard commits.isEmpty || handle.holds(id) else { return (commits, false) }
        let info = try handle.commitInfo(id)
        commits.append(info)
        next = info.parents.first.flatMap { ObjectID($0) }
      }
      return (commits, next == nil)
    }
  }
}
