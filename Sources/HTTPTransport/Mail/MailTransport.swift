internal import Localization

/// A client that sends mail over SMTP with libcurl. Each call opens its own connection and blocks the calling thread.
package enum MailTransport {
  /// Sends a message to all its recipients or to none.
  /// - Parameter deadline: the time limit from start to end.
  /// - Throws: `TransportError`. If the server refuses the mail, the error has the server's message and the kind `Kind.status` with SMTP's code: 4xx
  ///   for a temporary refusal, 5xx for a permanent refusal. If the server refuses the user or the password, the code is 401. The kind is
  ///   `invalidRequest` for an invalid server or mail address, and for a message without recipients.
  package static func send(
    _ message: MailMessage, through server: MailServer, deadline: Duration = .seconds(60)
  ) throws(TransportError) {
    try perform(.send(message), server, deadline)
  }

  /// Connects and authenticates, without sending a message.
  package static func check(_ server: MailServer, deadline: Duration = .seconds(20)) throws(TransportError) {
    try perform(.check, server, deadline)
  }

  private static func perform(
    _ work: MailHandle.Work, _ server: MailServer, _ deadline: Duration
  ) throws(TransportError) {
    let operation = "mail through \(server)"
    func refused(_ detail: String) -> TransportError {
      TransportError(kind: .invalidRequest, operation: operation, detail: detail)
    }
    guard isClean(server.host), (1...65535).contains(server.port) else {
      throw refused("the server's name or port is invalid")
    }
    if case .send(let message) = work {
      for address in [message.sender] + message.recipients where !isAddress(address) {
        throw refused("\(address.debugDescription) is not a mail address")
      }
      guard !message.recipients.isEmpty else { throw refused("there is no recipient") }
    }
    guard CurlLoop.globalInitialisation, let handle = MailHandle(server, work, deadline) else {
      throw TransportError(kind: .other, operation: operation, detail: "libcurl is out of memory")
    }
    try handle.perform(operation)
  }

  /// Returns whether a text is an address that SMTP commands allow without an extension: at most 254 bytes of ASCII with one `@`, and without
  /// characters that require quotes or end the command.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isClean(text) && text.utf8.count <= 254
  }

  private static func isClean(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>()\",;\\/".utf8.contains($0) }
  }
}
