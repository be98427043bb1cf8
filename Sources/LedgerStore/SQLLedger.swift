package import Pipeline

/// A ledger in a SQL database. The logic is here, for all databases; each store provides the transactions.
package protocol SQLLedger: Store, NoticeStore, CommitHistoryStore, PeopleStore {
  /// Whether only one process uses the store at a time. If so, the jobs of all other owners belong to processes that have ended.
  var isExclusive: Bool { get }

  /// Runs a transaction that sees a consistent state of the database.
  func read<Value: Sendable>(
    _ operation: String, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Runs a transaction that changes the database. `body` may run more than once; only its last run has an effect.
  /// - Parameter pipeline: the pipeline to lock before `body` runs, so no other transaction changes it; `nil` if `body` locks the rows that
  ///   it changes.
  @discardableResult
  func write<Value: Sendable>(
    _ operation: String, of pipeline: String?, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Returns free space to the disk and updates the statistics, unless the database does this itself.
  func tidy() async throws
}

/// A stored value that no version of Dragoman writes. Each store adds the next step to the message.
package struct LedgerDamage: Error, Hashable, CustomStringConvertible {
  package let description: String
  package init(description: String) { self.description = description }
}

/// Returns an error for a damaged or unknown value in a row.
func damaged(_ what: String) -> LedgerDamage { LedgerDamage(description: what) }
