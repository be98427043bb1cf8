private import Glibc
package import Pipeline
import PostgreSQLClient
import Synchronization

/// Listening for changes that other processes make.
extension PostgreSQLStore {
  /// A connection of its own listens on a thread of its own, until nobody reads the stream any more.
  package func changes() -> AsyncStream<FleetChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: FleetChange.self, bufferingPolicy: .bufferingNewest(16))
    let state = ListenerState()
    continuation.onTermination = { _ in state.end() }
    let pool = pool
    BlockingPool("ledger changes", width: 1).submit {
      while !state.isEnded {
        // A connection that was lost is opened again. The worker looks at its queue regularly in the meantime.
        try? listen(pool, state, continuation)
        if !state.isEnded { usleep(listenerPause) }
      }
    }
    return stream
  }
}

/// In microseconds.
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
