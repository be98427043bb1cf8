internal import HTTPTransport
internal import Localization

/// The address of a drop folder on an SFTP server: `sftp://user@host:port/path`. The path is absolute; `/~/path` is below the account's home.
struct SFTPAddress: Hashable, Sendable {
  /// `nil`: the name of the account that Dragoman runs as.
  let user: String?
  /// A name or an IP address, without the brackets of an IPv6 address.
  let host: String
  let port: Int
  /// Percent-decoded, without a slash at the end; `.` is the account's home.
  let path: String
  /// One spelling for one place.
  let text: String

  /// - Throws: `configuration` for anything that is not such an address, and for one with a password in it.
  init(_ text: String) throws(VendorError) {
    func fault(_ detail: String) -> VendorError {
      VendorError(kind: .configuration, operation: "use path “\(text)”", detail: detail)
    }
    guard !Address.holdsCredentials(text) else {
      throw VendorError(
        kind: .configuration, operation: "use the path of the vendor folder",
        detail: "it contains a password; set `credentials` to where the password is")
    }
    guard text.lowercased().hasPrefix("sftp://") else { throw fault("an SFTP folder needs sftp://user@host/path") }
    let rest = text.dropFirst("sftp://".count)
    let authority = rest.prefix { $0 != "/" }
    let at = authority.lastIndex(of: "@")
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority
    let user = at.flatMap { HTTPURL.decode(authority[..<$0]) }
    if at != nil {
      guard let user, Self.isUser(user) else { throw fault("the user name before the @ is not usable") }
    }
    let (host, port) = try Self.hostAndPort(place, fault)
    var parts: [String] = []
    for part in rest.dropFirst(authority.count).split(separator: "/") where part != "." {
      guard let name = HTTPURL.decode(part), name != "..", !name.utf8.contains(where: { $0 < 0x20 }) else {
        throw fault("the path is not usable. Write an absolute path, or /~/ and a path below the account's home")
      }
      parts.append(name)
    }
    self.user = user
    self.host = host
    self.port = port
    if parts.first == "~" {
      path = parts.count == 1 ? "." : parts.dropFirst().joined(separator: "/")
    } else {
      path = parts.isEmpty ? "/" : "/" + parts.joined(separator: "/")
    }
    let shown = host.contains(":") ? "[\(host)]" : host
    let account = user.map { HTTPURL.encode($0) + "@" } ?? ""
    let tail = parts.map { "/" + ($0 == "~" ? $0 : HTTPURL.encode($0)) }.joined()
    self.text = "sftp://\(account)\(shown)\(port == 22 ? "" : ":\(port)")\(tail)"
  }

  /// The path of something below the folder, as the server knows it.
  func full(_ path: TreePath) -> String {
    if path.isRoot { return self.path }
    return self.path == "/" ? "/" + path.text : self.path + "/" + path.text
  }

  /// How a known_hosts file names the server.
  var knownName: String { port == 22 ? host : "[\(host)]:\(port)" }

  private static func hostAndPort(
    _ text: Substring, _ fault: (String) -> VendorError
  ) throws(VendorError) -> (String, Int) {
    let host: Substring
    var rest: Substring
    if text.hasPrefix("[") {
      host = text.dropFirst().prefix { $0 != "]" }
      rest = text.dropFirst(host.count + 2)
    } else {
      host = text.prefix { $0 != ":" }
      rest = text.dropFirst(host.count)
    }
    guard !host.isEmpty, !host.hasPrefix("-"),
      host.utf8.allSatisfy({ isAlphanumeric($0) || ".-_:".utf8.contains($0) })
    else { throw fault("its host is not usable") }
    guard !rest.isEmpty else { return (host.lowercased(), 22) }
    rest = rest.dropFirst()
    guard let port = Int(rest), (1...65_535).contains(port) else { throw fault("its port is not a number up to 65535") }
    return (host.lowercased(), port)
  }

  private static func isUser(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
