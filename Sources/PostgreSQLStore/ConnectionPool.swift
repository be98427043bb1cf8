private import Glibc
import Localization
import PostgreSQLClient
import Synchronization

/// A pool of idle connections. A call opens a new connection if none is idle. The number of calling threads limits the number of connections.
final class ConnectionPool: Sendable {
  /// An idle connection. It is lent to one call at a time.
  private struct Unused: @unchecked Sendable {
    let connection: PostgreSQLConnection
  }

  let address: PostgreSQLAddress
  private let limit: Duration
  private let password: @Sendable () throws -> Secret?
  private let hasWorked = Mutex(false)
  private let idle = Mutex<[Unused]>([])

  init(_ address: PostgreSQLAddress, limit: Duration, password: @escaping @Sendable () throws -> Secret?) {
    self.address = address
    self.limit = limit
    self.password = password
  }

  /// Returns a separate pool of connections to the same database.
  /// - Parameter limit: the time limit of a statement.
  func separate(limit: Duration) -> ConnectionPool { ConnectionPool(address, limit: limit, password: password) }

  /// Opens a new connection, without adding it to the pool.
  func open(named name: String = "dragoman") throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, password: password(), name: name, limit: limit)
    // Compiling a statement to machine code takes 0.2 s, and hardly any statement of the ledger runs that long.
    _ = try connection.run("SET jit = off")
    return connection
  }

  /// Opens a connection. If the server was reached before, this function waits a few seconds for the server, because the server may be restarting.
  private func openPatiently() throws -> PostgreSQLConnection {
    let end = ContinuousClock.now + (hasWorked.withLock { $0 } ? Self.patience : .zero)
    while true {
      do {
        let connection = try open()
        hasWorked.withLock { $0 = true }
        return connection
      } catch let error as PostgreSQLError where error.kind == .connection && ContinuousClock.now < end {
        usleep(200_000)
      }
    }
  }

  /// The maximum time to wait for a server. A server that was shut down properly restarts in less time.
  private static let patience = Duration.seconds(3)

  /// Runs `body` on a connection. `body` runs again up to four times if two transactions conflicted. `body` also runs again if a connection that was
  /// idle before this call was lost before the commit.
  func with<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    var tries = 0
    while true {
      let known = idle.withLock { $0.popLast() }?.connection
      let connection = try known ?? openPatiently()
      do {
        let value = try body(connection)
        keep(connection)
        return value
      } catch let error as PostgreSQLError {
        keep(connection)
        // If the server does not respond, a call on any other idle connection would wait just as long.
        if error.kind == .deadline { idle.withLock { $0.removeAll() } }
        tries += 1
        let mayRepeat =
          switch error.kind {
          case .conflict: tries < 5
          // If the server was restarted, all idle connections are lost, so the call is tried on each of them and then on a new connection.
          case .connection: known != nil && tries < 2 + PostgreSQLStore.connections
          default: false
          }
        guard mayRepeat else { throw error }
      } catch {
        keep(connection)
        throw error
      }
    }
  }

  private func keep(_ connection: PostgreSQLConnection) {
    guard connection.isOpen else { return }
    let unused = Unused(connection: connection)
    idle.withLock { $0.append(unused) }
  }
}
