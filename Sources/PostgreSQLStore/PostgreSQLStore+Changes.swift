private import Glibc
package import Pipeline
import PostgreSQLClient
import Synchronization

/// Notifications of changes that other processes make.
extension PostgreSQLStore {
  /// Listens for changes on a separate connection and thread until the stream is no longer read.
  package func changes() -> AsyncStream<FleetChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: FleetChange.self, bufferingPolicy: .bufferingNewest(16))
    let state = ListenerState()
    continuation.onTermination = { _ in state.end() }
    let pool = pool
    BlockingPool("ledger changes", width: 1).submit {
      while !state.isEnded {
        // A lost connection is opened again. In the meantime, the worker checks its queue regularly.
        try? listen(pool, state, continuation)
        if !state.isEnded { usleep(listenerPause) }
      }
    }
    return stream
  }
}

/// The pause before a lost connection is opened again, in microseconds.
private let listenerPause: UInt32 = 500_000

private final class ListenerState: Sendable {
  private let isOver = Mutex(false)

  var isEnded: Bool { isOver.withLock { $0 } }
  func end() { isOver.withLock { $0 = true } }
}

private func listen(
  _ pool: ConnectionPool, _ state: ListenerState, _ continuation: AsyncStream<FleetChange>.Continuation
) throws {
  let connection = try pool.open(named: "dragoman changes")
  try connection.script("LISTEN dragoman")
  continuation.yield(.pipelines)
  continuation.yield(.jobs)
  while !state.isEnded {
    let names = Set(try connection.notifications(within: .seconds(1)))
    if names.contains("pipelines") { continuation.yield(.pipelines) }
    if names.contains("jobs") { continuation.yield(.jobs) }
  }
}
