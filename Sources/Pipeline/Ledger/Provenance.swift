package import Localization

/// The commit that brought a text unit in with its present source text, and who wrote that commit.
package struct Provenance: Hashable, Sendable, Codable {
  package var commit: CommitID
  /// The author's name.
  package var author: String
  /// When it was written, in seconds since 1970, UTC.
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

/// A unit that a round sent, with what the ledger knows of where it came from.
package struct RoundUnit: Hashable, Sendable {
  package var source: UnitSource
  /// `nil` where the unit stood there when the branch was first compared, or where its commits could not be told apart cheaply.
  package var provenance: Provenance?
  /// The commit whose state was first sent.
  package var sentFrom: CommitID

  package init(source: UnitSource, provenance: Provenance?, sentFrom: CommitID) {
    self.source = source
    self.provenance = provenance
    self.sentFrom = sentFrom
  }
}
