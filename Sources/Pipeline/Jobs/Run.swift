package import FoundationEssentials

package struct RunID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A commit that is or was the head of a watched branch.
package struct Run: Hashable, Sendable {
  /// The time for which former heads are kept, counted from the time when they became heads.
  static let kept = Duration.seconds(7 * 86_400)

  package var id: RunID
  package var pipeline: String
  package var branch: String
  package var commit: CommitID
  package var created: Date
  /// Until `isCompared` is set, the time since which the branch has had changes that planning has not read; `nil` for a new branch until planning
  /// has read one of its commits.
  package var pendingSince: Date?
  /// Whether planning has read this commit, with or without a new round.
  package var isCompared: Bool

  package init(
    id: RunID, pipeline: String, branch: String, commit: CommitID, created: Date, pendingSince: Date?,
    isCompared: Bool = false
  ) {
    self.id = id
    self.pipeline = pipeline
    self.branch = branch
    self.commit = commit
    self.created = created
    self.pendingSince = pendingSince
    self.isCompared = isCompared
  }
}

extension BranchHead {
  package init(_ run: Run) { self.init(name: run.branch, commit: run.commit) }
}
