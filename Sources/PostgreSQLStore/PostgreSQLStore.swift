package import FoundationEssentials
package import LedgerStore
package import Localization
import Pipeline
package import PostgreSQLClient
import Synchronization

/// A ledger in a PostgreSQL database that any number of processes can use at the same time.
///
/// A transaction that changes a pipeline locks the pipeline's row. Changes of one pipeline therefore happen one after the other, but changes of
/// different pipelines can happen at the same time. Leases and due times use the database's clock. Asynchronous calls run on separate threads,
/// because they wait for the network, and complete even if their task is cancelled.
package struct PostgreSQLStore: SQLLedger {
  /// The maximum number of a process's connections for transactions. The connection that listens for changes and those for shared facts are
  /// additional.
  package static let connections = 6

  let pool: ConnectionPool
  private let threads: BlockingPool
  /// A clock for tests; `nil` for the database's clock.
  let clock: (@Sendable () -> Date)?
  /// Whether the tables were created when the store was opened.
  package private(set) var isNew = false

  /// The purpose for which a process opens a database.
  package enum Use: Hashable, Sendable {
    /// The process runs pipelines, uploads pipeline files, or moves a ledger into the database. The tables are created or migrated.
    case working
    /// The process reads the ledger and records decisions of people. The tables must exist.
    case deciding
  }

  /// Opens the ledger of a database.
  /// - Parameters:
  ///   - password: returns the password. The function is called for each new connection, so a changed password needs no restart.
  ///   - limit: the time limit of a statement.
  /// - Throws: `StoreError` with the next step for the user.
  package static func open(
    _ address: PostgreSQLAddress, use: Use = .working, limit: Duration = .seconds(60),
    password: @escaping @Sendable () throws -> Secret? = { nil }, clock: (@Sendable () -> Date)? = nil
  ) throws -> PostgreSQLStore {
    var store = PostgreSQLStore(
      pool: ConnectionPool(address, limit: limit, password: password),
      threads: BlockingPool("ledger", width: connections), clock: clock)
    do {
      store.isNew = try store.pool.with { connection in
        switch use {
        case .working: return try Schema.prepare(connection, at: address)
        case .deciding:
          try Schema.check(connection, at: address)
          return false
        }
      }
    } catch {
      throw store.wrapped(error, "open the ledger")
    }
    return store
  }

  package var address: PostgreSQLAddress { pool.address }

  package var isExclusive: Bool { false }

  package func now() async throws -> Date {
    try await threads.run { [self] in
      do {
        return try pool.with { try PostgreSQLTransaction(connection: $0, clock: clock).now() }
      } catch {
        throw wrapped(error, "read the clock")
      }
    }
  }

  package func read<Value: Sendable>(
    _ operation: String, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await transaction(.reading, operation, body) }

  @discardableResult
  package func write<Value: Sendable>(
    _ operation: String, of pipeline: String?, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await transaction(.writing, operation) { transaction in
      if let pipeline { try transaction.lock([pipeline]) }
      return try body(transaction)
    }
  }

  /// Does nothing, because PostgreSQL's autovacuum returns free space and updates the statistics.
  package func tidy() async throws {}

  private func transaction<Value: Sendable>(
    _ mode: PostgreSQLConnection.Mode, _ operation: String,
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await threads.run { [self] in
      do {
        return try pool.with { connection in
          try connection.transaction(mode) { try body(PostgreSQLTransaction(connection: connection, clock: clock)) }
        }
      } catch {
        throw wrapped(error, operation)
      }
    }
  }

  func wrapped(_ error: any Error, _ operation: String) -> any Error {
    StoreError(error, operation: operation, place: pool.address.description) ?? error
  }
}
