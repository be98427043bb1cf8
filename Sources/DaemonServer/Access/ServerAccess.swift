internal import HTTPTypes
internal import Hummingbird
package import Pipeline

/// The settings of the reverse proxy in front of the server. A proxy is declared by its public host names, for which the server also accepts
/// requests.
package struct ServerAccess: Hashable, Sendable {
  /// The host names for which a reverse proxy with TLS forwards requests, in lower case and without ports.
  package var publicHosts: Set<String>
  /// The header field with the name of the person who is signed in at the proxy; `nil` if the proxy has no sign-in.
  package var userHeader: String?
  /// The role of a person who is signed in at the proxy.
  package var userRole: Role

  /// - Parameters:
  ///   - publicHosts: the host names as in a URL, without a port.
  ///   - userHeader: the header field in which the proxy sends the name of the person who is signed in at the proxy.
  /// - Throws: `ServerFault` if a public host is not a host name, or if `userHeader` is not the name of a header field or is given without public
  ///   hosts.
  package init(
    publicHosts: [String] = [], userHeader: String? = nil, userRole: Role = .viewer
  ) throws(ServerFault) {
    if let userHeader {
      guard !publicHosts.isEmpty else {
        throw ServerFault(.usage, "--proxy-user names a header of a proxy. Also declare the proxy with --behind-proxy")
      }
      guard HTTPField.Name(userHeader) != nil else {
        throw ServerFault(.usage, "'\(userHeader)' is not the name of a header field, such as X-Forwarded-User")
      }
    }
    self.userHeader = userHeader
    self.userRole = userRole
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

  /// Returns whether a Host header names a declared proxy, with or without a port.
  func isPublic(_ host: String) -> Bool {
    var name = host[...]
    if let colon = name.lastIndex(of: ":"), UInt16(name[name.index(after: colon)...]) != nil { name = name[..<colon] }
    return publicHosts.contains(name.lowercased())
  }

  /// Returns the person's name, as the proxy sent it; `nil` if the proxy has no sign-in, the request is not for a public host name, or the header is
  /// missing, repeated, empty or longer than 200 bytes.
  func proxiedUser(of request: Request) -> String? {
    guard let userHeader, isPublic(request.head.authority ?? ""), let name = HTTPField.Name(userHeader) else {
      return nil
    }
    let values = request.headers[values: name]
    guard values.count == 1, let user = values.first, (1...200).contains(user.utf8.count) else { return nil }
    return user
  }

  /// Checks that other machines can connect only if a proxy without sign-in is declared and a token exists.
  /// - Throws: `ServerFault` if other machines could connect without these conditions.
  func check(_ address: ListenAddress, hasTokens: Bool) throws(ServerFault) {
    guard !address.isLoopback else { return }
    guard userHeader == nil else {
      throw ServerFault(
        .usage,
        "\(address) is not a loopback address, so other machines could send the header of --proxy-user themselves. Run the "
          + "proxy on this machine and use 127.0.0.1:\(address.port)")
    }
    guard !publicHosts.isEmpty else {
      throw ServerFault(
        .usage,
        "\(address) is not a loopback address, and Dragoman has no TLS of its own. Put a reverse proxy with TLS in front "
          + "of it and declare its name with --behind-proxy, or use 127.0.0.1:\(address.port)")
    }
    guard hasTokens else {
      throw ServerFault(
        .usage,
        "\(address) is not a loopback address, and there is no token. Add one with `dragoman tokens add` first, or use "
          + "127.0.0.1:\(address.port)")
    }
  }
}
