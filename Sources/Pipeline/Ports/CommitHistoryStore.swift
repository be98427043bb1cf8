package import Localization

/// What the commits of watched branches changed for translators. `SQLiteStore` implements it; `CommitHistoryConformance` tests its
/// guarantees.
///
/// A record depends only on its commit, so it needs no lease: if several processes write the same one, the first one is kept.
package protocol CommitHistoryStore: Sendable {
  /// Returns which of these commits have a record.
  func recorded(among commits: [CommitID], of pipeline: String) async throws -> Set<CommitID>

  /// Adds records in one transaction. Commits that have one keep it.
  func record(_ records: [CommitRecord], of pipeline: String) async throws

  /// Returns the records of a commit and of its first parents, newest first. It ends at the first commit without a record.
  /// - Parameter limit: how many commits to follow.
  func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord]

  /// Returns the changes of all strings with a key, by time of their commits, oldest first.
  /// - Parameter pipeline: `nil` for all.
  func commits(changing key: UnitKey, of pipeline: String?, limit: Int) async throws -> [UnitCommit]

  /// Returns the commit at which a branch was first seen as frozen; `nil` if none is recorded.
  func freezePoint(of branch: String, of pipeline: String) async throws -> CommitID?

  /// Records the commit at which a branch was first seen as frozen, replacing an older record; `nil` removes it.
  func setFreezePoint(_ commit: CommitID?, of branch: String, of pipeline: String) async throws
}
