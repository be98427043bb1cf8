package import FoundationEssentials
package import Pipeline

/// A commit that brought strings of a round in.
package struct RoundOrigin: Hashable, Sendable, Encodable {
  /// `nil` for strings without a known commit, as are the author and the date.
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

  /// The commits of a round's strings, the newest first; strings without a known commit last.
  package static func all(of units: [RoundUnit]) -> [RoundOrigin] {
    let known = Dictionary(grouping: units.compactMap(\.provenance)) { $0 }
      .sorted { ($0.key.seconds, $0.key.commit) > ($1.key.seconds, $1.key.commit) }
    var origins = known.map { origin, units in
      RoundOrigin(
        commit: origin.commit, author: origin.author, date: Date(timeIntervalSince1970: TimeInterval(origin.seconds)),
        strings: units.count)
    }
    let unknown = units.count { $0.provenance == nil }
    if unknown > 0 { origins.append(RoundOrigin(strings: unknown)) }
    return origins
  }
}
