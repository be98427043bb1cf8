internal import Pipeline

/// A repository's or a folder's address, told apart by its scheme.
enum Address {
  case url(scheme: String, authority: String)
  /// `git@host:path`: ssh without saying so.
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

  /// Whether a URL in the text names a user or password: what stands before the `@` is often a token. What a value looks like is not
  /// asked, so that it holds for a URL in the wrong place too.
  static func holdsCredentials(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let scheme = text[..<colon.lowerBound].lowercased()
    let authority = text[colon.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return false }
    // `ssh://git@host` names the account that every user of the host shares.
    return scheme != "ssh" && scheme != "sftp" || authority[..<at].contains(":")
  }
}

extension Field {
  /// Reports credentials that would travel unencrypted. This machine's own addresses are no network.
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

  /// An address whose URL holds no secret.
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

  /// Where a repository is: a path, or a `file:`, `http:` or `https:` URL.
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

  /// Where a `folder` vendor's folder is: a directory, or a `dav:` or `davs:` URL.
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
