import CatalogFormats
import GitSource
import HTTPTransport
import Localization
import Logging
import Pipeline
import ProjectLayout
import StringExtraction
import TranslationVendors

/// Makes the context of a pipeline from its definition.
struct Composition {
  let location: StoreLocation
  let settings: Settings
  let credentials: Credentials
  let time: TimeSource
  let isOnce: Bool
  let logger: Logger
  /// One for all vendors.
  let transport: HTTPTransport

  func context(of definition: PipelineDefinition, store: any Store, cache: any Cache) throws -> PipelineContext {
    let repository = definition.repository
    let (credentials, deliver) = (credentials, definition.deliver)
    // Missing secrets are reported before anything runs; each operation reads them again, because tokens may be short-lived.
    _ = try credentials.secret(repository.credentials, for: repository.url)
    let fetching: GitMirror.CredentialSource = {
      try credentials.secret(repository.credentials, for: repository.url).map { GitCredentials($0) }
    }
    let pushing: GitMirror.CredentialSource = {
      try credentials.secret(deliver.credentials, for: "pushes to \(repository.url)").map { GitCredentials($0) }
    }
    let mirror = try GitMirror(
      url: repository.url, folder: location.mirror(of: repository.url), credentials: fetching,
      pushCredentials: deliver.credentials == .none ? nil : pushing)
    let registry = CatalogFormatRegistry.standard.reading(interfacesWith: LocalizedFileTexts())
    let formats: @Sendable (TreePath) -> (any CatalogFormat)? = { registry.format(for: $0) }
    let snapshots = SnapshotLoader(
      definition: definition, mirror: mirror, reader: RepositoryLayout(remembers: true),
      extractor: SourceStringExtractor(),
      extractorVersion: SourceStringExtractor.treeVersion, formats: formats, cache: cache,
      threads: settings.parseThreads)
    return PipelineContext(
      definition: definition, mirror: mirror, snapshots: snapshots, formats: formats, audit: CatalogAudit(),
      vendors: try vendors(of: definition), store: store, time: time, isOnce: isOnce,
      commitSeconds: settings.commitSeconds)
  }
}
