import CatalogFormats
import ChildPrograms
import GitHosting
import GitSource
import HTTPTransport
import Localization
import Logging
import Pipeline
import ProjectLayout
import StringExtraction
import TranslationVendors
import Workspace

/// The settings and shared resources from which the contexts of pipelines are created.
struct Composition {
  let location: StoreLocation
  let settings: Settings
  let credentials: Credentials
  let time: TimeSource
  let isOnce: Bool
  let logger: Logger
  /// The HTTP transport, shared by all vendors and forges.
  let transport: HTTPTransport
  /// The identity of this installation (``Installation``): of its state folder, or of its database if the ledger is in PostgreSQL.
  let installation: String
  /// The snapshots in memory. They are shared by all pipelines, as are `readers`, the threads that read commits, and `registry`.
  let memory: SnapshotMemory
  let readers: BlockingPool
  let registry: PipelineRegistry
  /// The memory and the threads for reading commits in the background, shared by all pipelines; `nil` in commands that do not read in the background.
  var background: (memory: SnapshotMemory, reader: BlockingPool)?
  /// The dry run; `nil` if this run may make changes.
  var dryRun: DryRun?

  func context(
    of definition: PipelineDefinition, store: any Store, history: (any CommitHistoryStore)? = nil,
    people: (any PeopleStore)? = nil, cache: any Cache
  ) throws -> PipelineContext {
    let tokens = try self.tokens(of: definition)
    let mirror = try mirror(of: definition, tokens)
    let reading = reading(mirror, of: definition, tokens)
    // The layout and the catalogs are kept in memory, because most commits of a repository do not change them.
    let layout = RepositoryLayout(remembers: true)
    let catalogs = CatalogMemory()
    let tools = ProjectTools.standard(layout)
    let snapshots = SnapshotLoader(
      definition: definition, mirror: reading, tools: tools, extractorVersion: SourceStringExtractor.treeVersion,
      cache: cache, threads: settings.parseThreads, memory: memory, catalogs: catalogs, pool: readers)
    // Background work uses the layouts and catalogs that stages keep in memory, but must not displace them. Its snapshots have a memory of their own.
    let background = background.map { memory, reader in
      SnapshotLoader(
        definition: definition, mirror: reading, tools: .standard(RepositoryLayout(rememberingBeside: layout)),
        extractorVersion: SourceStringExtractor.treeVersion, cache: BackgroundCache(cache), threads: 1, memory: memory,
        catalogs: CatalogMemory(beside: catalogs), pool: reader)
    }
    let context = PipelineContext(
      definition: definition, mirror: dryRun.map { DryRunMirror(mirror, of: definition.name, $0.record) } ?? mirror,
      snapshots: snapshots, background: background, formats: tools.format,
      audit: CatalogAudit(), merger: LocalizationMerger(),
      vendors: try vendors(of: definition, store: store) + memoryVendor(of: definition),
      memory: memory(of: definition), readTerms: readTerms(of: definition),
      glossaryDigest: glossaryDigest(of: definition),
      readScreenshots: readScreenshots(of: definition, mirror), readPicture: readPicture(of: definition, mirror),
      forge: try forge(of: definition, tokens), store: store, history: history, people: people, time: time,
      isOnce: isOnce,
      commitSeconds: settings.commitSeconds, signal: registry.signal,
      reconciler: registry.reconciler(of: definition.name),
      looks: isOnce ? nil : registry.looks(of: definition.name),
      inForce: { [weak registry] in registry?[definition.name] })
    return dryRun?.wrap(context) ?? context
  }

  /// Returns the mirror of a pipeline's repository.
  /// - Parameter tokens: the tokens that the pipeline renews; if `nil`, they are created if the pipeline has an app or an OAuth application.
  /// - Throws: `GitError` if the URL cannot be used, and the errors of `tokens(of:)`.
  func mirror(of definition: PipelineDefinition, _ tokens: (any ForgeTokens)? = nil) throws -> GitMirror {
    let tokens = try tokens ?? self.tokens(of: definition)
    let repository = definition.repository
    return try GitMirror(
      url: repository.url, folder: location.mirror(of: repository.url),
      credentials: gitCredentials(definition, .none, tokens),
      pushCredentials: gitCredentials(definition, definition.deliver.credentials, tokens),
      renewal: renewal(of: tokens),
      signingKey: { [credentials] in
        try credentials.secret(definition.deliver.sign, for: "signing commits of \(definition.name)")
      },
      connection: connection(to: repository), networkChild: GitNetworkChild(fetchLimit: settings.fetchLimit),
      ssh: SSHSettings(knownHosts: repository.knownHosts, readsConfiguration: true))
  }

  /// Returns the action for a token that the git server refuses although it should still be valid: the token is forgotten, so a new one is requested.
  /// `nil` if the pipeline renews no tokens.
  func renewal(of tokens: (any ForgeTokens)?) -> CredentialRenewal? {
    tokens.map { tokens in
      CredentialRenewal { secret in
        let user = "\(tokens.gitUser):"
        let text = secret.reveal()
        if text.hasPrefix(user) { await tokens.forget(Secret(String(text.dropFirst(user.count)))) }
      }
    }
  }

  /// Returns a source that reads the credentials to which `own` refers, or `repository.credentials` if `own` is `none`. The credentials are read at
  /// each use. If both are `none` and the repository has an http(s) URL, the source returns the pipeline's renewed token, if it has one.
  func gitCredentials(
    _ definition: PipelineDefinition, _ own: CredentialReference, _ tokens: (any ForgeTokens)?
  ) -> GitMirror.CredentialSource {
    let reference = own == .none ? definition.repository.credentials : own
    if reference == .none, let tokens, definition.repository.url.hasPrefix("http") {
      return { Secret("\(tokens.gitUser):" + (try await tokens.token()).reveal()) }
    }
    let purpose = own == .none ? definition.repository.url : "pushing to \(definition.repository.url)"
    return { [credentials] in try credentials.secret(reference, for: purpose) }
  }
}
