package import FoundationEssentials

/// A transaction on a ledger's database. Statements are written in the subset of SQLite's dialect that the PostgreSQL store can translate
/// (`SQLDialect`). A transaction must only be used on the thread that runs it, until it ends.
package protocol SQLTransaction {
  var dialect: SQLDialect { get }

  /// Returns the time of the store's clock.
  func now() throws -> Date

  /// Calls `body` with each row, in order, until `body` returns `false`. A row is valid only during the call. `body` must not run the same statement
  /// again.
  func scan(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Bool) throws

  /// Returns all rows.
  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]

  /// Returns the first row; `nil` if there is no row.
  func first(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow?

  /// Runs a statement.
  /// - Returns: the number of rows that the statement changed.
  @discardableResult
  func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int

  /// Runs a statement once for each element of `arguments`. Over a network, the statements are sent without waiting for each response.
  /// - Returns: the total number of changed rows.
  @discardableResult
  func executeAll(_ sql: String, _ arguments: [SQLArguments]) throws -> Int

  /// Runs an INSERT that returns the id of its row, once for each element of `arguments`.
  /// - Returns: the ids, in the order of the arguments.
  func insertAll(_ sql: String, _ arguments: [SQLArguments]) throws -> [Int64]

  /// Returns the names of the ledger's tables that have a column with this name, sorted.
  func tables(with column: String) throws -> [String]

  /// Locks pipelines, so no other transaction can change them until this one ends. A store with exclusive access does nothing, because it runs only
  /// one transaction with changes at a time.
  func lock(_ pipelines: Set<String>) throws

  /// Locks the given pipelines, except pipelines that another worker holds or that another transaction has locked. This function does not wait.
  /// - Returns: the pipelines that were locked.
  func lockFree(_ pipelines: Set<String>, for owner: String) throws -> Set<String>
}

extension SQLTransaction {
  package func forEach(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    try scan(sql, arguments) { row in
      try body(row)
      return true
    }
  }

  /// Inserts up to 256 rows with each statement, because PostgreSQL updates the books once for each statement that inserts sent units.
  package func insert(into table: String, _ columns: [String], _ rows: [SQLArguments]) throws {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    var start = 0
    // Only three sizes are used, because the statement for each size is prepared separately.
    for size in [256, 16, 1] {
      let values = Array(repeating: row, count: size).joined(separator: ", ")
      let statement = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(values)"
      while start + size <= rows.count {
        try execute(statement, Array(rows[start..<start + size].joined()))
        start += size
      }
    }
  }

  package func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

  /// Returns the first column of the first row; `nil` if the value is null or there is no row.
  package func value<Value: SQLDecodable>(
    _ type: Value.Type, _ sql: String, _ arguments: SQLArguments = []
  ) throws -> Value? {
    try first(sql, arguments).flatMap { $0[0] }
  }

  /// Returns the first column of all rows. The column must not be null.
  package func values<Value: SQLDecodable>(
    _ type: Value.Type, _ sql: String, _ arguments: SQLArguments = []
  ) throws -> [Value] {
    try rows(sql, arguments).map { $0[0] }
  }
}

/// The SQL dialect of a database. Only a few statements are written differently for each dialect. `SQLTransaction` hides all other differences.
package enum SQLDialect: Hashable, Sendable {
  case sqlite
  /// The dialect of PostgreSQL. Statements are translated: `?` and `?1` become `$1`, `json_each(?)` becomes `unnest($1)`, `instr` becomes `strpos`,
  /// `CROSS JOIN` becomes `JOIN`, `INDEXED BY` is omitted, and in `ON CONFLICT`, long texts are replaced with their digests.
  case postgreSQL
}
