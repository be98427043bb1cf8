import HTTPTransport
internal import Localization

/// The next steps after faults of TLS and of proxies. The library's messages name none of the settings.
struct ConnectionAdvice {
  let connection: HTTPConnection

  /// - Returns: `nil` if the message of the error is sufficient.
  func step(after error: TransportError) -> String? {
    let words = error.detail.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if says("error setting certificate file", "error adding trust anchors") {
      return "repository.certificates must name a readable file with certificates in PEM"
    }
    if says("private key does not match", "pem client certificate", "unable to set private key", "client certificate") {
      return
        "Check repository.client_certificate and repository.client_key: both must be PEM without a passphrase, and "
        + "belong together"
    }
    if says("local issuer certificate", "self-signed certificate", "self signed certificate", "the first certificate") {
      return connection.certificates.map {
        "\($0), which repository.certificates names, lacks the authority of this server"
      }
        ?? "If the server's certificate is from an authority of your own, set repository.certificates to a file with it"
    }
    if says("alternative certificate subject name", "target host name") {
      return "Write a name that is in the server's certificate in repository.url"
    }
    if says("certificate has expired", "not yet valid") {
      return "The server needs a new certificate, or the clock of this machine is wrong"
    }
    if Self.asksForClient(words) {
      return connection.clientCertificate == nil
        ? "The server asks for a certificate of the client: set repository.client_certificate"
        : "The server did not accept the certificate in repository.client_certificate"
    }
    if says("wrong version number", "ssl routines::http request", "packet length too long") {
      return "The server does not speak TLS at this port: write http://, or the port of https, in repository.url"
    }
    switch error.kind {
    case .hostNotFound, .connectionFailed, .connectTimedOut, .connectionLost:
      return proxy.map { "The proxy is \($0): if that is wrong, correct repository.proxy or the environment" }
    default: return says("connect tunnel") ? proxy.map { "The proxy is \($0)" } : nil
    }
  }

  /// Returns whether the server refused the connection because of a missing or unknown certificate of the client. With TLS 1.3 it does so
  /// after the handshake, which looks like a lost connection.
  static func asksForClient(_ words: String) -> Bool {
    let words = words.lowercased()
    return ["alert certificate required", "alert bad certificate", "alert unknown ca", "alert handshake failure"]
      .contains { words.contains($0) }
  }

  /// Host and port of the proxy, without credentials.
  var proxy: String? {
    guard let address = connection.proxy?.address.reveal() else { return nil }
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let place = rest.prefix { $0 != "/" }
    return String(place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place)
  }
}
