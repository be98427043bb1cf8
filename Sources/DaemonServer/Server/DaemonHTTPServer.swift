package import Daemon
private import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Localization
package import Logging
internal import NIOCore
internal import ServiceLifecycle

/// The HTTP server of the daemon: probes, metrics and webhooks.
package struct DaemonHTTPServer: Service {
  private let daemon: RunningDaemon
  private let address: ListenAddress
  private let limits: ServerLimits
  private let logger: Logger
  private let isListening: @Sendable (ListenAddress) -> Void

  /// - Parameter isListening: receives the address when the server accepts connections, with the port that was chosen for port 0.
  package init(
    of daemon: RunningDaemon, at address: ListenAddress, limits: ServerLimits = ServerLimits(), logger: Logger,
    isListening: @escaping @Sendable (ListenAddress) -> Void
  ) {
    self.daemon = daemon
    self.address = address
    self.limits = limits
    self.logger = logger
    self.isListening = isListening
  }

  /// Serves until a graceful shutdown. Running requests are answered.
  /// - Throws: `ServerFault` if the address cannot be used.
  package func run() async throws {
    let router = Router()
    router.middlewares.add(LoopbackHostOnly())
    let gate = WebhookGate(daemon: daemon)
    ProbeRoutes(daemon: daemon).add(to: router)
    WebhookRoute(gate: gate, daemon: daemon, limit: limits.body).add(to: router)
    VendorWebhookRoute(gate: gate, daemon: daemon, limit: limits.body).add(to: router)
    let (limits, address) = (limits, address)
    let application = Application(
      responder: router.buildResponder(),
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [RequestDeadline(limits.request.timeAmount)],
          idleTimeout: limits.idle.timeAmount,
          httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers, maxHeaderFieldCount: 200))),
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
        cannot listen on \(address): \(String(cString: strerror(error.errnoCode))). Choose another address with --listen, \
        or end the program that uses this one
        """)
    }
  }
}

extension Duration {
  fileprivate var timeAmount: TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
}

/// Refuses requests whose Host header is not a loopback name. Web pages cannot read metrics through a name that resolves to 127.0.0.1,
/// and a reverse proxy that passes all paths on does not publish them. Webhooks are let through: they prove themselves.
private struct LoopbackHostOnly<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority ?? ""
    guard request.uri.path.hasPrefix("/hooks/") || ListenAddress.isLoopback(host: host) else {
      return Answer.problem(
        HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"), "host",
        "this path is only for this machine: use the host name 127.0.0.1 or localhost")
    }
    return try await next(request, context)
  }
}
