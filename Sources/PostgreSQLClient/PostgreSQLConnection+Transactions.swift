extension PostgreSQLConnection {
  package enum Mode: Hashable, Sendable {
    /// All statements see the same state of the database, and cannot change it.
    case reading
    /// Each statement sees the data that is committed when the statement starts. Rows that later statements rely on must therefore be locked.
    case writing

    var begin: String {
      switch self {
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .writing: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
      }
    }
  }

  /// Runs a transaction. It is committed when `body` returns, and rolled back when `body` throws.
  /// - Throws: `unknownOutcome` if the connection fails or the deadline passes during the commit of a writing transaction.
  package func transaction<Value>(_ mode: Mode, _ body: () throws -> Value) throws -> Value {
    try script(mode.begin)
    let value: Value
    do {
      value = try body()
    } catch {
      // If the connection is closed, the server has already rolled back.
      if isOpen { _ = try? script("ROLLBACK") }
      throw error
    }
    do {
      // If a statement has failed, the server replies to COMMIT with ROLLBACK and no error.
      guard try script("COMMIT").status == "COMMIT" else {
        throw PostgreSQLError(.statement, detail: "the transaction was rolled back: one of its statements failed")
      }
    } catch let error as PostgreSQLError where error.kind == .connection || error.kind == .deadline {
      guard mode == .writing else { throw error }
      throw PostgreSQLError(.unknownOutcome, sqlState: error.sqlState, detail: error.detail)
    }
    return value
  }
}
