/// The two sides of a pull request in a forge's answer.
enum PullRequestSides {
  /// Whether the branches are in two repositories, which may have branches of the same names. The two sides of one answer are compared: a
  /// repository that was renamed or moved has another name in `repository.url`.
  /// - Parameters:
  ///   - source: the full name of the repository with the branch; `nil` if it was deleted.
  ///   - target: the full name of the base's repository.
  static func areApart(_ source: String?, _ target: String?) -> Bool {
    guard let source, let target else { return true }
    return source.lowercased() != target.lowercased()
  }
}
