/// The address of a repository or folder, classified by its scheme.
package enum Address {
  case url(scheme: String, authority: String)
  /// `git@host:path`, which means ssh.
  case ssh
  case path

  package init(_ text: String) {
    if let colon = text.firstRange(of: "://") {
      let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
      self = .url(scheme: text[..<colon.lowerBound].lowercased(), authority: String(authority))
    } else if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), text[..<colon].contains("@") {
      self = .ssh
    } else {
      self = .path
    }
  }

  /// Whether ssh reaches it: a repository, or a folder over SFTP.
  package var isSSH: Bool {
    switch self {
    case .ssh: true
    case .url(let scheme, _): ["ssh", "git+ssh", "ssh+git", "sftp"].contains(scheme)
    case .path: false
    }
  }

  /// Whether a URL in the text contains a user or a password. The part before the `@` is often a token. The kind of value does not
  /// matter, so this also detects a URL in the wrong place.
  package static func holdsCredentials(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let scheme = text[..<colon.lowerBound].lowercased()
    let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    // `ssh://git@host` has an account that all users of the host share.
    return !["ssh", "git+ssh", "ssh+git", "sftp"].contains(scheme) || authority[..<at].contains(":")
  }

  /// Whether an authority (`host` or `host:port`) is this machine's own, so that nothing travels over a network.
  package static func isLocal(_ authority: String) -> Bool {
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    return isLoopback || ["localhost", "[::1]"].contains(host.lowercased())
  }
}
