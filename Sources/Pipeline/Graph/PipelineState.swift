package import FoundationEssentials

/// The inputs of `PipelineGraph`: the state that determines which jobs a pipeline has.
package struct PipelineState: Sendable {
  package var definition: PipelineDefinition
  /// The names of the vendors, in the order of the pipeline file.
  package var vendors: [String]
  /// The newest commit of each watched branch, sorted by branch name.
  package var heads: [Run]
  /// The branches of the remote at the last check.
  package var remote: [String: CommitID]
  /// The tip of the newest delivery for each watched branch.
  package var ownTips: [String: CommitID]
  package var work: PendingWork
  /// The inputs of the last successful extraction, by branch.
  package var extracted: [String: String]
  /// The time at which each failing vendor began to fail.
  package var failing: [String: Date]
  /// A digest of the glossary's content if units are held because of the glossary; otherwise `nil`.
  package var glossary: String?
  package var isOnce: Bool
  package var now: Date

  package init(
    definition: PipelineDefinition, vendors: [String], heads: [Run], remote: [String: CommitID],
    ownTips: [String: CommitID] = [:], work: PendingWork = PendingWork(), extracted: [String: String] = [:],
    failing: [String: Date] = [:], glossary: String? = nil, isOnce: Bool = false, now: Date
  ) {
    self.failing = failing
    self.glossary = glossary
    self.definition = definition
    self.vendors = vendors
    self.heads = heads
    self.remote = remote
    self.ownTips = ownTips
    self.work = work
    self.extracted = extracted
    self.isOnce = isOnce
    self.now = now
  }
}

extension PipelineState {
  /// Combines the definition, the state of the mirror and the state in the store.
  /// - Parameters:
  ///   - remote: the branches of the remote at the last check.
  ///   - basis: the state in the store.
  ///   - glossary: a digest of the glossary's content if units are held because of the glossary; otherwise `nil`.
  package init(
    definition: PipelineDefinition, vendors: [String], remote: [String: CommitID], basis: PlanningBasis,
    glossary: String?, isOnce: Bool
  ) {
    self.init(
      definition: definition, vendors: vendors, heads: basis.heads, remote: remote, ownTips: basis.ownTips,
      work: basis.work, extracted: basis.extracted, failing: basis.failing, glossary: glossary, isOnce: isOnce,
      now: basis.now)
  }
}

/// The state in the store that determines which jobs a pipeline has, at one instant.
package struct PlanningBasis: Sendable {
  /// The time of the store's clock.
  package var now: Date
  /// The newest commit of each watched branch, sorted by branch name.
  package var heads: [Run]
  /// The tip of the newest delivery for each watched branch, in any state.
  package var ownTips: [String: CommitID]
  package var work: PendingWork
  /// The inputs of the last successful extraction, by branch.
  package var extracted: [String: String]
  /// The time at which each failing vendor began to fail (`FailingVendors.since`).
  package var failing: [String: Date]

  package init(
    now: Date, heads: [Run], ownTips: [String: CommitID], work: PendingWork, extracted: [String: String],
    failing: [String: Date] = [:]
  ) {
    self.failing = failing
    self.now = now
    self.heads = heads
    self.ownTips = ownTips
    self.work = work
    self.extracted = extracted
  }
}

/// The open work for one vendor, in units × languages.
package struct VendorWork: Hashable, Sendable {
  /// Outstanding units of shipments that were not sent to the vendor yet.
  package var unsent: Int
  /// Units that are no longer wanted, and about which the vendor has not been notified yet.
  package var toNotify: Int
  /// Units that the vendor has received and not returned.
  package var outstanding: Int
  /// The ids of the newest unsent shipment and the newest unit to notify about, or 0. If other work replaces the earlier work, these ids
  /// change, even if the counts stay equal.
  package var newestShipment: Int64
  package var newestNotice: Int64

  package init(
    unsent: Int = 0, toNotify: Int = 0, outstanding: Int = 0, newestShipment: Int64 = 0, newestNotice: Int64 = 0
  ) {
    self.unsent = unsent
    self.toNotify = toNotify
    self.outstanding = outstanding
    self.newestShipment = newestShipment
    self.newestNotice = newestNotice
  }
}

/// The open work of a pipeline according to the ledger, at one instant.
package struct PendingWork: Hashable, Sendable {
  /// Incremented when a merge should run again, for example because a bundle was received, units were closed, a delivery was abandoned, or
  /// `decisions` was incremented.
  package var revision: Int64
  /// Incremented when planning must run again, for example because a user decided about a round or a held unit, a vendor refused units, units go
  /// to the vendor of the next step, a translation is found to be outdated, a branch lacks texts of a merged delivery, or the pipeline's patterns
  /// exclude the catalog of a return.
  package var decisions: Int64
  /// The work of vendors, by name in the ledger. Vendors without work may be missing.
  package var vendors: [String: VendorWork]
  /// The newest planned delivery of each watched branch that has one.
  package var planned: [String: DeliveryID]

  package init(
    revision: Int64 = 0, decisions: Int64 = 0, vendors: [String: VendorWork] = [:], planned: [String: DeliveryID] = [:]
  ) {
    self.revision = revision
    self.decisions = decisions
    self.vendors = vendors
    self.planned = planned
  }
}
