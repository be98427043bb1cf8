import Pipeline

/// The recovery of running jobs when their pipelines get a new holder.
package enum JobRecovery {
  /// Puts jobs of these pipelines that are running for other owners back into the queue.
  package static func recover(
    _ pipelines: [String], except owner: String, in transaction: any SQLTransaction
  ) throws {
    guard !pipelines.isEmpty else { return }
    let rows = try transaction.rows(
      """
      SELECT * FROM job WHERE state = 'running' AND lease_owner <> ?1
        AND pipeline IN (SELECT value FROM json_each(?2)) ORDER BY id
      """, [owner, SQLValue.texts(pipelines)])
    guard !rows.isEmpty else { return }
    let now = try transaction.now()
    try JobRows.move(rows, by: .leaseExpired(at: now), at: now, in: transaction)
  }
}
