private import CLibPQ
private import Glibc
package import Localization

/// A connection to a PostgreSQL server. Its calls block while they wait for the network and the server, so they must be made on a `BlockingPool`, one
/// at a time.
///
/// Every call has a deadline. After an error of the kind `connection`, `deadline` or `unknownOutcome`, the connection is closed, and the server rolls
/// back uncommitted changes. It stays open only if the server reports that it is read-only or has cancelled the statement. Errors are
/// `PostgreSQLError`.
@safe
package final class PostgreSQLConnection {
  let connection: OpaquePointer
  /// The time limit of a statement.
  let limit: Duration
  private var statements: [Statement: String] = [:]
  package private(set) var isOpen = true

  struct Statement: Hashable {
    var sql: String
    var types: [UInt32]
  }

  /// - Parameters:
  ///   - name: the application name in `pg_stat_activity`.
  ///   - limit: the time limit for opening the connection, and for each statement.
  package init(
    _ address: PostgreSQLAddress, password: Secret?, name: String = "dragoman", limit: Duration = .seconds(60)
  ) throws(PostgreSQLError) {
    self.limit = limit
    var parameters = [
      "application_name": name, "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10",
      "keepalives_count": "3", "tcp_user_timeout": "60000",
    ]
    parameters.merge(address.parameters) { _, own in own }
    parameters["client_encoding"] = "UTF8"
    parameters["password"] = password?.reveal()
    let names = parameters.keys.sorted()
    var bytes: [UInt8] = []
    var offsets: [(name: Int, value: Int)] = []
    for name in names {
      let start = bytes.count
      bytes += name.utf8 + [0]
      offsets.append((start, bytes.count))
      bytes += (parameters[name] ?? "").utf8 + [0]
    }
    let started = unsafe bytes.withUnsafeBytes { buffer -> OpaquePointer? in
      guard let base = unsafe buffer.bindMemory(to: CChar.self).baseAddress else { return nil }
      var keywords = unsafe offsets.map { unsafe Optional(base + $0.name) }
      var values = unsafe offsets.map { unsafe Optional(base + $0.value) }
      unsafe keywords.append(nil)
      unsafe values.append(nil)
      return unsafe keywords.withUnsafeBufferPointer { keywords in
        unsafe values.withUnsafeBufferPointer { values in
          unsafe PQconnectStartParams(keywords.baseAddress, values.baseAddress, 0)
        }
      }
    }
    guard let started = unsafe started else { throw PostgreSQLError(.connection, detail: "libpq is out of memory") }
    unsafe connection = started
    unsafe dragoman_pq_ignore_notices(connection)
    try open(until: .now + limit)
  }

  deinit { unsafe PQfinish(connection) }

  private func open(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    var step = PGRES_POLLING_WRITING
    while step != PGRES_POLLING_OK {
      guard step != PGRES_POLLING_FAILED, unsafe PQstatus(connection) != CONNECTION_BAD else {
        throw unsafe Self.connectFault(connection)
      }
      let isWriting = step == PGRES_POLLING_WRITING
      guard try wait(Int16(isWriting ? POLLOUT : POLLIN), until: deadline) else {
        throw PostgreSQLError(.deadline, detail: "the server did not respond within \(limit.components.seconds) s")
      }
      step = unsafe PQconnectPoll(connection)
    }
    guard unsafe PQsetnonblocking(connection, 1) == 0 else {
      throw PostgreSQLError(.connection, detail: "the connection cannot be used without blocking")
    }
  }

  /// Returns the error of a failed connection. libpq provides no error code, so the kind is derived from the message. A message that matches no
  /// pattern is treated as a network error.
  private static func connectFault(_ connection: OpaquePointer) -> PostgreSQLError {
    let words = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    // In lines that begin with a tab, libpq only guesses the cause.
    let detail = words.split(separator: "\n").filter { !$0.hasPrefix("\t") }.joined(separator: "; ")
    let isRefused = [
      "authentication failed", "no password supplied", "no pg_hba.conf entry", "is not permitted to log in",
    ]
    .contains { words.contains($0) }
    if isRefused { return PostgreSQLError(.refused, detail: detail) }
    if words.contains("database \""), words.contains("does not exist") {
      return PostgreSQLError(.configuration, detail: detail)
    }
    if words.contains("role \""), words.contains("does not exist") { return PostgreSQLError(.refused, detail: detail) }
    return PostgreSQLError(words.contains("too many") ? .full : .connection, detail: detail)
  }

  // MARK: Statements

  /// Runs one statement with parameters `$1`, `$2` …. The statement is prepared once per connection, unless it has a list or more than a hundred
  /// parameters. Such statements are planned each time. A generic plan for a list would compare each element with each row. Prepared statements for
  /// many rows would fill the server's memory, because each combination of null positions needs a separate statement.
  package func run(_ sql: String, _ parameters: [PostgreSQLValue] = []) throws(PostgreSQLError) -> PostgreSQLResult {
    let deadline = ContinuousClock.now + limit
    let statement = Statement(sql: sql, types: parameters.map(\.type))
    guard parameters.count <= 100, !parameters.contains(where: \.isList) else {
      return try result(send(statement, parameters), deadline)
    }
    let name = try prepare(statement, deadline)
    return try result(send(name, parameters), deadline)
  }

  /// Sends a request to execute a prepared statement, without waiting for its result.
  /// - Returns: whether libpq accepted the request.
  func send(_ name: String, _ parameters: [PostgreSQLValue]) -> Bool {
    unsafe withText(of: parameters) { values in
      unsafe PQsendQueryPrepared(connection, name, Int32(values.count), values.baseAddress, nil, nil, 0) == 1
    }
  }

  private func send(_ statement: Statement, _ parameters: [PostgreSQLValue]) -> Bool {
    unsafe withText(of: parameters) { values in
      unsafe statement.types.withUnsafeBufferPointer { types in
        unsafe PQsendQueryParams(
          connection, statement.sql, Int32(values.count), types.baseAddress, values.baseAddress, nil, nil, 0) == 1
      }
    }
  }

  /// Calls `body` with the parameters as C strings.
  /// - Parameter body: receives the text form of each parameter, and `nil` for null.
  private func withText(
    of parameters: [PostgreSQLValue], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Bool
  ) -> Bool {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    for parameter in parameters {
      let start = bytes.count
      offsets.append(parameter.append(to: &bytes) ? start : nil)
    }
    return unsafe bytes.withUnsafeBytes { buffer -> Bool in
      let base = unsafe buffer.bindMemory(to: CChar.self).baseAddress
      let values = unsafe offsets.map { offset in
        unsafe offset.flatMap { offset in unsafe base.map { unsafe $0 + offset } }
      }
      return unsafe values.withUnsafeBufferPointer(body)
    }
  }

  /// Runs statements that have no parameters and return no rows, such as BEGIN or the statements of a migration.
  /// - Returns: the result of the last statement.
  @discardableResult
  package func script(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
    let deadline = ContinuousClock.now + limit
    return try result(unsafe PQsendQuery(connection, sql) == 1, deadline)
  }

  func prepare(_ statement: Statement, _ deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> String {
    if let name = statements[statement] { return name }
    let name = "s\(statements.count)"
    let types = statement.types
    let isSent = unsafe types.withUnsafeBufferPointer { types in
      unsafe PQsendPrepare(connection, name, statement.sql, Int32(types.count), types.baseAddress) == 1
    }
    _ = try result(isSent, deadline)
    statements[statement] = name
    return name
  }

  /// Waits for all results of a request, and returns the last one.
  /// - Parameter isSent: whether libpq has accepted the request.
  /// - Throws: the first error.
  private func result(
    _ isSent: Bool, _ deadline: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    guard isOpen, isSent else { throw close(lost()) }
    try flush(deadline)
    var last: PostgreSQLResult?
    var fault: PostgreSQLError?
    while true {
      try waitForResult(deadline)
      guard let found = unsafe PQgetResult(connection) else { break }
      let result = unsafe PostgreSQLResult(found)
      switch unsafe PQresultStatus(found) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
      default: fault = fault ?? (unsafe Self.fault(of: found)) ?? lost()
      }
    }
    if unsafe PQstatus(connection) == CONNECTION_BAD { throw close(fault ?? lost()) }
    if let fault { throw fault.kind == .connection && fault.sqlState != "25006" ? close(fault) : fault }
    guard let last else { throw close(lost()) }
    return last
  }

  /// Sends the rest of libpq's buffer.
  func flush(_ deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    while true {
      let left = unsafe PQflush(connection)
      guard left >= 0 else { throw close(lost()) }
      if left == 0 { return }
      // The server may stop reading requests until its responses are read.
      guard try wait(Int16(POLLIN | POLLOUT), until: deadline) else { throw late() }
      guard unsafe PQconsumeInput(connection) == 1 else { throw close(lost()) }
    }
  }

  func waitForResult(_ deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    while unsafe PQisBusy(connection) == 1 {
      guard try wait(Int16(POLLIN), until: deadline) else { throw late() }
      guard unsafe PQconsumeInput(connection) == 1 else { throw close(lost()) }
    }
  }

  static func fault(of result: OpaquePointer) -> PostgreSQLError? {
    guard let state = unsafe PQresultErrorField(result, dragoman_pq_sql_state) else { return nil }
    let message = unsafe PQresultErrorField(result, dragoman_pq_message).map { unsafe String(cString: $0) }
    return PostgreSQLError(sqlState: unsafe String(cString: state), detail: message ?? "no reason given")
  }

  func lost() -> PostgreSQLError {
    let words = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    let first = words.split(separator: "\n").first.map(String.init)
    return PostgreSQLError(.connection, detail: first ?? "the connection to the server was lost")
  }

  func close(_ error: PostgreSQLError) -> PostgreSQLError {
    isOpen = false
    return error
  }

  /// Requests the cancellation of the statement without waiting for it, closes the connection, and returns the error. The connection cannot be used
  /// again, because the statement's response may still arrive.
  private func late() -> PostgreSQLError {
    if let cancel = unsafe PQgetCancel(connection) { unsafe Self.send(cancel) }
    return close(
      PostgreSQLError(.deadline, detail: "the server did not respond within \(limit.components.seconds) s"))
  }

  /// Sends a cancel request on a separate thread, because libpq waits indefinitely for a server that does not respond.
  private static func send(_ cancel: OpaquePointer) {
    // Only one thread uses the request: the new thread, or this thread if the new thread cannot be started.
    nonisolated(unsafe) let cancel = unsafe cancel
    let code = DetachedThread.start(stack: 1 << 18) {
      var words = [CChar](repeating: 0, count: 256)
      let count = Int32(words.count)
      _ = unsafe words.withUnsafeMutableBufferPointer { unsafe PQcancel(cancel, $0.baseAddress, count) }
      unsafe PQfreeCancel(cancel)
    }
    if code != 0 { unsafe PQfreeCancel(cancel) }
  }

  // MARK: Notifications

  /// Waits for notifications on the channels of earlier LISTEN statements.
  /// - Returns: the payloads of the notifications; empty if none arrived in time.
  package func notifications(within time: Duration) throws(PostgreSQLError) -> [String] {
    var payloads: [String] = []
    let deadline = ContinuousClock.now + time
    while true {
      while let found = unsafe PQnotifies(connection) {
        if let text = unsafe found.pointee.extra { unsafe payloads.append(String(cString: text)) }
        unsafe PQfreemem(found)
      }
      if !payloads.isEmpty { return payloads }
      guard try wait(Int16(POLLIN), until: deadline) else { return [] }
      guard unsafe PQconsumeInput(connection) == 1 else { throw close(lost()) }
    }
  }

  // MARK: Waiting

  /// Waits until the connection's socket is ready.
  /// - Returns: `false` if the deadline passed.
  func wait(_ events: Int16, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> Bool {
    let socket = unsafe PQsocket(connection)
    guard socket >= 0 else { throw close(lost()) }
    var place = pollfd(fd: socket, events: events, revents: 0)
    while true {
      let (seconds, attoseconds) = (deadline - .now).components
      guard seconds >= 0, attoseconds >= 0 else { return false }
      let milliseconds = min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      let count = unsafe poll(&place, 1, Int32(milliseconds))
      if count > 0 { return true }
      guard count == 0 || errno == EINTR else {
        throw close(
          PostgreSQLError(.connection, detail: "cannot wait for the server: \(unsafe String(cString: strerror(errno)))")
        )
      }
    }
  }
}
