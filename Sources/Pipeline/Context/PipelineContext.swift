package import Localization

/// A vendor of a pipeline.
package struct ConfiguredVendor: Sendable {
  package var definition: VendorDefinition
  package var vendor: any TranslationVendor
  /// Where its files are, for messages: a folder's address; `nil` if it has none.
  package var place: String?
  /// `vendor.name`: tells it from the others, in the ledger too.
  package var name: String { vendor.name }

  package init(definition: VendorDefinition, vendor: any TranslationVendor, place: String? = nil) {
    self.definition = definition
    self.vendor = vendor
    self.place = place
  }
}

/// Everything that the stages of one pipeline work with.
package struct PipelineContext: Sendable {
  package var definition: PipelineDefinition
  package var mirror: any RepositoryMirror
  package var snapshots: SnapshotLoader
  package var formats: @Sendable (TreePath) -> (any CatalogFormat)?
  package var audit: any EditAudit
  package var merger: any CatalogMerger
  package var vendors: [ConfiguredVendor]
  package var store: any Store
  package var time: TimeSource
  /// `run --once`: rounds go out at once, and bundles that are about to settle are waited for.
  package var isOnce: Bool
  /// The time that commits say, in seconds since 1970; `nil`: when the job was armed, so that doing it again makes the same commit.
  package var commitSeconds: Int64?
  /// Rung when there may be work for the worker.
  package var signal: WorkSignal
  package let reconciler: Reconciler
  /// The context of this name that is in force now. A look or a job that began under an earlier definition must not plan for that.
  package var inForce: @Sendable () -> PipelineContext?

  package init(
    definition: PipelineDefinition, mirror: any RepositoryMirror, snapshots: SnapshotLoader,
    formats: @escaping @Sendable (TreePath) -> (any CatalogFormat)?, audit: any EditAudit, merger: any CatalogMerger,
    vendors: [ConfiguredVendor],
    store: any Store, time: TimeSource, isOnce: Bool, commitSeconds: Int64? = nil, signal: WorkSignal = WorkSignal(),
    reconciler: Reconciler = Reconciler(), inForce: @escaping @Sendable () -> PipelineContext? = { nil }
  ) {
    self.definition = definition
    self.mirror = mirror
    self.snapshots = snapshots
    self.formats = formats
    self.audit = audit
    self.merger = merger
    self.vendors = vendors
    self.store = store
    self.time = time
    self.isOnce = isOnce
    self.commitSeconds = commitSeconds
    self.signal = signal
    self.reconciler = reconciler
    self.inForce = inForce
  }

  package var name: String { definition.name }

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

/// How a stage ended, and what it found. What follows from it is `PipelineGraph`'s business.
package struct StageOutcome: Sendable {
  package enum End: Hashable, Sendable {
    case done
    /// Someone else must do something first; to be looked at again after so long, by the store's clock.
    case wait(for: Duration)
  }

  package var end: End
  package var changes: [LedgerChange]
  /// For people: counts.
  package var detail: String?
  package var rounds: [Int]
  /// What is wrong in files of the user's or a translator's.
  package var diagnostics: [Diagnostic]
  /// Those of `diagnostics` that hold until the stage is done again, so that people are shown them meanwhile.
  package var lasting: [Diagnostic]
  /// Whether neither ledger nor repository is other than before, so that nothing has to be planned.
  package var hasChangedNothing: Bool

  package init(
    _ end: End = .done, changes: [LedgerChange] = [], detail: String? = nil, rounds: [Int] = [],
    diagnostics: [Diagnostic] = [], lasting: [Diagnostic] = [], hasChangedNothing: Bool = false
  ) {
    self.end = end
    self.changes = changes
    self.detail = detail
    self.rounds = rounds
    self.diagnostics = diagnostics
    self.lasting = lasting
    self.hasChangedNothing = hasChangedNothing
  }
}
