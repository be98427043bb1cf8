internal import HTTPTransport

/// What ssh's last words mean.
enum SSHFault {
  /// - Parameter words: ssh's standard error in the C locale, perhaps empty.
  static func error(_ words: String, _ address: SFTPAddress, knownHosts: String?, wasConnected: Bool) -> any Error {
    let operation = "connect to \(address.text)"
    let file = knownHosts ?? "~/.ssh/known_hosts"
    let scan = "`ssh-keyscan -p \(address.port) \(address.host) >> \(file)`"
    func refused(_ detail: String) -> VendorError {
      VendorError(kind: .refused, operation: operation, detail: detail)
    }
    func network(_ kind: TransportError.Kind, _ detail: String) -> TransportError {
      TransportError(kind: kind, operation: operation, detail: detail)
    }
    if words.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") {
      return refused(
        "the server's host key is not the one in \(file): the server was set up anew, or another one answers in its "
          + "place. Ask the server's operator. If the new key is right, remove the old one with "
          + "`ssh-keygen -R '\(address.knownName)' -f \(file)`, and add the new one with \(scan)")
    }
    if words.contains("REVOKED HOST KEY") {
      return refused("the server's host key is marked as revoked in \(file). Ask the server's operator")
    }
    if words.contains("Host key verification failed") {
      return refused(
        "the server's host key is not in \(file). Add it with \(scan), then compare the fingerprint that "
          + "`ssh-keygen -lf \(file)` shows with the one that the server's operator names")
    }
    if words.contains("ssh_askpass:") {
      return refused(
        "ssh cannot start the program that hands over the password (\(lastLine(of: words, with: "ssh_askpass:"))). Set "
          + "TMPDIR to a folder in which programs may run")
    }
    if words.contains("Load key") {
      return refused("ssh cannot read the private key: \(lastLine(of: words, with: "Load key"))")
    }
    if words.contains("Permission denied") || words.contains("Too many authentication failures") {
      return refused(
        "the server did not accept the credentials. Check the user name in `path`, and the key or password that "
          + "`credentials` names (ssh: \(lastLine(of: words, with: "Permission denied")))")
    }
    if words.contains("subsystem request failed") {
      return refused("the server has no SFTP for this account. Ask the server's operator to enable it")
    }
    if words.contains("Could not resolve hostname") { return network(.hostNotFound, "the host name was not found") }
    if words.contains("Connection timed out") || words.contains("Operation timed out") {
      return network(.connectTimedOut, "the server does not answer")
    }
    if words.contains("Connection refused") || words.contains("No route to host")
      || words.contains("Network is unreachable")
    {
      return network(.connectionFailed, lastLine(of: words, with: "onnect"))
    }
    let detail = words.isEmpty ? "" : " (ssh: \(lastLine(of: words, with: "")))"
    return network(.connectionLost, (wasConnected ? "the connection ended" : "ssh ended without a connection") + detail)
  }

  /// Some server's banner may be in it: one line, and not a long one.
  private static func lastLine(of words: String, with part: String) -> String {
    let lines = words.split(whereSeparator: \.isNewline).map(String.init)
    let line = lines.last { part.isEmpty || $0.contains(part) } ?? lines.last ?? ""
    return String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 }).prefix(300))
  }
}
