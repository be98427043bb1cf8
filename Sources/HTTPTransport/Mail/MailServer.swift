package import Localization

/// An SMTP server.
package struct MailServer: Hashable, Sendable, CustomStringConvertible {
  package enum Security: Hashable, Sendable {
    /// Unencrypted: only for this machine.
    case none
    /// STARTTLS; a server that does not offer it is refused.
    case startTLS
    /// TLS from the first byte.
    case tls
  }

  /// A host name or an address, without a port. An IPv6 address is in brackets.
  package var host: String
  package var port: Int
  package var security: Security
  package var user: String?
  package var password: Secret?
  /// A file of PEM certificates that replaces the system's authorities.
  package var certificateAuthorities: String?

  package init(
    host: String, port: Int, security: Security, user: String? = nil, password: Secret? = nil,
    certificateAuthorities: String? = nil
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.user = user
    self.password = password
    self.certificateAuthorities = certificateAuthorities
  }

  /// `smtp://mail.example.com:587`.
  package var description: String { "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)" }
}

/// A message with its envelope.
package struct MailMessage: Hashable, Sendable {
  /// Addresses without names: `l10n@example.com`.
  package var sender: String
  package var recipients: [String]
  /// Headers and body in the format of RFC 5322, with CRLF line ends.
  package var content: [UInt8]

  package init(sender: String, recipients: [String], content: [UInt8]) {
    self.sender = sender
    self.recipients = recipients
    self.content = content
  }
}
