internal import HTTPTypes
internal import Hummingbird

/// A middleware that refuses requests for unknown host names. Otherwise, a web page whose host name resolves to this machine could access the server
/// under this name.
///
/// Probes and metrics are intended for this machine. If the server listens at a loopback address, probes are accepted only at a loopback host name.
/// Metrics need a token unless both the address and the host name are loopback. Therefore a reverse proxy on this machine that forwards all paths
/// with their host names makes neither of them public. Webhooks are allowed for all host names, because their requests are authenticated
/// separately.
struct HostRule<Context: RequestContext>: RouterMiddleware {
  let access: ServerAccess
  let address: ListenAddress
  let gate: AccessGate

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // The server library uses the first Host header as the authority, and keeps further Host headers as fields.
    guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
      return ServerResponse.problem(.badRequest, "host", "the request has more than one Host header. Send only one")
    }
    let path = request.uri.path
    if path.hasPrefix("/hooks/") { return try await next(request, context) }
    let isProbe = path == "/healthz" || path == "/readyz"
    // Probes of containers use the container's address as the host name.
    if isProbe, !address.isLoopback { return try await next(request, context) }
    let host = request.head.authority ?? ""
    let isLocal = ListenAddress.isLoopback(host: host)
    guard isLocal || !isProbe && access.isPublic(host) else { return Self.misdirected }
    if path == "/metrics", !isLocal || !address.isLoopback {
      guard (try? await gate.token(of: request)) != nil else {
        var response = ServerResponse.problem(
          .unauthorized, "token", "metrics need a token, except on this machine at 127.0.0.1 or localhost")
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
      }
    }
    return try await next(request, context)
  }

  private static var misdirected: Response {
    ServerResponse.problem(
      HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"), "host",
      "this server does not accept this host name: use 127.0.0.1 or localhost, or declare the name of the proxy with "
        + "--behind-proxy")
  }
}
