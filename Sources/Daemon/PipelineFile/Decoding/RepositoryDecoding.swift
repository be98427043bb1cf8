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
      certificates: self[.certificates].flatMap { $0.text("a file") })
    if let url {
      self[.credentials]?.reportClearText(to: url.value, settings.credentials)
      self[.credentials]?.reportAgent(for: url.value, settings.credentials)
      if !Address(url.value).isSSH {
        self[.knownHosts]?.report("known_hosts is for repositories that ssh reaches", hint: "remove it")
      }
      if !url.value.hasPrefix("https://") {
        self[.certificates]?.report("certificates is for repositories at https URLs", hint: "remove it")
      }
    }
    return (settings, branches, url)
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
  /// Reads the reference of a secret that must be given: not `none`, and not the SSH agent.
  func secretReference(isOptional: Bool = true) -> CredentialReference? {
    guard let reference = credential() else { return nil }
    switch reference {
    case .environment, .file, .service: return reference
    case .none, .agent:
      report("no secret is named", hint: "write env:NAME or file:PATH" + (isOptional ? ", or omit the key" : ""))
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
