import FoundationEssentials
package import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient

/// Functions that copy a ledger into the database, and check the ledger.
extension PostgreSQLStore {
  /// Copies all rows of another ledger, in one transaction.
  /// - Parameter installation: the identity of the former installation, which vendors use to distinguish installations.
  /// - Throws: `StoreError` if the database already has a ledger, decisions or API tokens, if workers are running, or if the copied books disagree
  ///   with the copied units. In these cases nothing is changed.
  package func takeOver(_ ledger: any SQLLedger, installation: String) async throws -> LedgerContents {
    try await ledger.read("move the ledger") { [self] source in
      do {
        return try pool.with { connection in
          try connection.transaction(.writing) {
            let transaction = PostgreSQLTransaction(connection: connection, clock: clock)
            try Self.requireEmpty(transaction, address)
            // The books are copied too, so triggers must not count the units again.
            try transaction.execute("ALTER TABLE sent_unit DISABLE TRIGGER USER", [])
            try transaction.execute("DELETE FROM pipeline", [])
            // The copied entries of the audit log keep their numbers, so the existing entries about uploads get new numbers.
            let uploads = try transaction.rows("DELETE FROM audit RETURNING \(Self.auditColumns), id")
            for table in Schema.ledgerTables { try Self.copy(table, from: source, to: transaction) }
            try Self.add(uploads, to: transaction)
            try transaction.execute("ALTER TABLE sent_unit ENABLE TRIGGER USER", [])
            try transaction.execute(
              "INSERT INTO pipeline (name, revision) SELECT name, 0 FROM definition ON CONFLICT DO NOTHING", [])
            try transaction.execute(
              "INSERT INTO installation (identity) VALUES (?) ON CONFLICT (one) DO UPDATE SET identity = excluded.identity",
              [installation])
            return try Self.contents(in: transaction, at: address)
          }
        }
      } catch {
        throw wrapped(error, "move the ledger")
      }
    }
  }

  /// Checks that the books agree with the units, and returns a summary of the ledger.
  package func check() async throws -> LedgerContents {
    try await read("check the ledger") { [address] in try Self.contents(in: $0, at: address) }
  }

  private static func requireEmpty(_ transaction: any SQLTransaction, _ address: PostgreSQLAddress) throws {
    let now = try transaction.now().timeIntervalSince1970
    try transaction.execute("LOCK TABLE pipeline IN ACCESS EXCLUSIVE MODE", [])
    func isUsed(_ table: String) throws -> Bool {
      try transaction.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM \(table))", []) == true
    }
    if try transaction.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM worker WHERE until > ?)", [now]) == true {
      throw StoreError(
        .inUse, operation: "move the ledger",
        detail: "workers use \(address). Stop them until the ledger has been moved")
    }
    let decisions = "audit WHERE action <> 'pipeline apply'"
    guard try ["run", "job", "round", "bundle", "delivery", decisions, "api_token"].allSatisfy({ try !isUsed($0) })
    else {
      throw StoreError(
        .refused, operation: "move the ledger",
        detail:
          "\(address) already has a ledger, decisions or tokens. Use an empty database, and make decisions only after the "
          + "move: the audit log and tokens are moved as well. If an earlier move was interrupted at its end, the ledger "
          + "has been moved already: move the former ledger's file away")
    }
  }

  private static let auditColumns = "at, actor, way, action, pipeline, subject, detail, outcome"

  /// Adds entries to the audit log in their former order, with new numbers.
  /// - Parameter uploads: rows of the audit log. The last column contains the former number of the entry.
  private static func add(_ uploads: [SQLRow], to transaction: any SQLTransaction) throws {
    for row in uploads.sorted(by: { ($0[8] as Int64) < ($1[8] as Int64) }) {
      try transaction.execute(
        "INSERT INTO audit (\(auditColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          row[0] as Double, row[1] as String, row[2] as String, row[3] as String, row[4] as String?, row[5] as String,
          row[6] as String?, row[7] as String?,
        ])
    }
  }

  private static func copy(_ table: String, from source: any SQLTransaction, to target: any SQLTransaction) throws {
    let rows = try target.rows(
      """
      SELECT column_name::text, data_type::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ?
      """, [table])
    let types = Dictionary(rows.map { ($0[0] as String, $0[1] as String) }, uniquingKeysWith: { first, _ in first })
    let columns = try source.values(String.self, "SELECT name FROM pragma_table_info(?) ORDER BY cid", [table])
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try source.forEach("SELECT \(list) FROM \"\(table)\"", []) { row in
      let values: SQLArguments = columns.enumerated().map { index, column in
        switch types[column] {
        case "bigint": (row[index] as Int64?).map { SQLValue.integer($0) }
        case "double precision": (row[index] as Double?).map { SQLValue.double($0) }
        default: (row[index] as String?).map { SQLValue.text($0) }
        }
      }
      try target.execute("INSERT INTO \(table) (\(list)) VALUES (\(places))", values)
    }
    if columns.contains("id") {
      _ = try target.rows(
        "SELECT setval(pg_get_serial_sequence(?, 'id'), (SELECT coalesce(max(id), 0) + 1 FROM \(table)), false)",
        [table])
    }
  }

  private static func contents(in transaction: any SQLTransaction, at address: PostgreSQLAddress) throws
    -> LedgerContents
  {
    let states = ["returned", "outstanding", "withdrawn", "superseded"]
    let sums = states.map { "count(*) FILTER (WHERE state = '\($0)')" }.joined(separator: ", ")
    let units =
      "SELECT round_id, vendor, language, count(*), \(sums) FROM sent_unit GROUP BY round_id, vendor, language"
    let books = "SELECT round_id, vendor, language, sent, \(states.joined(separator: ", ")) FROM books WHERE sent > 0"
    if let row = try transaction.first(
      "SELECT * FROM (\(units) EXCEPT \(books)) AS a UNION ALL SELECT * FROM (\(books) EXCEPT \(units)) AS b LIMIT 1",
      [])
    {
      throw StoreError(
        .corrupt, operation: "check the ledger",
        detail: "the ledger in \(address) is damaged (the books of round id \(row[0] as Int64), \(row[1] as String), "
          + "\(row[2] as String) disagree with its units). Stop all workers, and restore the database from a backup")
    }
    func count(_ what: String) throws -> Int {
      try transaction.value(Int.self, "SELECT count(*) FROM \(what)", []) ?? 0
    }
    return LedgerContents(
      pipelines: try count("pipeline"), rounds: try count("round"),
      outstanding: try count("sent_unit WHERE state = 'outstanding'"),
      size: try transaction.value(Int64.self, "SELECT pg_database_size(current_database())", []) ?? 0)
  }
}
