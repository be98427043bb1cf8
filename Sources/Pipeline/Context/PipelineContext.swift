package import Localization
package import Workspace

/// A vendor of a pipeline, with its definition in the pipeline file.
package struct ConfiguredVendor: Sendable {
  package var definition: VendorDefinition
  package var vendor: any TranslationVendor
  /// The address of the vendor's folder, for messages; `nil` if the vendor has none.
  package var place: String?
  /// The vendor's name. It is unique within the pipeline and identifies the vendor in the ledger.
  package var name: String { vendor.name }

  package init(definition: VendorDefinition, vendor: any TranslationVendor, place: String? = nil) {
    self.definition = definition
    self.vendor = vendor
    self.place = place
  }
}

/// Reads a picture at a commit: the picture with this path in the screenshot folder with this index. Returns `nil` if the picture is
/// missing.
package typealias ReadPicture =
  @Sendable (CommitID, Int, TreePath) async throws -> (format: Screenshot.Format, bytes: [UInt8])?

/// The dependencies and settings of the stages of one pipeline.
package struct PipelineContext: Sendable {
  package var definition: PipelineDefinition
  package var mirror: any RepositoryMirror
  package var snapshots: SnapshotLoader
  /// The reader of commits for the history and for reviews of pull requests, with its own thread and memory; `nil` if `snapshots` reads
  /// them.
  package var background: SnapshotLoader?
  package var formats: @Sendable (TreePath) -> (any CatalogFormat)?
  package var audit: any EditAudit
  package var merger: any CatalogMerger
  package var vendors: [ConfiguredVendor]
  /// The translation memory; `nil` if the pipeline has none. If the pipeline has a translation memory, `vendors` contains a `MemoryVendor`.
  package var memory: RoundMemory?
  /// Reads the glossary for a source language; `nil` if the pipeline has none.
  package var readTerms: (@Sendable (LocaleIdentifier) async throws -> TermCheck)?
  /// Returns a digest of the glossary, or `nil` if the glossary was not valid yet. Held units are reviewed again when the digest changes. The
  /// property itself is `nil` if no units are held because of a glossary.
  package var glossaryDigest: (@Sendable () async -> String?)?
  /// Reads the screenshots at a commit; `nil` if the pipeline has none.
  package var readScreenshots: (@Sendable (CommitID) async throws -> [ScreenshotFolder])?
  /// Reads the picture of one of these screenshots; `nil` if the pipeline has no screenshots.
  package var readPicture: ReadPicture?
  /// The server of pull requests, comments and statuses; `nil` if the pipeline uses none of them.
  package var forge: (any Forge)?
  package var store: any Store
  /// The store of the commits' history and of the freeze points; `nil` in programs that record no history.
  package var history: (any CommitHistoryStore)?
  /// The store of people's decisions and of completion; `nil` if there is none.
  package var people: (any PeopleStore)?
  package var time: TimeSource
  /// Whether this is `run --once`: rounds are sent immediately, and the run waits briefly for bundles that are still being written.
  package var isOnce: Bool
  /// The time of our commits, in seconds since 1970; `nil` for the time when the job was armed. With the job's time, a repeated job makes
  /// the same commit.
  package var commitSeconds: Int64?
  /// Wakes the worker when there may be work.
  package var signal: WorkSignal
  package let reconciler: Reconciler
  /// The requests to check the repository early; `nil` if the repository is only polled.
  package var looks: LookRequests?
  /// The times of the last comparisons of the books with each vendor.
  let comparisons = DailyTurns()
  /// The times of the last requests for corrected translations.
  let corrections = CorrectionTurns()
  let retirements = Retirements()
  /// The digests of the comments that vendors last received, with the heads of the watched branches at that time.
  let toldComments = Told<Set<CommitID>>()
  let toldVariants = Told<VariantState>()
  let toldTexts = Told<StandingTextState>()
  let toldScreenshots = ToldScreenshots()
  let reviews = ReviewMemory()
  package let vendorLooks = VendorLooks()
  /// Returns the context that is now registered under this pipeline's name; `nil` if there is none. A check or a job that began with an
  /// earlier definition must plan with the current definition.
  package var inForce: @Sendable () -> PipelineContext?

  package init(
    definition: PipelineDefinition, mirror: any RepositoryMirror, snapshots: SnapshotLoader,
    background: SnapshotLoader? = nil,
    formats: @escaping @Sendable (TreePath) -> (any CatalogFormat)?, audit: any EditAudit, merger: any CatalogMerger,
    vendors: [ConfiguredVendor], memory: RoundMemory? = nil,
    readTerms: (@Sendable (LocaleIdentifier) async throws -> TermCheck)? = nil,
    glossaryDigest: (@Sendable () async -> String?)? = nil,
    readScreenshots: (@Sendable (CommitID) async throws -> [ScreenshotFolder])? = nil, readPicture: ReadPicture? = nil,
    forge: (any Forge)? = nil,
    store: any Store, history: (any CommitHistoryStore)? = nil, people: (any PeopleStore)? = nil, time: TimeSource,
    isOnce: Bool, commitSeconds: Int64? = nil, signal: WorkSignal = WorkSignal(),
    reconciler: Reconciler = Reconciler(), looks: LookRequests? = nil,
    inForce: @escaping @Sendable () -> PipelineContext? = { nil }
  ) {
    self.definition = definition
    self.mirror = mirror
    self.snapshots = snapshots
    self.background = background
    self.formats = formats
    self.audit = audit
    self.merger = merger
    self.vendors = vendors
    self.memory = memory
    self.readTerms = readTerms
    self.glossaryDigest = glossaryDigest
    self.readScreenshots = readScreenshots
    self.readPicture = readPicture
    self.forge = forge
    self.store = store
    self.history = history
    self.people = people
    self.time = time
    self.isOnce = isOnce
    self.commitSeconds = commitSeconds
    self.signal = signal
    self.reconciler = reconciler
    self.looks = looks
    self.inForce = inForce
  }

  package var name: String { definition.name }

  /// Returns the snapshot of a commit for background work. With a `background` loader, reading the snapshot does not wait for the stages or
  /// delay them.
  func backgroundSnapshot(of commit: CommitID) async throws -> Snapshot {
    if let known = snapshots.remembered(commit) { return known }
    return try await (background ?? snapshots).snapshot(of: commit)
  }

  /// Returns the terms of the glossary; an empty `TermCheck` if the pipeline has no glossary.
  func terms(from sourceLanguage: LocaleIdentifier) async throws -> TermCheck {
    try await readTerms?(sourceLanguage) ?? TermCheck()
  }

  package var routes: VendorRoutes { VendorRoutes(vendors.map { (name: $0.name, definition: $0.definition) }) }

  package func vendor(named name: String) throws -> ConfiguredVendor {
    guard let part = vendors.first(where: { $0.name == name }) else {
      throw PipelineError(
        .notFound, operation: "find vendor \(name)", detail: "it is no longer a vendor of pipeline \(self.name)",
        disposition: .permanent)
    }
    return part
  }
}

/// The result and the findings of a stage. `PipelineGraph` decides which jobs follow.
package struct StageOutcome: Sendable {
  package enum End: Hashable, Sendable {
    case done
    /// The stage waits, for example for a vendor, and runs again after this time, by the store's clock.
    case wait(for: Duration)
  }

  package var end: End
  package var changes: [LedgerChange]
  /// A summary of the result for users, such as counts.
  package var detail: String?
  package var rounds: [Int]
  /// The problems that the stage found, to be reported to users.
  package var diagnostics: [Diagnostic]
  /// The problems that stay valid until the stage runs again. Users see these problems until then.
  package var lasting: [Diagnostic]
  /// Whether the stage changed nothing on which other jobs depend, so no jobs need to be planned after it.
  package var hasChangedNothing: Bool
  /// Whether the stage did something that the log always shows, for example planned, sent, received or delivered units, or changed a comment on
  /// a pull request.
  package var hasEffect: Bool

  package init(
    _ end: End = .done, changes: [LedgerChange] = [], detail: String? = nil, rounds: [Int] = [],
    diagnostics: [Diagnostic] = [], lasting: [Diagnostic] = [], hasChangedNothing: Bool = false,
    hasEffect: Bool = false
  ) {
    self.end = end
    self.changes = changes
    self.detail = detail
    self.rounds = rounds
    self.diagnostics = diagnostics
    self.lasting = lasting
    self.hasChangedNothing = hasChangedNothing
    self.hasEffect = hasEffect
  }
}

extension PipelineContext {
  /// Returns the newest commit of each branch in the mirror.
  func branchTips() async throws -> [String: CommitID] {
    Dictionary(try await mirror.branches().map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
  }
}
