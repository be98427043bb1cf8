/// The trailers at the end of our commit messages. If the ledger was lost, they help to recognize our commits (`OwnCommits`).
package struct CommitTrailers: Hashable, Sendable {
  /// `<pipeline>/<number>` of each round that has a unit in the commit.
  package var rounds: [String]
  /// The commit of the watched branch for which this commit was made.
  package var source: CommitID
  /// The number of units × languages; for a commit of synced catalogs, the number of changed entries; 0 for a merge.
  package var units: Int

  package init(rounds: [String], source: CommitID, units: Int) {
    self.rounds = rounds
    self.source = source
    self.units = units
  }

  /// Reads the trailers in the last paragraph of a message.
  /// - Returns: `nil` if `L10n-Source` or `L10n-Units` is missing, or if `L10n-Units` is not a number.
  package init?(message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.reversed().drop { $0.allSatisfy(\.isWhitespace) }
    var values: [Substring: Substring] = [:]
    for line in body.prefix(while: { !$0.allSatisfy(\.isWhitespace) }) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == " " }
    }
    guard let source = values["L10n-Source"], let units = values["L10n-Units"].flatMap({ Int($0) }) else { return nil }
    self.rounds = (values["L10n-Round"] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
    self.source = CommitID(rawValue: String(source))
    self.units = units
  }

  /// The trailers as lines of text.
  package var text: String {
    let round = rounds.isEmpty ? "" : "L10n-Round: \(rounds.joined(separator: ", "))\n"
    return round + "L10n-Source: \(source.rawValue)\nL10n-Units: \(units)\n"
  }
}

extension CommitInfo {
  /// Whether the message has our trailers. This does not prove that we made the commit: copies of our commits keep the trailers.
  package var isOurs: Bool { CommitTrailers(message: message) != nil }
}
