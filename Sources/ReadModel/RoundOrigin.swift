package import FoundationEssentials
package import Pipeline

/// A commit that added strings of a round.
package struct RoundOrigin: Hashable, Sendable, Encodable {
  /// The commit; for strings without a known commit, it is `nil`, like the author and the date.
  package var commit: CommitID?
  package var author: String?
  package var date: Date?
  package var strings: Int

  package init(commit: CommitID? = nil, author: String? = nil, date: Date? = nil, strings: Int) {
    self.commit = commit
    self.author = author
    self.date = date
    self.strings = strings
  }

  /// Returns the commits of a round's strings, the newest first; strings without a known commit last.
  package static func all(of units: [RoundUnit]) -> [RoundOrigin] {
    all(of: Dictionary(grouping: units, by: \.provenance).map { ($0.key, $0.value.count) })
  }

  /// - Parameter counts: the number of strings of each commit.
  package static func all(of counts: [(provenance: Provenance?, units: Int)]) -> [RoundOrigin] {
    counts.sorted { first, second in
      guard let left = first.provenance, let right = second.provenance else { return first.provenance != nil }
      return (left.seconds, left.commit) > (right.seconds, right.commit)
    }.map { origin, count in
      RoundOrigin(
        commit: origin?.commit, author: origin?.author,
        date: origin.map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) }, strings: count)
    }
  }
}
