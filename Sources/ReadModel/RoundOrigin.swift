package import FoundationEssentials
package import Pipeline

/// A commit that added strings of a round.
package struct RoundOrigin: Hashable, Sendable, Encodable {
  /// The commit. For strings without a known commit, the commit, the author and the date are `nil`.
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

  /// Returns the commits that added a round's strings, newest first. The entry for strings without a known commit is the last entry.
  package static func all(of units: [RoundUnit]) -> [RoundOrigin] {
    all(of: Dictionary(grouping: units, by: \.provenance).map { ($0.key, $0.value.count) })
  }

  /// Returns the commits that added a round's strings, newest first, and last the entry for strings without a known commit.
  /// - Parameter counts: the number of strings that each commit added.
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
