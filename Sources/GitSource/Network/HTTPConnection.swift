package import HTTPTransport

/// The settings for reaching a repository over http(s): the trusted certificates, our own certificate, and the proxy. Read at each use.
package struct HTTPConnection: Hashable, Sendable {
  /// A file with the certificates to trust instead of the system's.
  package var certificates: String?
  package var clientCertificate: ClientCertificate?
  /// `nil` for no proxy; the environment is ignored.
  package var proxy: HTTPProxy?

  package init(
    certificates: String? = nil, clientCertificate: ClientCertificate? = nil, proxy: HTTPProxy? = nil
  ) {
    self.certificates = certificates
    self.clientCertificate = clientCertificate
    self.proxy = proxy
  }

  /// - Parameter keptConnections: how many idle connections stay open.
  func transport(keptConnections: Int) -> HTTPTransport {
    HTTPTransport(
      TransportSettings(
        certificateAuthorities: certificates, usesEnvironmentProxy: false, keptConnections: keptConnections,
        clientCertificate: clientCertificate, proxy: proxy))
  }
}
