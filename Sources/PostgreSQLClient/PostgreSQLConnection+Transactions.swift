extension PostgreSQLConnection {
  package enum Mode: Hashable, Sendable {
    /// The transaction sees a consistent state of the database, and changes nothing.
    case reading
    /// Each statement sees the data that is committed when it starts, so lock the rows that later statements rely on.
    case writing

    var begin: String {
      switch self {
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .writing: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
      }
    }
  }

  /// Runs a transaction: it is committed when `body` returns, and rolled back when it throws.
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
      // To COMMIT after a failed statement, the server answers ROLLBACK, without an error.
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
