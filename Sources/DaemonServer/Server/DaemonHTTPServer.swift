package import Daemon
private import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Localization
package import Logging
internal import NIOCore
internal import Pipeline
internal import ServiceLifecycle

/// The HTTP server of the daemon: probes, metrics, webhooks, the API and the dashboard.
package struct DaemonHTTPServer: Service {
  private let daemon: RunningDaemon
  private let address: ListenAddress
  private let access: ServerAccess
  private let limits: ServerLimits
  private let logger: Logger
  private let isListening: @Sendable (ListenAddress) -> Void

  /// - Parameter isListening: called when the server accepts connections. The function receives the address, with the actual port if port 0 was
  ///   requested.
  package init(
    of daemon: RunningDaemon, at address: ListenAddress, access: ServerAccess, limits: ServerLimits = ServerLimits(),
    logger: Logger,
    isListening: @escaping @Sendable (ListenAddress) -> Void
  ) {
    self.daemon = daemon
    self.address = address
    self.access = access
    self.limits = limits
    self.logger = logger.withoutCancellations
    self.isListening = isListening
  }

  /// Serves requests until a graceful shutdown, which waits for running requests.
  /// - Throws: `ServerFault` if the address cannot be used.
  package func run() async throws {
    try access.check(address, hasTokens: try await !daemon.people.tokens().isEmpty)
    let router = Router()
    let entry = AccessGate(daemon: daemon)
    router.middlewares.add(HostRule(access: access, address: address, gate: entry))
    router.middlewares.add(try APIResponder(daemon: daemon, access: entry, bodyLimit: limits.body))
    router.middlewares.add(DashboardResponder(daemon: daemon, access: access, gate: entry))
    let gate = WebhookGate(daemon: daemon)
    ProbeRoutes(daemon: daemon).add(to: router)
    WebhookRoute(gate: gate, daemon: daemon, limit: limits.body).add(to: router)
    VendorWebhookRoute(gate: gate, daemon: daemon, limit: limits.body).add(to: router)
    let (limits, address) = (limits, address)
    let application = Application(
      responder: router.buildResponder(),
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [
            ResponsePacing(limits.write.timeAmount), RequestDeadline(limits.request.timeAmount),
            MalformedRequestResponse(limits),
          ],
          idleTimeout: limits.idle.timeAmount,
          httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers,
            maxHeaderFieldCount: limits.headerFields))),
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port),
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
      onServerRunning: { [isListening] channel in
        isListening(address.with(port: channel.localAddress?.port ?? address.port))
      }, logger: logger)
    do { try await application.run() } catch let error as IOError {
      throw ServerFault(
        .unavailable,
        """
        cannot listen on \(address): \(String(cString: strerror(error.errnoCode))). Choose another address with --listen\
        \(error.errnoCode == EADDRINUSE ? ", or end the program that uses this one" : "")
        """)
    }
  }
}

extension Duration {
  fileprivate var timeAmount: TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
}
