private import CLibPQ

extension PostgreSQLConnection {
  /// Runs one statement for each row of parameters, without waiting for each response. The function must be called in a transaction, because if one
  /// statement fails, other statements may already have taken effect.
  /// - Parameter body: receives the result of each successful statement, in the order of the rows.
  package func runAll(
    _ sql: String, _ rows: [[PostgreSQLValue]], _ body: (PostgreSQLResult) -> Void
  ) throws(PostgreSQLError) {
    var start = 0
    while start < rows.count {
      let end = min(start + Self.batch, rows.count)
      try runBatch(sql, rows[start..<end], body)
      start = end
    }
  }

  /// The number of rows in a batch. This number is small enough for the responses to fit into memory, and large enough to make the network's latency
  /// irrelevant.
  private static let batch = 500

  private func runBatch(
    _ sql: String, _ rows: ArraySlice<[PostgreSQLValue]>, _ body: (PostgreSQLResult) -> Void
  ) throws(PostgreSQLError) {
    let deadline = ContinuousClock.now + limit
    var names: [String] = []
    for row in rows { names.append(try prepare(Statement(sql: sql, types: row.map(\.type)), deadline)) }
    guard isOpen, unsafe PQenterPipelineMode(connection) == 1 else { throw close(lost()) }
    for (name, row) in zip(names, rows) {
      guard send(name, row) else { throw close(lost()) }
    }
    guard unsafe PQpipelineSync(connection) == 1 else { throw close(lost()) }
    try flush(deadline)
    var fault: PostgreSQLError?
    while true {
      try waitForResult(deadline)
      // libpq returns a null result between the results of two statements.
      guard let found = unsafe PQgetResult(connection) else {
        if unsafe PQstatus(connection) == CONNECTION_BAD { throw close(fault ?? lost()) }
        continue
      }
      let result = unsafe PostgreSQLResult(found)
      let status = unsafe PQresultStatus(found)
      if status == PGRES_PIPELINE_SYNC { break }
      switch status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: body(result)
      case PGRES_PIPELINE_ABORTED: break
      default: fault = fault ?? (unsafe Self.fault(of: found)) ?? lost()
      }
    }
    guard unsafe PQexitPipelineMode(connection) == 1 else { throw close(fault ?? lost()) }
    if let fault { throw fault.kind == .connection ? close(fault) : fault }
  }
}
