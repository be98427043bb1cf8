import Localization

/// The status of a commit that is the newest commit of several branches or pull requests. Most forges keep one status per name and commit,
/// so this status combines the statuses of all branches and pull requests. The combined status is bad if one of these statuses is bad,
/// regardless of the order in which they are reported.
struct SharedStatus {
  private var parts: [(subject: String, status: CommitStatus)] = []

  /// Adds the status of a branch or pull request. It replaces an earlier status of the same subject.
  /// - Parameter subject: the branch or pull request, by which the statuses are sorted.
  mutating func add(_ status: CommitStatus, of subject: String) {
    parts.removeAll { $0.subject == subject }
    parts.append((subject, status))
  }

  /// Returns the combined status; `nil` if no status was added.
  /// - Parameter isNamed: whether to put each subject before its text, for texts that do not name their subject.
  func combined(isNamed: Bool) -> CommitStatus? {
    guard let first = parts.first?.status else { return nil }
    guard parts.count > 1 else { return first }
    let isGood = parts.allSatisfy(\.status.isGood)
    let shown = parts.filter { $0.status.isGood == isGood }.sorted { $0.subject < $1.subject }
    var seen: Set<StatusAnnotation> = []
    return CommitStatus(
      name: first.name, isGood: isGood,
      text: shown.map { isNamed ? "\($0.subject): \($0.status.text)" : $0.status.text }.joined(separator: "; "),
      annotations: shown.flatMap(\.status.annotations).filter { seen.insert($0).inserted })
  }
}
