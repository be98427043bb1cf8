import HTTPTransport
internal import Localization

/// The next steps after TLS and proxy errors. They name Dragoman's settings, which libcurl's messages do not mention.
struct ConnectionAdvice {
  let connection: HTTPConnection

  /// Returns the next step after an error; `nil` if the error's message is sufficient.
  func step(after error: TransportError) -> String? {
    let words = error.detail.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if says("error setting certificate file", "error adding trust anchors") {
      return "repository.certificates must name a readable file with certificates in PEM"
    }
    if says("private key does not match", "pem client certificate", "unable to set private key", "client certificate") {
      return
        "Check repository.client_certificate and repository.client_key: both must be PEM without a passphrase, and "
        + "must belong together"
    }
    if says("local issuer certificate", "self-signed certificate", "self signed certificate", "the first certificate") {
      return connection.certificates.map {
        "\($0) in repository.certificates does not contain the authority of this server's certificate"
      }
        ?? "If your own authority issued the server's certificate, set repository.certificates to a file with the authority"
    }
    if says("alternative certificate subject name", "target host name") {
      return "Use a host name from the server's certificate in repository.url"
    }
    if says("certificate has expired", "not yet valid") {
      return "The server needs a new certificate, or the clock of this machine is wrong"
    }
    if Self.asksForClient(words) {
      return connection.clientCertificate == nil
        ? "The server requires a client certificate: set repository.client_certificate"
        : "The server did not accept the certificate in repository.client_certificate"
    }
    if says("wrong version number", "ssl routines::http request", "packet length too long") {
      return "The server does not support TLS at this port: set http://, or the HTTPS port, in repository.url"
    }
    switch error.kind {
    case .hostNotFound, .connectionFailed, .connectTimedOut, .connectionLost:
      return proxy.map { "The proxy is \($0): if that is wrong, correct repository.proxy or the environment" }
    default: return says("connect tunnel") ? proxy.map { "The proxy is \($0)" } : nil
    }
  }

  /// Returns whether the server refused the connection because of a missing or unknown client certificate. With TLS 1.3 the server refuses after the
  /// handshake, which looks like a lost connection.
  static func asksForClient(_ words: String) -> Bool {
    let words = words.lowercased()
    return ["alert certificate required", "alert bad certificate", "alert unknown ca", "alert handshake failure"]
      .contains { words.contains($0) }
  }

  /// The host and port of the proxy, without credentials; `nil` without a proxy.
  var proxy: String? {
    guard let address = connection.proxy?.address.reveal() else { return nil }
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let place = rest.prefix { $0 != "/" }
    return String(place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place)
  }
}
