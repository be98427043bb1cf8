import CatalogFormats
import ChildPrograms
import GitSource
import HTTPTransport
import Localization
import Logging
import Pipeline
import StringExtraction
import TranslationVendors
import Workspace

/// Makes the context of a pipeline from its definition.
struct Composition {
  let location: StoreLocation
  let settings: Settings
  let credentials: Credentials
  let time: TimeSource
  let isOnce: Bool
  let logger: Logger
  /// Shared by all vendors.
  let transport: HTTPTransport
  /// The result of `Installation.identity`.
  let installation: String
  /// Shared by all pipelines: the snapshots in memory, the threads that read commits, and the registry.
  let memory: SnapshotMemory
  let readers: BlockingPool
  let registry: PipelineRegistry

  func context(
    of definition: PipelineDefinition, store: any Store, people: (any PeopleStore)? = nil, cache: any Cache
  ) throws -> PipelineContext {
    let mirror = try mirror(of: definition)
    let tools = ProjectTools.standard(remembersLayouts: true)
    let snapshots = SnapshotLoader(
      definition: definition, mirror: mirror, tools: tools, extractorVersion: SourceStringExtractor.treeVersion,
      cache: cache, threads: settings.parseThreads, memory: memory, pool: readers)
    return PipelineContext(
      definition: definition, mirror: mirror, snapshots: snapshots, formats: tools.format, audit: CatalogAudit(),
      merger: LocalizationMerger(), vendors: try vendors(of: definition, store: store),
      forge: try forge(of: definition), store: store, people: people, time: time,
      isOnce: isOnce,
      commitSeconds: settings.commitSeconds, signal: registry.signal,
      reconciler: registry.reconciler(of: definition.name),
      looks: isOnce ? nil : registry.looks(of: definition.name),
      inForce: { [weak registry] in registry?[definition.name] })
  }

  /// - Throws: `GitError` if the URL cannot be used.
  func mirror(of definition: PipelineDefinition) throws -> GitMirror {
    let repository = definition.repository
    return try GitMirror(
      url: repository.url, folder: location.mirror(of: repository.url), credentials: gitCredentials(definition, .none),
      pushCredentials: gitCredentials(definition, definition.deliver.credentials),
      signingKey: { [credentials] in
        try credentials.secret(definition.deliver.sign, for: "signing commits of \(definition.name)")
      },
      networkChild: GitNetworkChild(fetchLimit: settings.fetchLimit),
      ssh: SSHSettings(knownHosts: repository.knownHosts, readsConfiguration: true))
  }

  /// Returns the credentials of `own`, or those of `repository.credentials` if `own` is `none`. They are read at each use.
  func gitCredentials(
    _ definition: PipelineDefinition, _ own: CredentialReference
  ) -> @Sendable () throws -> Secret? {
    let reference = own == .none ? definition.repository.credentials : own
    let purpose = own == .none ? definition.repository.url : "pushing to \(definition.repository.url)"
    return { [credentials] in try credentials.secret(reference, for: purpose) }
  }
}
