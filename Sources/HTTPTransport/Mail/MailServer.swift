package import Localization

/// An SMTP server.
package struct MailServer: Hashable, Sendable, CustomStringConvertible {
  package enum Security: Hashable, Sendable {
    /// No encryption. The daemon uses this only for a server on this machine.
    case none
    /// TLS after the command STARTTLS. If the server does not support the command, no mail is sent.
    case startTLS
    /// TLS from the first byte of the connection.
    case tls
  }

  /// The host name or address, without the port. An IPv6 address is in brackets.
  package var host: String
  package var port: Int
  package var security: Security
  package var user: String?
  package var password: Secret?
  /// The path of a file with PEM certificates that replaces the system's authorities; `nil` to use these authorities.
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

  /// The server as a URL, such as `smtp://mail.example.com:587`.
  package var description: String { "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)" }
}

/// A mail message with its envelope.
package struct MailMessage: Hashable, Sendable {
  /// The sender's address without a name, such as `l10n@example.com`.
  package var sender: String
  package var recipients: [String]
  /// The headers and body in the format of RFC 5322, with CRLF line ends.
  package var content: [UInt8]

  package init(sender: String, recipients: [String], content: [UInt8]) {
    self.sender = sender
    self.recipients = recipients
    self.content = content
  }
}
