internal import GitSource
internal import Pipeline
internal import TranslationVendors

extension Field {
  /// Reports credentials that would be sent over an unencrypted connection, except to this machine.
  func reportClearText(to address: String, _ credentials: CredentialReference) {
    guard credentials != .none, case .url(let scheme, let authority) = Address(address),
      ["http", "dav"].contains(scheme)
    else { return }
    guard !Address.isLocal(authority) else { return }
    report(
      "the credentials would be sent unencrypted over \(scheme)",
      hint: "use \(scheme)s:// in the address, or remove the credentials")
  }

  /// Reports a reference to the ssh agent for an address that ssh does not use.
  func reportAgent(for address: String, _ credentials: CredentialReference) {
    guard credentials == .agent, !Address(address).isSSH else { return }
    report("`agent` is only for ssh addresses", hint: "write \(CredentialReference.notations), or remove the key")
  }

  /// Reads an address. An address that contains credentials or a control character is reported.
  fileprivate func address(_ wanted: String) -> (text: String, address: Address)? {
    guard let text = text(wanted) else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address contains a user name or a password; a pipeline file must not contain secrets",
        hint: Address(text).isSSH
          ? "remove the password; the user's name before the @ stays. Set `credentials` to where the secret is"
          : "remove everything before the @, and set `credentials` to where the secret is")
      return nil
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      report("\(shown) contains a line break or a tab", hint: "write the address on one line")
      return nil
    }
    return (text, Address(text))
  }

  /// Reads the address of a repository: a path, a `file:`, `http:`, `https:` or `ssh:` URL, or `user@host:path`.
  func repositoryAddress() -> String? {
    let hint = "use an https:// or ssh:// URL, or a path"
    guard let (text, address) = address("a URL or path") else { return nil }
    switch address {
    case .path: return text
    case .ssh, .url("ssh", _), .url("git+ssh", _), .url("ssh+git", _):
      do {
        _ = try RemoteURL(text)
        return text
      } catch { report("\(shown): \(error.detail)", hint: "write ssh://user@host/path, or user@host:path as git does") }
    case .url("file", _): return text
    case .url("http", let host), .url("https", let host):
      if !host.isEmpty { return text }
      report("\(shown) has no host", hint: "write https://host/path")
    case .url(let scheme, _):
      report("\(shown): repositories cannot be fetched over \(scheme)", hint: hint)
    }
    return nil
  }

  /// Reads the address of a vendor's folder: a path, or a URL with one of the given schemes.
  func folderAddress(schemes: [String]) -> String? {
    let known = (["a directory"] + schemes.map { "\($0)://" }).joined(separator: ", ")
    guard let (text, address) = address("a directory or URL") else { return nil }
    switch address {
    case .path: return text
    case .ssh: report("\(shown) is an ssh address", hint: "use \(known)")
    case .url(let scheme, let host) where schemes.contains(scheme):
      if !host.isEmpty { return text }
      report("\(shown) has no host", hint: "write \(scheme)://host/path")
    case .url("http", _), .url("https", _):
      report(
        "\(shown): the address of a WebDAV folder starts with dav:// or davs://",
        hint: "write davs:// for https://, dav:// for http://")
    case .url("file", _): report("\(shown) is a URL", hint: "write the directory as a plain path, without file://")
    case .url(let scheme, _): report("\(shown): \(scheme) is not supported for folders", hint: "use \(known)")
    }
    return nil
  }

  /// Reads the address of a vendor's or a forge's server.
  func serverAddress() -> String? {
    guard let text = text("a URL") else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address contains a user or a password; secrets must not be in pipeline files",
        hint: "remove them, and set `credentials` to where the secret is")
      return nil
    }
    guard case .url(let scheme, let host) = Address(text), !host.isEmpty, scheme == "https" || scheme == "http" else {
      report("\(shown) is not an https URL", hint: "write https://host")
      return nil
    }
    guard scheme == "https" || Address.isLocal(host) else {
      report("\(shown) is not encrypted", hint: "write https://; http is for servers on this machine")
      return nil
    }
    // The text is not shown, because queries may contain secrets.
    guard !text.contains(where: { "?#".contains($0) }) else {
      report("the address has a query or a fragment, which is not sent", hint: "remove it, with the ? or # before it")
      return nil
    }
    return text
  }
}
