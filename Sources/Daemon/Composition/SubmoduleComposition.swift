import ChildPrograms
import GitHosting
import GitSource
import Localization
import Pipeline

extension Composition {
  /// Returns a mirror whose trees include the submodules that the pipeline lists.
  func reading(_ mirror: GitMirror, of definition: PipelineDefinition, _ tokens: (any ForgeTokens)?)
    -> any RepositoryMirror
  {
    guard !definition.submodules.isEmpty else { return mirror }
    return submodules(of: definition, in: mirror, tokens)
  }

  func submodules(
    of definition: PipelineDefinition, in mirror: GitMirror, _ tokens: (any ForgeTokens)?
  ) -> SubmoduleMirror {
    SubmoduleMirror(mirror, listed: definition.submodules) { location in
      try self.mirror(of: location, in: definition, tokens)
    }
  }

  private func mirror(
    of submodule: SubmoduleLocation, in definition: PipelineDefinition, _ tokens: (any ForgeTokens)?
  ) throws -> GitMirror {
    let repository = definition.repository
    let secret: GitMirror.CredentialSource
    let connection: GitMirror.ConnectionSource
    var renewal: CredentialRenewal?
    switch submodule.access {
    case .asRepository, .asNamed:
      let own = submodule.access == .asNamed ? try appTokens(of: definition, for: submodule.url) : nil
      secret = gitCredentials(definition, .none, own ?? tokens)
      renewal = self.renewal(of: own ?? tokens)
      connection = self.connection(to: repository)
    case .with(let reference):
      secret = { [credentials] in try credentials.secret(reference, for: submodule.url) }
      connection = self.connection(to: RepositorySettings(url: submodule.url, proxy: repository.proxy))
    }
    return try GitMirror(
      url: submodule.url, folder: location.mirror(of: submodule, in: repository.url), credentials: secret,
      renewal: renewal, connection: connection, networkChild: GitNetworkChild(fetchLimit: settings.fetchLimit),
      ssh: SSHSettings(knownHosts: repository.knownHosts, readsConfiguration: true))
  }
}
