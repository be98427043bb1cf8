/// A comparison of the two sides of a pull request in a forge's response: its own branch and its base branch.
enum PullRequestSides {
  /// Returns whether the two branches are in different repositories, as for a pull request from a fork. A deleted repository counts as a different
  /// one. The names in the response are compared with each other and not with `repository.url`, which may contain an old name of a renamed
  /// repository.
  /// - Parameters:
  ///   - source: the full name of the source branch's repository, or a part of this name; `nil` if the repository was deleted.
  ///   - target: the full name, or the same part of the name, of the base branch's repository.
  static func areApart(_ source: String?, _ target: String?) -> Bool {
    guard let source, let target else { return true }
    return source.lowercased() != target.lowercased()
  }
}
