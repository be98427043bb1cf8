import GitHosting
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

extension Composition {
  /// Returns the forge for a pipeline's pull requests, commit statuses and comments; `nil` if the pipeline uses none of them.
  /// - Throws: `PipelineError` if the kind of the server is not known, and `VendorError` if the repository's path does not have the form that this
  ///   kind requires.
  func forge(of definition: PipelineDefinition, _ tokens: (any ForgeTokens)? = nil) throws -> (any Forge)? {
    let deliver = definition.deliver
    guard deliver.usesForge else { return nil }
    let (repository, kind) = try place(of: definition)
    let references = [deliver.token, deliver.credentials, definition.repository.credentials]
    let reference = references.first { $0 != .none } ?? .none
    return try kind.forge(
      of: repository, api: HTTPURL(deliver.api ?? kind.api(of: repository)), usesChecks: deliver.annotates,
      tokens: tokens, environment: environment(of: definition, secret: reference))
  }

  /// Returns the tokens of the pipeline's GitHub app or GitLab application; `nil` if the pipeline has neither.
  func tokens(of definition: PipelineDefinition) throws -> (any ForgeTokens)? {
    if let oauth = definition.deliver.oauth { return try oauthTokens(oauth, of: definition) }
    return try appTokens(of: definition, for: definition.repository.url)
  }

  /// Returns the tokens of the pipeline's GitHub app for the repository at `url`; `nil` if the pipeline has no app. The app must be installed on that
  /// repository.
  func appTokens(of definition: PipelineDefinition, for url: String) throws -> (any ForgeTokens)? {
    guard let app = definition.deliver.app else { return nil }
    let (repository, kind) = try place(of: definition)
    return try InstallationTokens(
      app: app.id, of: ForgeRepository(remote: url) ?? repository,
      base: HTTPURL(definition.deliver.api ?? kind.api(of: repository)),
      environment: tokenEnvironment(of: definition, secret: app.key))
  }

  private func oauthTokens(
    _ oauth: DeliverSettings.OAuthSettings, of definition: PipelineDefinition
  ) throws -> GitLabTokens {
    let operation = "use the OAuth application of pipeline \(definition.name)"
    guard location.isLocal else {
      throw PipelineError(
        .notFound, operation: operation,
        detail: """
          GitLab replaces its refresh token at each use, and Dragoman stores the newest in the folder of one machine, which \
          other workers of the database do not see. Use a project access token in deliver.token
          """, disposition: .askPerson)
    }
    let (repository, kind) = try place(of: definition)
    let api = definition.deliver.api ?? kind.api(of: repository)
    guard kind == .gitlab, api.hasSuffix("/api/v4") else {
      throw PipelineError(
        .notFound, operation: operation, detail: "\(api) is not the API of a GitLab server", disposition: .askPerson)
    }
    let purpose = "the OAuth application of \(definition.name)"
    return GitLabTokens(
      client: oauth.client, secret: { [credentials] in try credentials.secret(oauth.secret, for: purpose) },
      refreshToken: { [credentials] in try credentials.secret(oauth.refreshToken, for: purpose) },
      server: try HTTPURL(String(api.dropLast("/api/v4".count))), folder: dryRun?.tokens ?? location.tokens,
      environment: tokenEnvironment(of: definition, secret: .none))
  }

  private func tokenEnvironment(
    of definition: PipelineDefinition, secret: CredentialReference
  ) -> VendorEnvironment {
    var environment = environment(of: definition, secret: secret)
    if let dryRun { environment.transport = dryRun.tokenTransport }
    return environment
  }

  private func environment(of definition: PipelineDefinition, secret: CredentialReference) -> VendorEnvironment {
    VendorEnvironment(
      pipeline: definition.name, stateFolder: vendorFolder(of: definition.name),
      secret: { [credentials] in try credentials.secret(secret, for: "the forge of \(definition.name)") },
      transport: transport, now: time.now, sleep: time.sleep, logger: logger)
  }

  private func place(of definition: PipelineDefinition) throws -> (ForgeRepository, ForgeKind) {
    let deliver = definition.deliver
    let operation = "use the forge of pipeline \(definition.name)"
    guard let repository = ForgeRepository(remote: definition.repository.url),
      let kind = deliver.forge.flatMap(ForgeKind.init(rawValue:)) ?? ForgeKind(host: repository.host)
    else {
      throw PipelineError(
        .notFound, operation: operation,
        detail: "\(definition.repository.url) is not on a known server. Set deliver.forge", disposition: .askPerson)
    }
    return (repository, kind)
  }
}
