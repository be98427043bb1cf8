import FoundationEssentials
import LedgerStore
import PostgreSQLClient

/// A transaction on a PostgreSQL database.
struct PostgreSQLTransaction: SQLTransaction {
  let connection: PostgreSQLConnection
  /// A clock for tests; `nil` for the database's clock.
  let clock: (@Sendable () -> Date)?

  var dialect: SQLDialect { .postgreSQL }

  func now() throws -> Date {
    if let clock { return clock() }
    let result = try connection.run("SELECT extract(epoch FROM clock_timestamp())::double precision")
    return Date(timeIntervalSince1970: result.double(0, 0) ?? 0)
  }

  func scan(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Bool) throws {
    let result = try run(sql, arguments)
    for row in 0..<result.count {
      guard try body(SQLRow(ResultRow(result: result, row: row))) else { return }
    }
  }

  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
    let result = try run(sql, arguments)
    return (0..<result.count).map { SQLRow(ResultRow(result: result, row: $0)) }
  }

  func first(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
    let result = try run(sql, arguments)
    return result.count > 0 ? SQLRow(ResultRow(result: result, row: 0)) : nil
  }

  @discardableResult
  func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int { try run(sql, arguments).changes }

  @discardableResult
  func executeAll(_ sql: String, _ arguments: [SQLArguments]) throws -> Int {
    var count = 0
    try runAll(sql, arguments) { count += $0.changes }
    return count
  }

  func insertAll(_ sql: String, _ arguments: [SQLArguments]) throws -> [Int64] {
    var ids: [Int64] = []
    ids.reserveCapacity(arguments.count)
    try runAll(sql, arguments) { result in
      if result.count > 0, let id = result.integer(0, 0) { ids.append(id) }
    }
    guard ids.count == arguments.count else { throw LedgerDamage(description: "an inserted row has no id") }
    return ids
  }

  private func runAll(_ sql: String, _ arguments: [SQLArguments], _ body: (PostgreSQLResult) -> Void) throws {
    try connection.runAll(
      StatementTranslation.shared.translate(sql), arguments.map { $0.map { Self.value($0?.sqlValue ?? .null) } }, body)
  }

  private func run(_ sql: String, _ arguments: SQLArguments) throws -> PostgreSQLResult {
    try connection.run(StatementTranslation.shared.translate(sql), arguments.map { Self.value($0?.sqlValue ?? .null) })
  }

  private static func value(_ value: SQLValue) -> PostgreSQLValue {
    switch value {
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .text(let value): .text(value)
    case .integers(let values): .integers(values)
    case .texts(let values): .texts(values)
    }
  }

  func tables(with column: String) throws -> [String] {
    try values(
      String.self,
      """
      SELECT table_name::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name = ? AND table_name IN
        (SELECT value FROM json_each(?)) ORDER BY 1
      """, [column, SQLValue.texts(Schema.ledgerTables)])
  }

  /// Locks pipelines. A pipeline that has no row yet is locked by its name, so two transactions cannot both add a row.
  func lock(_ pipelines: Set<String>) throws {
    for pipeline in pipelines.sorted() {
      let row = "SELECT 1 FROM pipeline WHERE name = $1 FOR UPDATE"
      guard try connection.run(row, [.text(pipeline)]).count == 0 else { continue }
      _ = try connection.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(pipeline)])
      _ = try connection.run(row, [.text(pipeline)])
    }
  }

  func lockFree(_ pipelines: Set<String>, for owner: String) throws -> Set<String> {
    Set(
      try values(
        String.self,
        """
        SELECT name FROM pipeline WHERE name IN (SELECT value FROM json_each(?)) AND (holder IS NULL OR holder = ?)
        ORDER BY name FOR UPDATE SKIP LOCKED
        """, [SQLValue.texts(pipelines.sorted()), owner]))
  }
}

private struct ResultRow: SQLRowSource {
  let result: PostgreSQLResult
  let row: Int

  func text(_ column: Int) -> String? { result.text(row, column) }
  func integer(_ column: Int) -> Int64? { result.integer(row, column) }
  func double(_ column: Int) -> Double? { result.double(row, column) }
  func text(_ name: String) -> String? { result.column(name).flatMap { result.text(row, $0) } }
  func integer(_ name: String) -> Int64? { result.column(name).flatMap { result.integer(row, $0) } }
  func double(_ name: String) -> Double? { result.column(name).flatMap { result.double(row, $0) } }
}
