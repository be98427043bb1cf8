internal import HTTPTransport
internal import Localization

/// A repository on a forge, derived from the address from which the repository is fetched.
package struct ForgeRepository: Hashable, Sendable {
  /// The host in lower case, without the port.
  package var host: String
  /// The address of the server's pages: the scheme, host and port of an `http` or `https` URL; otherwise `https` and the host.
  package var server: String
  /// The decoded parts of the path, such as `["group", "app"]`. The last part is without `.git`.
  package var path: [String]

  /// - Parameter remote: the address: `https://host/path`, `ssh://user@host:port/path` or `user@host:path`. The schemes `http`, `git+ssh` and
  ///   `ssh+git` are also allowed.
  /// - Returns: `nil` for other addresses, such as paths, and for paths with fewer than two parts.
  package init?(remote: String) {
    let authority: Substring
    let rest: Substring
    var server: String?
    if let start = remote.firstRange(of: "://") {
      let scheme = remote[..<start.lowerBound].lowercased()
      guard ["http", "https", "ssh", "git+ssh", "ssh+git"].contains(scheme) else { return nil }
      authority = remote[start.upperBound...].prefix { $0 != "/" }
      rest = remote[start.upperBound...].dropFirst(authority.count)
      if scheme.hasPrefix("http") { server = "\(scheme)://\(authority.lowercased())" }
    } else {
      guard let colon = remote.firstIndex(of: ":"), remote[..<colon].contains("@"), !remote[..<colon].contains("/")
      else { return nil }
      authority = remote[..<colon]
      rest = remote[remote.index(after: colon)...]
    }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    host = (place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }).lowercased()
    var parts: [String] = []
    for part in rest.split(separator: "/") {
      guard let name = HTTPURL.decode(part) else { return nil }
      parts.append(name)
    }
    if let last = parts.last, last.hasSuffix(".git") { parts[parts.count - 1] = String(last.dropLast(4)) }
    guard !host.isEmpty, parts.count >= 2, !parts.contains(where: { $0.isEmpty || $0 == ".." }) else { return nil }
    path = parts
    self.server = server ?? "https://\(host)"
  }
}
