package import HTTPTransport

/// The settings for connecting to a repository over http(s): the trusted certificates, the client certificate, and the proxy.
package struct HTTPConnection: Hashable, Sendable {
  /// The path of a file with the certificates to trust instead of the system's; `nil` to trust the system's.
  package var certificates: String?
  package var clientCertificate: ClientCertificate?
  /// The proxy; `nil` for none. If the environment's proxy is to be used, the caller must set it here.
  package var proxy: HTTPProxy?

  package init(
    certificates: String? = nil, clientCertificate: ClientCertificate? = nil, proxy: HTTPProxy? = nil
  ) {
    self.certificates = certificates
    self.clientCertificate = clientCertificate
    self.proxy = proxy
  }

  /// Creates a transport with these settings.
  /// - Parameter keptConnections: the number of idle connections that stay open.
  func transport(keptConnections: Int) -> HTTPTransport {
    HTTPTransport(
      TransportSettings(
        certificateAuthorities: certificates, usesEnvironmentProxy: false, keptConnections: keptConnections,
        clientCertificate: clientCertificate, proxy: proxy))
  }
}
