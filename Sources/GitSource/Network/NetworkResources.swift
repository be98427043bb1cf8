import HTTPTransport
import Pipeline
private import Synchronization

/// What the network operations of all mirrors share: places, kept connections, and the one thread that waits for network children.
final class NetworkResources: Sendable {
  /// The threads that network children are started on.
  let pool: BlockingPool
  let requests: NetworkLanes
  let children: NetworkLanes
  let monitor = ChildMonitor()
  private let transports = Mutex<[String: HTTPTransport]>([:])

  init(pool: BlockingPool, requests: NetworkWidths, children: NetworkWidths) {
    self.pool = pool
    self.requests = NetworkLanes(requests)
    self.children = NetworkLanes(children)
  }

  /// - Parameter certificates: a file with the certificates to trust, instead of the system's.
  func transport(certificates: String?) -> HTTPTransport {
    transports.withLock { transports in
      if let known = transports[certificates ?? ""] { return known }
      // As in the network child, the host's own settings do not count.
      let made = HTTPTransport(
        TransportSettings(certificateAuthorities: certificates, usesEnvironmentProxy: false, keptConnections: 64))
      transports[certificates ?? ""] = made
      return made
    }
  }
}
