import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient

/// The tables of the database and their migrations.
///
/// A change of the ledger is a migration with the same number in both stores, so the version of the database is the number of a SQLite migration.
enum Schema {
  /// The number of the SQLite migration to which the tables in `ledger` correspond.
  private static let first = 10
  /// The later migrations. A released migration is never edited.
  private static let migrations: [(version: Int, sql: String)] = [
    (12, commitHistory), (13, refusals), (14, people), (15, booksByStatement), (16, sharedValues),
    (17, sourceGrams), (18, fileFaults), (19, formerNames), (20, recordedBranches),
    (21, troubledJobs), (22, outdated), (23, oneOrigin), (24, proposals),
  ]

  static var version: Int { migrations.last?.version ?? first }

  /// The names of the ledger's tables. Each table follows the tables that it refers to. Tables for workers, uploaded pipeline files, the installation
  /// and shared facts are not included.
  static let ledgerTables = [
    "pipeline", "run", "branch", "job", "round", "source", "shipment", "sent_unit", "books", "bundle", "returned_unit",
    "delivery", "branch_outcome", "rename", "notice", "notice_line", "history_commit", "history_change", "freeze_point",
    "completion", "overruled_reason", "audit", "api_token", "source_gram", "former_name", "recorded_branch",
    "outdated", "proposal",
  ]

  /// Creates or migrates the tables. If several processes start at the same time, only one of them creates or migrates the tables.
  /// - Returns: whether the tables were created.
  static func prepare(_ connection: PostgreSQLConnection, at address: PostgreSQLAddress) throws -> Bool {
    try checkEncoding(connection, at: address)
    guard try found(connection) != version else { return false }
    return try connection.transaction(.writing) {
      _ = try connection.run("SELECT pg_advisory_xact_lock(727466810)")
      let found = try found(connection)
      try refuseNewer(found, at: address)
      if found == nil {
        try connection.script(functions)
        try connection.script(ledger)
        try connection.script(books)
        try connection.script(fleet)
        try connection.script(
          "CREATE TABLE ledger_version (version BIGINT NOT NULL); INSERT INTO ledger_version VALUES (\(first))")
      }
      for migration in migrations where migration.version > found ?? first { try connection.script(migration.sql) }
      _ = try connection.run("UPDATE ledger_version SET version = $1", [.integer(Int64(version))])
      return found == nil
    }
  }

  /// Checks that the tables have the version that this program uses.
  /// - Throws: `PipelineError` (`notFound`) if there is no ledger; otherwise `StoreError` or an error of the database.
  static func check(_ connection: PostgreSQLConnection, at address: PostgreSQLAddress) throws {
    guard let found = try found(connection) else {
      // Without permission for any schema of its search path, a user sees no table, even if there is a ledger.
      guard try connection.run("SELECT current_schema()::text").text(0, 0) != nil else {
        throw StoreError(
          .userRefused, operation: "open the ledger",
          detail: "\(address) has no schema that this user can use. Grant the user USAGE on the schema of the ledger")
      }
      throw PipelineError(
        .notFound, operation: "read the ledger in \(address)",
        detail: "there is no ledger yet. Create it with `dragoman pipelines apply`, or move one with "
          + "`dragoman store migrate-to`", disposition: .permanent)
    }
    try refuseNewer(found, at: address)
    guard found == version else {
      throw StoreError(
        .newerSchema, operation: "open the ledger",
        detail: "\(address) was written by an older version of Dragoman. Start `dragoman worker`, which updates it")
    }
  }

  private static func refuseNewer(_ found: Int?, at address: PostgreSQLAddress) throws {
    guard let found, found > version else { return }
    throw StoreError(
      .newerSchema, operation: "open the ledger",
      detail: "\(address) was written by a newer version of Dragoman. Install that version")
  }

  private static func found(_ connection: PostgreSQLConnection) throws -> Int? {
    // `to_regclass` is not used, because it may have cached that the table did not exist.
    let table = try connection.run(
      "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'ledger_version')")
    guard table.integer(0, 0) == 1 else { return nil }
    let version = try connection.run("SELECT version FROM ledger_version")
    return version.count > 0 ? version.integer(0, 0).map { Int($0) } : nil
  }

  private static func checkEncoding(_ connection: PostgreSQLConnection, at address: PostgreSQLAddress) throws {
    let encoding = try connection.run("SHOW server_encoding").text(0, 0) ?? ""
    guard encoding == "UTF8" else {
      throw StoreError(
        .refused, operation: "open the ledger",
        detail:
          "\(address) stores text as \(encoding). Create the database with createdb --encoding UTF8 --template template0"
      )
    }
  }
}
