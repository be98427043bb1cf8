package import FoundationEssentials
package import Localization

/// Time as a parameter: the instant, and waiting.
package struct TimeSource: Sendable {
  package var now: @Sendable () -> Date
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's own.
  package static let system = TimeSource(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}

/// A vendor of a pipeline.
package struct ConfiguredVendor: Sendable {
  package var definition: VendorDefinition
  package var vendor: any TranslationVendor
  /// `vendor.name`: tells it from the others, in the ledger too.
  package var name: String { vendor.name }

  package init(definition: VendorDefinition, vendor: any TranslationVendor) {
    self.definition = definition
    self.vendor = vendor
  }
}

/// Everything that the stages of one pipeline work with.
package struct PipelineContext: Sendable {
  package var definition: PipelineDefinition
  package var mirror: any RepositoryMirror
  package var snapshots: SnapshotLoader
  package var formats: @Sendable (TreePath) -> (any CatalogFormat)?
  package var audit: any EditAudit
  package var vendors: [ConfiguredVendor]
  package var store: any Store
  package var time: TimeSource
  /// `run --once`: rounds go out at once, and bundles that are about to settle are waited for.
  package var isOnce: Bool
  /// The time that commits say, in seconds since 1970; `nil`: that of the job, so that doing it again makes the same commit.
  package var commitSeconds: Int64?

  package init(
    definition: PipelineDefinition, mirror: any RepositoryMirror, snapshots: SnapshotLoader,
    formats: @escaping @Sendable (TreePath) -> (any CatalogFormat)?, audit: any EditAudit, vendors: [ConfiguredVendor],
    store: any Store, time: TimeSource, isOnce: Bool, commitSeconds: Int64? = nil
  ) {
    self.definition = definition
    self.mirror = mirror
    self.snapshots = snapshots
    self.formats = formats
    self.audit = audit
    self.vendors = vendors
    self.store = store
    self.time = time
    self.isOnce = isOnce
    self.commitSeconds = commitSeconds
  }

  package var name: String { definition.name }

  package var routes: VendorRoutes { VendorRoutes(vendors.map { (name: $0.name, definition: $0.definition) }) }

  package func vendor(named name: String) throws -> ConfiguredVendor {
    guard let part = vendors.first(where: { $0.name == name }) else {
      throw PipelineError(
        .notFound, operation: "find vendor \(name)", detail: "pipeline \(self.name) no longer has it",
        disposition: .permanent)
    }
    return part
  }
}

/// The scope of a push or pull: a vendor, and what sets it apart from other jobs for that vendor.
package struct VendorScope: Hashable, Sendable {
  package var vendor: String
  package var cause: String

  package init(vendor: String, cause: String) {
    self.vendor = vendor
    self.cause = cause
  }

  package init(_ scope: String) {
    let end = scope.lastIndex(of: "#") ?? scope.endIndex
    vendor = String(scope[..<end])
    cause = String(scope[end...].dropFirst())
  }

  package var text: String { "\(vendor)#\(cause)" }
  package var lane: String { "vendor \(vendor)" }
}

extension Run {
  /// The lane of the branch's merging and delivering.
  package var lane: String { "branch \(branch)" }
}

/// What a stage came to.
package struct StageOutcome: Sendable {
  package enum End: Hashable, Sendable {
    case done
    /// Someone else must do something first.
    case wait(until: Date)
  }

  package var end: End
  package var next: [NewJob]
  package var changes: [LedgerChange]
  /// For people: counts.
  package var detail: String?
  package var rounds: [Int]
  /// What is wrong in files of the user's or a translator's.
  package var diagnostics: [Diagnostic]

  package init(
    _ end: End = .done, next: [NewJob] = [], changes: [LedgerChange] = [], detail: String? = nil, rounds: [Int] = [],
    diagnostics: [Diagnostic] = []
  ) {
    self.end = end
    self.next = next
    self.changes = changes
    self.detail = detail
    self.rounds = rounds
    self.diagnostics = diagnostics
  }
}
