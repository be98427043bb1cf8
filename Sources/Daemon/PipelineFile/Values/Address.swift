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
      "the credentials would be sent unencrypted over \(scheme)",
      hint: "use \(scheme)s:// in the address, or remove the credentials")
  }

  /// An address whose URL holds no secret.
  fileprivate func address(_ wanted: String) -> (text: String, address: Address)? {
    guard let text = text(wanted) else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address contains a user name or a password; a pipeline file must not contain secrets",
        hint: "remove everything before the @, and set `credentials` to where the secret is")
      return nil
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      report("\(shown) contains a line break or a tab", hint: "write the address on one line")
      return nil
    }
    return (text, Address(text))
  }

  /// Where a repository is: a path, or a `file:`, `http:` or `https:` URL.
  func repositoryAddress() -> String? {
    let hint = "use an https:// URL or a path"
    guard let (text, address) = address("a URL or path") else { return nil }
    switch address {
    case .path: return text
    case .ssh: reportNotBuilt("ssh (\(shown))", hint: hint)
    case .url("ssh", _), .url("git+ssh", _): reportNotBuilt("ssh (\(shown))", hint: hint)
    case .url("file", _): return text
    case .url("http", let host), .url("https", let host):
      if !host.isEmpty { return text }
      report("\(shown) has no host", hint: "write https://host/path")
    case .url(let scheme, _):
      report("\(shown): repositories cannot be fetched over \(scheme)", hint: hint)
    }
    return nil
  }

  /// Where a `folder` vendor's folder is: a directory, or a `dav:` or `davs:` URL.
  func folderAddress() -> String? {
    let hint = "use a directory, dav:// or davs://"
    guard let (text, address) = address("a directory or URL") else { return nil }
    switch address {
    case .path: return text
    case .ssh: report("\(shown) is an ssh address", hint: hint)
    case .url("sftp", _), .url("s3", _): reportNotBuilt(hint: hint)
    case .url("dav", let host), .url("davs", let host):
      if !host.isEmpty { return text }
      report("\(shown) has no host", hint: "write davs://host/path")
    case .url("http", _), .url("https", _):
      report(
        "\(shown): the address of a WebDAV folder starts with dav:// or davs://",
        hint: "write davs:// for https://, dav:// for http://")
    case .url("file", _): report("\(shown) is a URL", hint: "write the directory as a plain path, without file://")
    case .url(let scheme, _): report("\(shown): \(scheme) is not supported for folders", hint: hint)
    }
    return nil
  }
}
