import HTTPTransport
import Pipeline
private import Synchronization

/// The resources that the network operations of all mirrors share: slots, persistent connections, and the one thread that waits for network
/// children.
final class NetworkResources: Sendable {
  /// The threads on which network children are started.
  let pool: BlockingPool
  let requests: NetworkLanes
  let children: NetworkLanes
  let monitor = ChildMonitor()
  private let transports = Mutex<[HTTPConnection: HTTPTransport]>([:])

  init(pool: BlockingPool, requests: NetworkWidths, children: NetworkWidths) {
    self.pool = pool
    self.requests = NetworkLanes(requests)
    self.children = NetworkLanes(children)
  }

  /// The maximum number of transports that are kept. Each change of a certificate or password creates another transport. Before there are more, all
  /// are released.
  private static let mostTransports = 64

  func transport(over connection: HTTPConnection) -> HTTPTransport {
    transports.withLock { transports in
      if let known = transports[connection] { return known }
      if transports.count >= Self.mostTransports { transports = [:] }
      let made = connection.transport(keptConnections: 64)
      transports[connection] = made
      return made
    }
  }
}
