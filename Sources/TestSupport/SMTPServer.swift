internal import Foundation

/// An SMTP server on 127.0.0.1 that keeps each message as a file (Tests/Servers/smtp.py).
package final class SMTPServer: Sendable {
  package enum Mode: String, Sendable {
    case plain
    /// Without encryption. The server refuses EHLO, so it has no authentication either.
    case helo
    case starttls, tls
  }

  /// The account that the server requires by default, as `user:password`.
  package static let login = "bot:hunter2:x"

  package let port: Int
  private let child: SupervisedChild
  private let state: TemporaryFolder

  /// The path of the server's self-signed certificate, which is for `localhost`.
  package var certificate: String { state.file("server.crt") }

  /// - Parameter login: the `user:password` that the server requires; `:` for a server without authentication.
  package init(_ mode: Mode = .plain, login: String = SMTPServer.login) async throws {
    state = try TemporaryFolder()
    var arguments = [ServerScripts.file("smtp.py"), state.file("port"), state.path, login, mode.rawValue]
    if mode == .starttls || mode == .tls {
      try await ChildRun.run("/usr/bin/openssl", SelfSignedCertificate.arguments(in: state))
      arguments += [state.file("server.crt"), state.file("server.key")]
    }
    child = try SupervisedChild("/usr/bin/python3", ["-B"] + arguments)
    port = try await LoopbackPort.written(to: state, "port", by: child) { "aiosmtpd does not start" }
  }

  /// The accepted messages, oldest first, with lines `X-From`, `X-To` and `X-TLS` before their headers.
  package var messages: [String] {
    state.names(in: ".").filter { $0.hasSuffix(".eml") }.sorted().compactMap { name in
      FileManager.default.contents(atPath: state.file(name)).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns the decoded body of a message. The body must be in base64.
  package static func body(_ message: String) -> String {
    let body = message.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
    return Data(base64Encoded: body.filter { !$0.isWhitespace }).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// A certificate for `localhost`.
enum SelfSignedCertificate {
  /// Returns the arguments with which `openssl` writes server.crt and server.key into a folder.
  static func arguments(in folder: TemporaryFolder) -> [String] {
    [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder.file("server.key"), "-out",
      folder.file("server.crt"),
    ]
  }
}
