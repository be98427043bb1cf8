internal import Pipeline

/// The address of a repository or folder, classified by its scheme.
enum Address {
  case url(scheme: String, authority: String)
  /// `git@host:path`, which means ssh.
  case ssh
  case path

  init(_ text: String) {
    if let colon = text.firstRange(of: "://") {
      let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
      self = .url(scheme: text[..<colon.lowerBound].lowercased(), authority: String(authority))
    } else if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), text[..<colon].contains("@") {
      self = .ssh
    } else {
      self = .path
    }
  }

  /// Whether a URL in the text contains a user or a password. The part before the `@` is often a token. The kind of value does not
  /// matter, so this also detects a URL in the wrong place.
  static func holdsCredentials(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let scheme = text[..<colon.lowerBound].lowercased()
    let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    // `ssh://git@host` has an account that all users of the host share.
    return scheme != "ssh" && scheme != "sftp" || authority[..<at].contains(":")
  }
}

extension Field {
  /// Reports credentials that would be sent unencrypted. Addresses of this machine are allowed.
  func reportClearText(to address: String, _ credentials: CredentialReference) {
    guard credentials != .none, case .url(let scheme, let authority) = Address(address),
      ["http", "dav"].contains(scheme)
    else { return }
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    guard !["localhost", "[::1]"].contains(host.lowercased()), !host.hasPrefix("127.") else { return }
    report(
      "the credentials would travel unencrypted over \(scheme)",
      hint: "write \(scheme)s:// in the address, or take the credentials out")
  }

  /// Reads an address without a secret in its URL.
  fileprivate func address(_ wanted: String) -> (text: String, address: Address)? {
    guard let text = text(wanted) else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address holds a user or a password, and a secret must not stand in a pipeline file",
        hint: "write the address without what stands before the @, and say under `credentials` where the secret is")
      return nil
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      report("\(shown) holds a line break or a tab", hint: "write the address in one line")
      return nil
    }
    return (text, Address(text))
  }

  /// Reads the location of a repository: a path, or a `file:`, `http:` or `https:` URL.
  func repositoryAddress() -> String? {
    let hint = "give an https:// URL or a path"
    guard let (text, address) = address("a URL or path") else { return nil }
    switch address {
    case .path: return text
    case .ssh: reportNotBuilt("ssh (\(shown))", hint: hint)
    case .url("ssh", _), .url("git+ssh", _): reportNotBuilt("ssh (\(shown))", hint: hint)
    case .url("file", _): return text
    case .url("http", let host), .url("https", let host):
      if !host.isEmpty { return text }
      report("\(shown) names no host", hint: "write https://host/path")
    case .url(let scheme, _):
      report("\(shown): repositories are not fetched by \(scheme)", hint: hint)
    }
    return nil
  }

  /// Reads the folder of a `folder` vendor: a directory, or a `dav:` or `davs:` URL.
  func folderAddress() -> String? {
    let hint = "give a directory, dav:// or davs://"
    guard let (text, address) = address("a directory or URL") else { return nil }
    switch address {
    case .path: return text
    case .ssh: report("\(shown) is an address of ssh", hint: hint)
    case .url("sftp", _), .url("s3", _): reportNotBuilt(hint: hint)
    case .url("dav", let host), .url("davs", let host):
      if !host.isEmpty { return text }
      report("\(shown) names no host", hint: "write davs://host/path")
    case .url("http", _), .url("https", _):
      report(
        "\(shown): a WebDAV folder is written with dav or davs", hint: "write davs:// for https://, dav:// for http://")
    case .url("file", _): report("\(shown) is a URL", hint: "give the directory as a plain path, without file://")
    case .url(let scheme, _): report("\(shown): \(scheme) is no place for a folder", hint: hint)
    }
    return nil
  }
}
