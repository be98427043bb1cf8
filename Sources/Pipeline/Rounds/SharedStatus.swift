import Localization

/// The status of a commit that is the newest one of several branches or pull requests. Most forges keep one status per name and commit, so
/// this one combines the statuses of all: it is bad if one of them is bad, no matter which of them is reported last.
struct SharedStatus {
  private var parts: [(subject: String, status: CommitStatus)] = []

  /// - Parameters:
  ///   - subject: the branch or pull request, by which the parts are sorted. A part replaces an earlier one with the same subject.
  mutating func add(_ status: CommitStatus, of subject: String) {
    parts.removeAll { $0.subject == subject }
    parts.append((subject, status))
  }

  /// - Parameter isNamed: whether to put each part's subject before its text, because the text does not name it.
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
