internal import Localization
internal import Pipeline
internal import TranslationVendors

extension Section<RepositoryKey> {
  func settings() -> (settings: RepositorySettings, branches: [Located<BranchPattern>], url: Located<String>?) {
    let branches = self[.branches].flatMap { $0.branchPatterns() } ?? []
    for branch in branches where BranchPattern("l10n/**").matches(branch.value.text) {
      branch.field.report("\(branch.field.shown): branches under l10n/ are never watched", hint: "remove it")
    }
    if let field = self[.branches], case .list(let list) = field.value.content, list.isEmpty {
      field.report("is an empty list", hint: "add a branch, or omit the key to watch the remote's default branch")
    }
    let url = self[.url].flatMap { field in field.repositoryAddress().map { Located(value: $0, field: field) } }
    let settings = RepositorySettings(
      url: url?.value ?? "", branches: branches.map(\.value),
      credentials: self[.credentials].flatMap { $0.credential() } ?? .none,
      poll: self[.poll].flatMap { $0.duration(atLeast: .seconds(1), "1s") },
      webhook: self[.webhook].flatMap { $0.secretReference() } ?? .none,
      knownHosts: self[.knownHosts].flatMap { $0.text("a file") },
      certificates: self[.certificates].flatMap { $0.text("a file") },
      clientCertificate: self[.clientCertificate].flatMap { $0.secretReference() } ?? .none,
      clientKey: self[.clientKey].flatMap { $0.secretReference() } ?? .none, proxy: proxySettings())
    if let url {
      self[.credentials]?.reportClearText(to: url.value, settings.credentials)
      self[.credentials]?.reportAgent(for: url.value, settings.credentials)
      if !Address(url.value).isSSH {
        self[.knownHosts]?.report("known_hosts is for repositories at ssh URLs", hint: "remove it")
      }
      if !url.value.hasPrefix("https://") {
        for key in [RepositoryKey.certificates, .clientCertificate, .clientKey] {
          self[key]?.report("\(key.rawValue) is for repositories at https URLs", hint: "remove it")
        }
      }
      if !url.value.hasPrefix("http") {
        for key in [RepositoryKey.proxy, .proxyCredentials] {
          self[key]?.report("\(key.rawValue) is for repositories at https and http URLs", hint: "remove it")
        }
      }
      if self[.clientCertificate] == nil {
        self[.clientKey]?.report(
          "has no effect without `client_certificate`", hint: "add the certificate, or remove the key")
      }
    }
    return (settings, branches, url)
  }

  private func proxySettings() -> RepositorySettings.ProxySettings {
    guard let field = self[.proxy] else {
      self[.proxyCredentials]?.report("has no effect without `proxy`", hint: "add the address of the proxy as `proxy:`")
      return .environment
    }
    guard let text = field.text("the address of a proxy") else { return .environment }
    if text == "none" {
      self[.proxyCredentials]?.report("has no effect with `proxy: none`", hint: "remove it")
      return .none
    }
    let schemes = ["http", "https", "socks5", "socks5h"]
    guard case .url(let scheme, let authority) = Address(text), schemes.contains(scheme), !authority.isEmpty,
      text.utf8.count == scheme.utf8.count + 3 + authority.utf8.count, !authority.contains("@"),
      !text.contains(where: \.isWhitespace)
    else {
      field.report(
        "\(field.shown) is not the address of a proxy",
        hint: "write none, or http://host:port, https://, socks5:// or socks5h://, without a user and a password")
      return .environment
    }
    return .server(text, credentials: self[.proxyCredentials].flatMap { $0.secretReference() } ?? .none)
  }
}

extension Section<ExtractKey> {
  func settings() -> ExtractSettings {
    ExtractSettings(
      macros: self[.macros]?.items("a list of names", example: "[MFLocalizedString]")?
        .distinct({ $0.macro() }, sameAs: { $0 }).map(\.value) ?? [],
      exclude: self[.exclude]?.items("a list of path patterns", example: "[\"Examples/**\"]")?
        .distinct({ $0.pathPattern() }, sameAs: { $0 }).map(\.value) ?? [],
      history: self[.history].flatMap { $0.number(in: 0...10_000) } ?? ExtractSettings().history,
      paths: self[.paths]?.items("a list of path patterns", example: "[\"Packages/Kit/**\"]")?
        .distinct({ $0.pathPattern() }, sameAs: { $0 }).map(\.value) ?? [])
  }
}

extension Field {
  /// Reads a reference to a secret. The references `none` and `agent` are reported as faults.
  func secretReference(isOptional: Bool = true) -> CredentialReference? {
    guard let reference = credential() else { return nil }
    switch reference {
    case .environment, .file, .service: return reference
    case .none, .agent:
      report(
        "no secret is named",
        hint: "write \(CredentialReference.notations)" + (isOptional ? ", or omit the key" : ""))
      return nil
    }
  }

  /// Reads the name of a Swift function or macro.
  fileprivate func macro() -> String? {
    guard let text = text("a name") else { return nil }
    let isName = text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    guard isName, text.unicodeScalars.first.map({ $0 == "_" || $0.properties.isXIDStart }) == true else {
      report(
        "\(shown) is not the name of a function or macro", hint: "write only the name, without a type, brackets or #")
      return nil
    }
    return text
  }

  func pathPattern() -> String? {
    guard let text = text("a path pattern") else { return nil }
    let path = TreePath(checking: text)
    guard let path, !path.isRoot, !TreePath.components(of: text).contains("..") else {
      report(
        "\(shown) is not a path below the repository's root",
        hint: "write it without a leading / and without ..: Examples/**")
      return nil
    }
    return text
  }
}
