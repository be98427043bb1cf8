package import Localization

/// The commit that gave a text unit one of its source texts, and the author of this commit.
package struct Provenance: Hashable, Sendable, Codable {
  package var commit: CommitID
  /// The author's name.
  package var author: String
  /// The author's time of the commit, in seconds since 1970, UTC.
  package var seconds: Int64

  package init(commit: CommitID, author: String, seconds: Int64) {
    self.commit = commit
    self.author = author
    self.seconds = seconds
  }

  package init(_ info: CommitInfo) {
    self.init(commit: info.id, author: info.author.name, seconds: info.author.seconds)
  }
}

/// A text unit with one source text.
package struct UnitSource: Hashable, Sendable {
  package var unit: UnitID
  package var pin: PinDigest

  package init(unit: UnitID, pin: PinDigest) {
    self.unit = unit
    self.pin = pin
  }
}

/// A unit of a round with its provenance in the ledger.
package struct RoundUnit: Hashable, Sendable {
  package var source: UnitSource
  /// The unit's provenance; `nil` if the unit existed when the branch was first compared, or if its commit could not be found.
  package var provenance: Provenance?
  /// The commit from which the unit was last sent with this source text.
  package var sentFrom: CommitID

  package init(source: UnitSource, provenance: Provenance?, sentFrom: CommitID) {
    self.source = source
    self.provenance = provenance
    self.sentFrom = sentFrom
  }
}
