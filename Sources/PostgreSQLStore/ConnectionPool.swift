private import Glibc
import Localization
import PostgreSQLClient
import Synchronization

/// Idle connections. A call opens a new one if there is none. The number of connections is limited by the number of calling threads.
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

  /// Makes a pool of other connections to the same database.
  /// - Parameter limit: how long a statement may take.
  func separate(limit: Duration) -> ConnectionPool { ConnectionPool(address, limit: limit, password: password) }

  /// Opens a connection that does not belong to the pool.
  func open(named name: String = "dragoman") throws -> PostgreSQLConnection {
    try PostgreSQLConnection(address, password: password(), name: name, limit: limit)
  }

  /// Opens a connection, and waits for a server that was reached before and is restarting.
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

  /// The longest wait: longer than a restart of a server that was shut down properly.
  private static let patience = Duration.seconds(3)

  /// Runs `body` on a connection. If the transactions of two calls conflicted, or the connection was lost before anything was
  /// committed, it runs again.
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
        // A silent server would make each idle connection wait as long.
        if error.kind == .deadline { idle.withLock { $0.removeAll() } }
        tries += 1
        let mayRepeat =
          switch error.kind {
          case .conflict: tries < 5
          // An idle connection may have been closed with its server. All other idle connections are then closed too.
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
