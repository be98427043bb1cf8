import Localization
import Pipeline

/// A function that sorts commits with equal times by their position on the line of first parents. Such commits are common, because commit times have
/// a resolution of one second.
enum CommitLine {
  /// The maximum total number of other commits that are read to connect the given commits.
  private static let stepLimit = 10_000

  private struct Commit: Hashable {
    var pipeline: String
    var id: CommitID
  }

  /// Sorts commits.
  /// - Parameter commits: the commits, sorted by time.
  /// - Returns: the same commits, with parents before children within each second.
  static func sorted(_ commits: [UnitCommit], in transaction: any SQLTransaction) throws -> [UnitCommit] {
    var result: [UnitCommit] = []
    var rest = commits[...]
    while let first = rest.first {
      let second = rest.prefix { $0.record.seconds == first.record.seconds }
      rest = rest[second.endIndex...]
      let members = Set(second.map { Commit(pipeline: $0.pipeline, id: $0.record.commit) })
      guard members.count > 1 else {
        result += second
        continue
      }
      let places = try places(of: members, in: transaction)
      let placed = second.enumerated().map { number, commit in
        let place = places[Commit(pipeline: commit.pipeline, id: commit.record.commit)] ?? 0
        return (place: place, number: number, commit: commit)
      }
      result += placed.sorted { ($0.place, $0.number) < ($1.place, $1.number) }.map(\.commit)
    }
    return result
  }

  /// Returns, for each commit, the number of the other given commits that precede it on its line of first parents.
  private static func places(of members: Set<Commit>, in transaction: any SQLTransaction) throws -> [Commit: Int] {
    var nearest: [Commit: Commit] = [:]
    var seen: [Commit: Commit] = [:]
    var steps = 0
    for member in members {
      var next = try parent(of: member, in: transaction)
      var walked: [Commit] = []
      while let commit = next, !members.contains(commit), seen[commit] == nil, steps < stepLimit {
        walked.append(commit)
        steps += 1
        next = try parent(of: commit, in: transaction)
      }
      guard let end = next.flatMap({ members.contains($0) ? $0 : seen[$0] }) else { continue }
      nearest[member] = end
      for commit in walked { seen[commit] = end }
    }
    var places: [Commit: Int] = [:]
    for member in members {
      var line: [Commit] = []
      var next: Commit? = member
      while let commit = next, places[commit] == nil {
        line.append(commit)
        next = nearest[commit]
      }
      var place = next.flatMap { places[$0] } ?? -1
      for commit in line.reversed() {
        place += 1
        places[commit] = place
      }
    }
    return places
  }

  private static func parent(of commit: Commit, in transaction: any SQLTransaction) throws -> Commit? {
    let row = try transaction.first(
      "SELECT parent FROM history_commit WHERE pipeline = ? AND commit_id = ?", [commit.pipeline, commit.id.rawValue])
    let parent: String? = row?[0]
    return parent.map { Commit(pipeline: commit.pipeline, id: CommitID(rawValue: $0)) }
  }
}
