package import Localization

/// A client's certificate and its private key, both as PEM.
package struct ClientCertificate: Hashable, Sendable {
  /// The certificate, followed by any intermediate certificates.
  package let certificate: Secret
  package let key: Secret

  /// - Parameter key: the private key; `nil` if the text of the certificate also contains it.
  /// - Throws: `invalidRequest` for a text that is not PEM, and for a key with a passphrase.
  package init(certificate: Secret, key: Secret?) throws(TransportError) {
    func refused(_ detail: String) -> TransportError {
      TransportError(kind: .invalidRequest, operation: "use the client certificate", detail: detail)
    }
    let key = key ?? certificate
    guard certificate.reveal().contains("-----BEGIN CERTIFICATE-----") else {
      throw refused("the client certificate is not in PEM form: it has no line -----BEGIN CERTIFICATE-----")
    }
    let text = key.reveal()
    guard text.contains("PRIVATE KEY-----") else {
      throw refused("there is no private key in PEM form for the client certificate. Set client_key to file:PATH")
    }
    guard !text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----"), !text.contains("Proc-Type: 4,ENCRYPTED") else {
      throw refused(
        "the key of the client certificate is protected by a passphrase. Write a copy without it: openssl pkey -in KEY -out FILE"
      )
    }
    self.certificate = certificate
    self.key = key
  }
}

/// A proxy for all requests of a transport.
package struct HTTPProxy: Hashable, Sendable {
  /// The address: `http://host:port`, `https://host:port`, `socks5://…` or `socks5h://…`. An address from the environment may contain a user and a
  /// password.
  package var address: Secret
  /// The user name, which is sent only to the proxy.
  package var user: String?
  package var password: Secret?
  /// The hosts for which the proxy is not used, as in `no_proxy`: names with their subdomains, addresses, networks, or `*`.
  package var exceptions: String

  package init(address: Secret, user: String? = nil, password: Secret? = nil, exceptions: String = "") {
    self.address = address
    self.user = user
    self.password = password
    self.exceptions = exceptions
  }

  /// Returns the proxy that libcurl would take from the environment for a scheme: `https_proxy` or `http_proxy`, otherwise `all_proxy`, with
  /// `no_proxy`. Upper-case names are also read, except `HTTP_PROXY`, which a client of a CGI program could set.
  /// - Returns: the proxy; `nil` if the environment names none.
  package static func named(by environment: [String: String], for scheme: String) -> HTTPProxy? {
    func value(_ name: String) -> String? {
      let names = name == "http_proxy" ? [name] : [name, name.uppercased()]
      return names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    guard let address = value(scheme.lowercased() + "_proxy") ?? value("all_proxy") else { return nil }
    return HTTPProxy(address: Secret(address), exceptions: value("no_proxy") ?? "")
  }
}
