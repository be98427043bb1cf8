package import HTTPTransport
internal import Localization
package import Pipeline
package import TranslationVendors

/// The kinds of servers with pull requests that Dragoman supports.
package enum ForgeKind: String, CaseIterable, Sendable {
  case github, gitlab, gitea, forgejo, bitbucket
  case bitbucketServer = "bitbucket-server"
  case azure

  /// Returns the kind of a well-known host; `nil` for other hosts, whose kind must be set in the pipeline file.
  package init?(host: String) {
    switch host {
    case "github.com", "ssh.github.com": self = .github
    case "gitlab.com", "altssh.gitlab.com": self = .gitlab
    case "codeberg.org": self = .forgejo
    case "bitbucket.org", "altssh.bitbucket.org": self = .bitbucket
    case "dev.azure.com", "ssh.dev.azure.com": self = .azure
    default: return nil
    }
  }

  /// Returns the usual address of the API for a repository's server.
  package func api(of repository: ForgeRepository) -> String {
    switch self {
    case .github:
      ForgeKind(host: repository.host) == .github ? "https://api.github.com" : "\(repository.server)/api/v3"
    case .gitlab:
      ForgeKind(host: repository.host) == .gitlab ? "https://gitlab.com/api/v4" : "\(repository.server)/api/v4"
    case .gitea, .forgejo: "\(repository.server)/api/v1"
    case .bitbucket: "https://api.bitbucket.org/2.0"
    case .bitbucketServer: "\(repository.server)/rest/api/1.0"
    case .azure: ForgeKind(host: repository.host) == .azure ? "https://dev.azure.com" : repository.server
    }
  }

  /// Returns the forge client for the pull requests of a repository.
  /// - Parameters:
  ///   - api: the address of the API.
  ///   - usesChecks: for GitHub, whether commit statuses are set as check runs.
  ///   - tokens: the source of tokens that expire; `nil` if the token is the environment's secret.
  ///   - environment: the vendor environment. Its secret is the token, `user:token` or `Bearer TOKEN`.
  /// - Throws: `VendorError` with the kind `configuration` if the repository's path does not have the form that this kind of server requires.
  package func forge(
    of repository: ForgeRepository, api: HTTPURL, usesChecks: Bool = false, tokens: (any ForgeTokens)? = nil,
    environment: VendorEnvironment, paces: RequestPaces = .shared
  ) throws -> any Forge {
    var environment = Self.withoutScheme(environment)
    if let tokens { environment.secret = { tokens.current } }
    var forge = try plain(repository, api, usesChecks, tokens != nil, environment, paces)
    if let tokens { forge = WrappedForge(forge: forge, requests: TokenRenewal(tokens: tokens)) }
    // Only two kinds of tokens that expire are supported: those of a GitHub app and those of an OAuth application on GitLab.
    let source: RefusalAdvice.TokenSource =
      tokens == nil ? .secret : self == .gitlab ? .oauthApplication : .gitHubApp
    return WrappedForge(
      forge: forge, requests: RefusalAdvice(source: source, scope: self == .gitlab ? "api" : nil))
  }

  /// Returns the error for a repository whose path does not have the form that this kind of server requires; `nil` for other repositories.
  package func pathFault(of repository: ForgeRepository) -> VendorError? {
    let path = repository.path
    let isUsable =
      switch self {
      case .github, .gitea, .forgejo, .bitbucket: path.count == 2
      // In GitLab's addresses of pages, the part `-` follows the project's path, so such an address is not that of a repository.
      case .gitlab: !path.contains("-")
      case .bitbucketServer: path.count >= 2
      case .azure: AzureForge.names(in: path) != nil
      }
    return isUsable ? nil : wrongPath(path)
  }

  private func wrongPath(_ path: [String]) -> VendorError {
    VendorError(
      kind: .configuration, operation: "find the repository at the forge",
      detail: "the path \(path.joined(separator: "/")) in repository.url does not have the form \(pathForm)")
  }

  /// The form of the paths of repositories, for messages.
  package var pathForm: String {
    switch self {
    case .github, .gitea, .forgejo: "owner/repository"
    case .gitlab: "group/project"
    case .bitbucket: "workspace/repository"
    case .bitbucketServer: "scm/PROJECT/repository"
    case .azure: "organization/project/_git/repository"
    }
  }

  private func plain(
    _ repository: ForgeRepository, _ api: HTTPURL, _ usesChecks: Bool, _ tokensExpire: Bool,
    _ environment: VendorEnvironment, _ paces: RequestPaces
  ) throws -> any Forge {
    if let fault = pathFault(of: repository) { throw fault }
    // Addresses on Bitbucket Data Center have the form `https://host/scm/KEY/name.git` or `ssh://git@host:7999/KEY/name.git`. If the address of the
    // server has a path, the repository's path begins with it. All paths have at least two parts.
    let path = repository.path
    let (owner, name) = (path[path.count - 2], path[path.count - 1])
    switch self {
    case .github:
      return GitHubForge(
        base: api, owner: owner, repository: name, usesChecks: usesChecks, environment: Self.withToken(environment),
        paces: paces)
    case .gitlab:
      return GitLabForge(
        base: api, project: path.joined(separator: "/"), usesOAuth: tokensExpire,
        environment: Self.withToken(environment), paces: paces)
    case .gitea, .forgejo:
      return GiteaForge(
        base: api, owner: owner, repository: name, environment: Self.withToken(environment), paces: paces)
    case .bitbucket:
      return BitbucketForge(
        base: api, workspace: owner, repository: name, environment: environment, paces: paces)
    case .bitbucketServer:
      return BitbucketServerForge(
        base: api, project: owner, repository: name, environment: Self.withToken(environment), paces: paces)
    case .azure:
      guard let names = AzureForge.names(in: path) else { throw wrongPath(path) }
      return AzureForge(base: api, names: names, environment: environment, paces: paces)
    }
  }

  /// Removes `Bearer` from the secret. The credentials for git may be `Bearer TOKEN`, but each API has its own authentication scheme.
  private static func withoutScheme(_ environment: VendorEnvironment) -> VendorEnvironment {
    var changed = environment
    changed.secret = {
      try environment.secret().map { secret in
        let parts = secret.reveal().split(whereSeparator: \.isWhitespace)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? Secret(String(parts[1])) : secret
      }
    }
    return changed
  }

  /// Removes the user from the secret. The credentials for git may be `user:token`, but these APIs need only the token.
  private static func withToken(_ environment: VendorEnvironment) -> VendorEnvironment {
    var changed = environment
    changed.secret = {
      try environment.secret().map { secret in
        let text = secret.reveal()
        guard let colon = text.firstIndex(of: ":") else { return secret }
        return Secret(String(text[text.index(after: colon)...]))
      }
    }
    return changed
  }
}
