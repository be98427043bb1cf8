/// The account and the server of an ssh connection.
package struct SSHAddress: Hashable, Codable, Sendable {
  /// The user; `nil` for the user in ssh's configuration for the host, or otherwise the account that runs Dragoman.
  package var user: String?
  /// The host name or IP address, in lower case and without the brackets of an IPv6 address.
  package var host: String
  /// The port; `nil` for the port in ssh's configuration for the host, or otherwise 22.
  package var port: Int?

  /// Parses `user@host:port`. User and port are optional, and an IPv6 address is in brackets. The caller must decode percent escapes first.
  /// - Throws: a fault such as `its port is not a number from 1 to 65535`. Names that ssh would read as options are refused.
  package init(_ authority: some StringProtocol) throws(SSHAddressFault) {
    let authority = String(authority)
    let at = authority.lastIndex(of: "@")
    if let at {
      let name = String(authority[..<at])
      guard Self.isUser(name) else {
        throw SSHAddressFault(
          "the user name before the @ is empty, begins with -, or contains a colon, a space or a control character")
      }
      user = name
    }
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority[...]
    let name: Substring
    let rest: Substring
    if place.hasPrefix("[") {
      name = place.dropFirst().prefix { $0 != "]" }
      guard place.dropFirst(name.count + 1).hasPrefix("]") else {
        throw SSHAddressFault("its host has no ] at the end")
      }
      rest = place.dropFirst(name.count + 2)
    } else {
      name = place.prefix { $0 != ":" }
      rest = place.dropFirst(name.count)
    }
    guard !name.isEmpty, !name.hasPrefix("-"),
      name.utf8.allSatisfy({ Self.isAlphanumeric($0) || ".-_:".utf8.contains($0) })
    else { throw SSHAddressFault("its host is empty, begins with -, or contains a character that is not allowed") }
    host = name.lowercased()
    guard !rest.isEmpty else { return }
    guard rest.hasPrefix(":") else { throw SSHAddressFault("its host has text after the ]") }
    guard let number = Int(rest.dropFirst()), (1...65_535).contains(number) else {
      throw SSHAddressFault("its port is not a number from 1 to 65535")
    }
    port = number
  }

  /// The server's name in a known_hosts file.
  package var knownName: String {
    guard let port, port != 22 else { return host }
    return "[\(host)]:\(port)"
  }

  private static func isUser(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// The reason why a server's address cannot be used.
package struct SSHAddressFault: Error, Hashable {
  package let detail: String

  init(_ detail: String) { self.detail = detail }
}
