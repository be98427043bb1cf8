import FoundationEssentials
internal import GRDB
import LedgerStore

/// A transaction on a SQLite database. Each statement is prepared once for each connection.
struct SQLiteTransaction: SQLTransaction {
  let database: Database
  let clock: @Sendable () -> Date

  var dialect: SQLDialect { .sqlite }

  func now() throws -> Date { clock() }

  func scan(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Bool) throws {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: Self.bound(arguments))
    while let row = try rows.next() {
      guard try body(SQLRow(SQLiteRow(row: row))) else { break }
    }
  }

  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: Self.bound(arguments))
    let names = statement.columnNames
    var stored: [SQLRow] = []
    while let row = try rows.next() { stored.append(SQLRow(StoredRow(row, names))) }
    return stored
  }

  func first(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: Self.bound(arguments))
    // The cursor must live until the row is read, because a cursor resets its statement when it is released.
    return try withExtendedLifetime(rows) {
      try rows.next().map { SQLRow(StoredRow($0, statement.columnNames)) }
    }
  }

  func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int {
    try database.cachedStatement(sql: sql).execute(arguments: Self.bound(arguments))
    return database.changesCount
  }

  func executeAll(_ sql: String, _ arguments: [SQLArguments]) throws -> Int {
    let statement = try database.cachedStatement(sql: sql)
    var count = 0
    for arguments in arguments {
      try statement.execute(arguments: Self.bound(arguments))
      count += database.changesCount
    }
    return count
  }

  func insertAll(_ sql: String, _ arguments: [SQLArguments]) throws -> [Int64] {
    let statement = try database.cachedStatement(sql: sql)
    return try arguments.map { arguments in
      guard let id = try Int64.fetchOne(statement, arguments: Self.bound(arguments)) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an inserted row has no id")
      }
      return id
    }
  }

  func tables(with column: String) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND c.name = ? ORDER BY t.name
        """,
      arguments: [column])
  }

  // Locks are not needed: only one process runs the pipelines, and SQLite allows one writer at a time.
  func lock(_ pipelines: Set<String>) throws {}
  func lockFree(_ pipelines: Set<String>, for owner: String) throws -> Set<String> { pipelines }

  private static func bound(_ arguments: SQLArguments) throws -> StatementArguments {
    // Optional existentials are used because they are faster. GRDB maps values of a single type with a key path, which took 5 % of the time of a
    // simulation.
    StatementArguments(try arguments.map { try value($0?.sqlValue ?? .null) as (any DatabaseValueConvertible)? })
  }

  private static func value(_ value: SQLValue) throws -> DatabaseValue {
    switch value {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .integers(let values): "[\(values.map(String.init).joined(separator: ","))]".databaseValue
    case .texts(let values): String(decoding: try JSONEncoder().encode(values), as: UTF8.self).databaseValue
    }
  }
}

/// The current row of a statement.
private struct SQLiteRow: SQLRowSource {
  let row: Row

  func text(_ column: Int) -> String? { row[column] }
  func integer(_ column: Int) -> Int64? { row[column] }
  func double(_ column: Int) -> Double? { row[column] }
  func text(_ name: String) -> String? { row[name] }
  func integer(_ name: String) -> Int64? { row[name] }
  func double(_ name: String) -> Double? { row[name] }
}

/// A row that stays valid after its statement has ended. This type replaces GRDB's copied rows, because decoding their values with unspecialized
/// generic code took 15 % of the time to list pipelines.
private struct StoredRow: SQLRowSource {
  private let values: [DatabaseValue]
  private let names: [String]

  init(_ row: Row, _ names: [String]) {
    values = Array(row.databaseValues)
    self.names = names
  }

  private func value(_ column: Int) -> DatabaseValue { values.indices.contains(column) ? values[column] : .null }
  private func value(_ name: String) -> DatabaseValue { names.firstIndex(of: name).map { values[$0] } ?? .null }

  func text(_ column: Int) -> String? { String.fromDatabaseValue(value(column)) }
  func integer(_ column: Int) -> Int64? { Int64.fromDatabaseValue(value(column)) }
  func double(_ column: Int) -> Double? { Double.fromDatabaseValue(value(column)) }
  func text(_ name: String) -> String? { String.fromDatabaseValue(value(name)) }
  func integer(_ name: String) -> Int64? { Int64.fromDatabaseValue(value(name)) }
  func double(_ name: String) -> Double? { Double.fromDatabaseValue(value(name)) }
}
