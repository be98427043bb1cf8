/// The reason why an ssh connection failed, with a message for the person who configured it.
package struct SSHFault: Error, Hashable {
  package enum Kind: String, Hashable, Sendable {
    /// ssh could not be started on this machine.
    case notStarted
    /// ssh or the server refused the connection, for example because of the host key or the credentials. A person must act first.
    case refused
    case hostNotFound
    case noResponse
    case noConnection
    /// The connection ended, or ssh ended for another reason.
    case lost
  }

  package var kind: Kind
  package var detail: String

  package init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// Runs `body`, which prepares the start of ssh, and converts its error to `notStarted`.
  static func preparing<Value>(_ body: () throws(SystemFault) -> Value) throws(SSHFault) -> Value {
    do { return try body() } catch { throw SSHFault(.notStarted, error.detail) }
  }

  /// Finds the cause of a failed connection in ssh's messages.
  /// - Parameters:
  ///   - words: ssh's standard error output in the C locale. It may be empty.
  ///   - address: the option of the pipeline file that contains the account, such as `path`.
  ///   - usesAgent: whether ssh used the agent or the keys of the user who runs Dragoman.
  package init(
    _ words: String, _ server: SSHAddress, address: String, knownHosts: String?, usesAgent: Bool, wasConnected: Bool
  ) {
    let file = knownHosts ?? "~/.ssh/known_hosts"
    let port = server.port.map { "-p \($0) " } ?? ""
    let scan = "`ssh-keyscan \(port)\(server.host) >> \(file)`"
    if words.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") {
      self.init(
        .refused,
        "the server's host key differs from the one in \(file): the server was reinstalled, or another server responds in its "
          + "place. Ask the server's operator. If the new key is right, remove the old one with "
          + "`ssh-keygen -R '\(server.knownName)' -f \(file)`, and add the new one with \(scan)")
    } else if words.contains("REVOKED HOST KEY") {
      self.init(.refused, "the server's host key is marked as revoked in \(file). Ask the server's operator")
    } else if words.contains("Host key verification failed") {
      self.init(
        .refused,
        "the server's host key is not in \(file). Add it with \(scan), then compare the fingerprint that "
          + "`ssh-keygen -lf \(file)` shows with the one that you get from the server's operator")
    } else if words.contains("ssh_askpass:") {
      self.init(
        .refused,
        "ssh cannot start the program that provides the password (\(Self.lastLine(of: words, with: "ssh_askpass:"))). "
          + "Set TMPDIR to a folder in which programs may run")
    } else if words.contains("Load key") {
      self.init(.refused, "ssh cannot read the private key: \(Self.lastLine(of: words, with: "Load key"))")
    } else if words.contains("Permission denied") || words.contains("Too many authentication failures") {
      self.init(
        .refused,
        "the server did not accept the credentials. Check the user name in `\(address)`, and "
          + (usesAgent
            ? "that `ssh-add -l` lists a key of this account when the user who runs Dragoman calls it, with the same "
              + "SSH_AUTH_SOCK; or set `credentials: file:…` with a private key"
            : "the key or password that `credentials` names")
          + " (ssh: \(Self.lastLine(of: words, with: "Permission denied")))")
    } else if words.contains("subsystem request failed") {
      self.init(.refused, "the server has no SFTP for this account. Ask the server's operator to enable it")
    } else if words.contains("Could not resolve hostname") {
      self.init(.hostNotFound, "the host name was not found")
    } else if words.contains("Connection timed out") || words.contains("Operation timed out") {
      self.init(.noResponse, "the server does not respond")
    } else if words.contains("Connection refused") || words.contains("No route to host")
      || words.contains("Network is unreachable")
    {
      self.init(.noConnection, Self.lastLine(of: words, with: "onnect"))
    } else {
      let said = words.isEmpty ? "" : " (ssh: \(Self.lastLine(of: words, with: "")))"
      self.init(.lost, (wasConnected ? "the connection ended" : "ssh ended without a connection") + said)
    }
  }

  /// Returns the last line that contains a text, or otherwise the last line. The result has no control characters and at most 300 characters, because
  /// the line may be from a server's banner.
  private static func lastLine(of words: String, with part: String) -> String {
    let lines = words.split(whereSeparator: \.isNewline).map(String.init)
    let line = lines.last { part.isEmpty || $0.contains(part) } ?? lines.last ?? ""
    return String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 }).prefix(300))
  }
}
