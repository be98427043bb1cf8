internal import HTTPTypes
internal import Hummingbird
internal import Pipeline

/// Which host names the server answers to, and through what. A proxy is declared by its public host names.
package struct ServerAccess: Hashable, Sendable {
  /// The host names, without ports and in lower case, of which a reverse proxy with TLS passes requests on.
  package var publicHosts: Set<String>

  /// - Parameter publicHosts: names as they stand in a URL, without a port.
  /// - Throws: `ServerFault` if one is no host name.
  package init(publicHosts: [String] = []) throws(ServerFault) {
    var hosts: Set<String> = []
    for host in publicHosts {
      let name = host.lowercased()
      guard (1...253).contains(name.utf8.count),
        name.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) })
      else {
        throw ServerFault(
          .usage, "'\(host)' is not a host name. Give the name in the proxy's URL, without a port: l10n.example.com")
      }
      hosts.insert(name)
    }
    self.publicHosts = hosts
  }

  /// - Throws: `ServerFault` if other machines could connect although no proxy is declared, or although there is no token.
  func check(_ address: ListenAddress, hasTokens: Bool) throws(ServerFault) {
    guard !address.isLoopback else { return }
    guard !publicHosts.isEmpty else {
      throw ServerFault(
        .usage,
        "\(address) is not a loopback address, and Dragoman has no TLS of its own. Put a reverse proxy with TLS before it "
          + "and declare its name with --behind-proxy, or use 127.0.0.1:\(address.port)")
    }
    guard hasTokens else {
      throw ServerFault(
        .usage,
        "\(address) is not a loopback address, and there is no token. Add one with `dragoman tokens add` first, or use "
          + "127.0.0.1:\(address.port)")
    }
  }
}

/// Refuses requests for other host names: a web page cannot reach the server through a name of its own that resolves to this machine.
///
/// Probes and metrics are for this machine. A reverse proxy that passes all paths on does not publish them: at its name, and at an address
/// that other machines can reach, metrics need a token. Webhooks are let through: they prove themselves.
struct HostRule<Context: RequestContext>: RouterMiddleware {
  let access: ServerAccess
  let address: ListenAddress
  let gate: AccessGate

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    if path.hasPrefix("/hooks/") { return try await next(request, context) }
    let isProbe = path == "/healthz" || path == "/readyz"
    // The probe of a container asks for its address.
    if isProbe, !address.isLoopback { return try await next(request, context) }
    let host = request.head.authority ?? ""
    let isLocal = ListenAddress.isLoopback(host: host)
    guard isLocal || !isProbe && isPublic(host) else { return Self.misdirected }
    if path == "/metrics", !isLocal || !address.isLoopback {
      guard (try? await gate.token(of: request)) != nil else {
        var response = Answer.problem(
          .unauthorized, "token", "metrics need a token, except on this machine at 127.0.0.1 or localhost")
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
      }
    }
    return try await next(request, context)
  }

  private func isPublic(_ host: String) -> Bool {
    var name = host[...]
    if let colon = name.lastIndex(of: ":"), UInt16(name[name.index(after: colon)...]) != nil { name = name[..<colon] }
    return access.publicHosts.contains(name.lowercased())
  }

  private static var misdirected: Response {
    Answer.problem(
      HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"), "host",
      "this server does not answer to this host name: use 127.0.0.1 or localhost, or declare the name of the proxy with "
        + "--behind-proxy")
  }
}
