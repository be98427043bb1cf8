/// A repository's or a folder's address, told apart by its scheme.
package enum Address {
  case url(scheme: String, authority: String)
  /// `git@host:path`: ssh without saying so.
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

  /// Whether a URL in the text names a user or password: what stands before the `@` is often a token. What a value looks like is not
  /// asked, so that it holds for a URL in the wrong place too.
  package static func holdsCredentials(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let scheme = text[..<colon.lowerBound].lowercased()
    let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    // `ssh://git@host` names the account that every user of the host shares.
    return scheme != "ssh" && scheme != "sftp" || authority[..<at].contains(":")
  }

  /// Whether an authority (`host` or `host:port`) is this machine's own, so that nothing travels over a network.
  package static func isLocal(_ authority: String) -> Bool {
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    return ["localhost", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
  }
}
