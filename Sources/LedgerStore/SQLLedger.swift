package import Pipeline

/// A ledger in a SQL database. This module contains the statements and the logic for all databases. Each store provides the transactions.
package protocol SQLLedger: Store, NoticeStore, CommitHistoryStore, PeopleStore {
  /// Whether only one process uses the store at a time. If so, jobs of all other owners belong to processes that have ended.
  var isExclusive: Bool { get }

  /// Runs a transaction that sees a consistent state of the database.
  func read<Value: Sendable>(
    _ operation: String, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Runs a transaction that changes the database. `body` may run more than once; only its last run has an effect.
  /// - Parameter pipeline: the pipeline to lock before `body` runs, which prevents changes by other transactions; `nil` if `body` locks the rows that
  ///   `body` changes.
  @discardableResult
  func write<Value: Sendable>(
    _ operation: String, of pipeline: String?, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Gives free space back to the disk and updates the query planner's statistics, unless the database does both itself.
  func tidy() async throws
}

/// The error for a stored value that no version of Dragoman writes. Each store adds the next step to the message.
package struct LedgerDamage: Error, Hashable, CustomStringConvertible {
  package let description: String
  package init(description: String) { self.description = description }
}

/// Returns the error for a damaged or unknown value in a row.
func damaged(_ what: String) -> LedgerDamage { LedgerDamage(description: what) }
