/// The address of a repository or folder, classified by its scheme.
package enum Address {
  case url(scheme: String, authority: String)
  /// An address such as `git@host:path`, which is reached by ssh.
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

  /// Whether the repository or folder is reached by ssh. This includes folders over SFTP.
  package var isSSH: Bool {
    switch self {
    case .ssh: true
    case .url(let scheme, _): ["ssh", "git+ssh", "ssh+git", "sftp"].contains(scheme)
    case .path: false
    }
  }

  /// Returns whether the text contains a URL with a password or, except for ssh, with a user name, which is often a token. The text can be the value
  /// of any key in a pipeline file, even of a key that expects no URL.
  package static func holdsCredentials(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let scheme = text[..<colon.lowerBound].lowercased()
    let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    // The user name in `ssh://git@host` is not secret: it is an account that all users of the host share.
    return !["ssh", "git+ssh", "ssh+git", "sftp"].contains(scheme) || authority[..<at].contains(":")
  }

  /// Returns whether an authority (`host` or `host:port`) refers to this machine. Requests to this machine need no encryption, because they are not
  /// visible on the network.
  package static func isLocal(_ authority: String) -> Bool {
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    return isLoopback || ["localhost", "[::1]"].contains(host.lowercased())
  }
}
