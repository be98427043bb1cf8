package import FoundationEssentials

package struct DeliveryID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Our commits for a branch of the remote, recorded before they are pushed.
package struct Delivery: Hashable, Sendable, Codable {
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    case planned, pushed
    /// The watched branch contains the commits.
    case settled
    /// The delivery is given up, for example because it was replaced by a delivery on another base, the remote's branch moved before the push or
    /// no longer contains the commits, or the pipeline now delivers to another branch.
    case abandoned
  }

  package var id: DeliveryID
  package var pipeline: String
  /// The watched branch.
  package var branch: String
  /// The commit of the watched branch for which the delivery was made.
  package var source: CommitID
  /// The branch of the remote that receives the commits.
  package var target: String
  /// The commit that the remote's branch must be at; `nil` if the branch must not exist.
  package var expected: CommitID?
  /// The first parent of the first commit.
  package var base: CommitID
  /// The commits, oldest first.
  package var commits: [CommitID]
  package var units: Int
  package var created: Date
  package var state: State
  /// Whether one of the commits contains synced catalogs.
  package var bringsCatalogs: Bool

  package init(
    id: DeliveryID, pipeline: String, branch: String, source: CommitID, target: String, expected: CommitID?,
    base: CommitID, commits: [CommitID], units: Int, created: Date, state: State, bringsCatalogs: Bool = false
  ) {
    self.id = id
    self.pipeline = pipeline
    self.branch = branch
    self.source = source
    self.target = target
    self.expected = expected
    self.base = base
    self.commits = commits
    self.units = units
    self.created = created
    self.state = state
    self.bringsCatalogs = bringsCatalogs
  }

  package var tip: CommitID { commits.last ?? base }
}

/// A delivery to store, with its units.
package struct NewDelivery: Sendable {
  package var source: CommitID
  package var target: String
  package var expected: CommitID?
  package var base: CommitID
  package var commits: [CommitID]
  package var units: Int
  package var created: Date
  /// The earlier deliveries for the branch that this delivery replaces.
  package var replaces: [DeliveryID]
  /// The outcomes of the delivered units, in the state `delivered`.
  package var outcomes: [BranchOutcome]
  /// Whether one of the commits contains synced catalogs.
  package var bringsCatalogs: Bool

  package init(
    source: CommitID, target: String, expected: CommitID?, base: CommitID, commits: [CommitID], units: Int,
    created: Date, replaces: [DeliveryID], outcomes: [BranchOutcome], bringsCatalogs: Bool = false
  ) {
    self.source = source
    self.target = target
    self.expected = expected
    self.base = base
    self.commits = commits
    self.units = units
    self.created = created
    self.replaces = replaces
    self.outcomes = outcomes
    self.bringsCatalogs = bringsCatalogs
  }
}
