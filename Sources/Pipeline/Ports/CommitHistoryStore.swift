package import Localization

/// The store of the changes for translators in the commits of watched branches, and of the branches' freeze points. The two SQL stores implement it
/// (`SQLLedger`); `CommitHistoryConformance` tests its guarantees.
///
/// A record depends only on its commit and the pipeline's settings, so writing it needs no lease: if several processes write the same
/// record, the first is kept.
package protocol CommitHistoryStore: Sendable {
  /// Returns the commits that have a record.
  func recorded(among commits: [CommitID], of pipeline: String) async throws -> Set<CommitID>

  /// Adds records in one transaction. Commits that already have a record keep it.
  /// - Parameter branch: the branch whose newest recorded commit is now the last of `records`; `nil` to change no branch.
  func record(_ records: [CommitRecord], of pipeline: String, asNewestOf branch: String?) async throws

  /// Returns the newest recorded commit of a branch; `nil` if none is known. After a push, this commit is older than the branch's head
  /// until the pushed commits are recorded.
  func newestRecorded(of branch: String, of pipeline: String) async throws -> CommitID?

  /// Returns the records of a commit and of its first-parent ancestors, newest first. The result ends at the first commit without a record.
  /// - Parameter limit: the maximum number of commits to follow.
  func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord]

  /// Returns the newest `limit` commits that changed strings with this key, oldest first.
  /// - Parameter pipeline: the pipeline to search; `nil` for all pipelines.
  func commits(changing key: UnitKey, of pipeline: String?, limit: Int) async throws -> [UnitCommit]

  /// Returns the commit at which the freeze of a branch began; `nil` if none is recorded.
  func freezePoint(of branch: String, of pipeline: String) async throws -> CommitID?

  /// Records the commit at which the freeze of a branch began, replacing an older record; `nil` removes the record.
  func setFreezePoint(_ commit: CommitID?, of branch: String, of pipeline: String) async throws
}

extension CommitHistoryStore {
  package func record(_ records: [CommitRecord], of pipeline: String) async throws {
    try await record(records, of: pipeline, asNewestOf: nil)
  }

  /// Returns the records of a watched branch, newest first. If the newest commits have no record yet, the result begins with the newest
  /// recorded commit.
  /// - Parameter limit: the maximum number of commits to follow.
  package func history(
    of pipeline: String, branch: String, head: CommitID, limit: Int
  ) async throws -> [CommitRecord] {
    let records = try await history(of: pipeline, from: head, limit: limit)
    guard records.isEmpty, let newest = try await newestRecorded(of: branch, of: pipeline) else { return records }
    return try await history(of: pipeline, from: newest, limit: limit)
  }
}
