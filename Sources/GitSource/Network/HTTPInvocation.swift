import HTTPTransport
import Localization

/// The form of an ``HTTPConnection`` that the child process receives on its standard input.
struct HTTPInvocation: Codable, Sendable {
  var certificates: String?
  var clientCertificate: String?
  var clientKey: String?
  var proxy: String?
  var proxyUser: String?
  var proxyPassword: String?
  var proxyExceptions: String

  init(_ connection: HTTPConnection) {
    certificates = connection.certificates
    clientCertificate = connection.clientCertificate?.certificate.reveal()
    clientKey = connection.clientCertificate?.key.reveal()
    proxy = connection.proxy?.address.reveal()
    proxyUser = connection.proxy?.user
    proxyPassword = connection.proxy?.password?.reveal()
    proxyExceptions = connection.proxy?.exceptions ?? ""
  }

  func connection() throws(TransportError) -> HTTPConnection {
    var connection = HTTPConnection(certificates: certificates)
    if let clientCertificate {
      connection.clientCertificate = try ClientCertificate(
        certificate: Secret(clientCertificate), key: clientKey.map { Secret($0) })
    }
    connection.proxy = proxy.map {
      HTTPProxy(
        address: Secret($0), user: proxyUser, password: proxyPassword.map { Secret($0) }, exceptions: proxyExceptions)
    }
    return connection
  }
}
