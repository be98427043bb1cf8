package import HTTPTransport

/// How a repository behind http(s) is reached: what is trusted, who we are, and through which proxy. Read at each use.
package struct HTTPConnection: Hashable, Sendable {
  /// A file with the certificates to trust instead of the system's.
  package var certificates: String?
  package var clientCertificate: ClientCertificate?
  /// `nil`: none; the environment does not count.
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
