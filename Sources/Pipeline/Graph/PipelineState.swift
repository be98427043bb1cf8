package import FoundationEssentials

/// What is outside a pipeline's control and decides what is to be done: the inputs of `PipelineGraph`.
package struct PipelineState: Sendable {
  package var definition: PipelineDefinition
  /// The names of the vendors, in the order of the pipeline file.
  package var vendors: [String]
  /// The newest commit of each watched branch, by branch name.
  package var heads: [Run]
  /// The branches of the remote as of the last look.
  package var remote: [String: CommitID]
  /// By watched branch, the tip of the newest delivery that was made for it.
  package var ownTips: [String: CommitID]
  package var work: PendingWork
  /// By branch, the inputs of the last extraction that succeeded.
  package var extracted: [String: String]
  package var isOnce: Bool
  package var now: Date

  package init(
    definition: PipelineDefinition, vendors: [String], heads: [Run], remote: [String: CommitID],
    ownTips: [String: CommitID] = [:], work: PendingWork = PendingWork(), extracted: [String: String] = [:],
    isOnce: Bool = false, now: Date
  ) {
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
  /// - Parameters:
  ///   - remote: the branches of the remote as of the last look.
  ///   - basis: what the store holds.
  package init(
    definition: PipelineDefinition, vendors: [String], remote: [String: CommitID], basis: PlanningBasis, isOnce: Bool
  ) {
    self.init(
      definition: definition, vendors: vendors, heads: basis.heads, remote: remote, ownTips: basis.ownTips,
      work: basis.work, extracted: basis.extracted, isOnce: isOnce, now: basis.now)
  }
}

/// What a store holds that decides what is to be done, as of one instant.
package struct PlanningBasis: Sendable {
  /// By the store's clock.
  package var now: Date
  /// The newest commit of each watched branch, by branch name.
  package var heads: [Run]
  /// By watched branch, the tip of the newest delivery that was made for it, in any state.
  package var ownTips: [String: CommitID]
  package var work: PendingWork
  /// By branch, the inputs of the last extraction that succeeded.
  package var extracted: [String: String]

  package init(
    now: Date, heads: [Run], ownTips: [String: CommitID], work: PendingWork, extracted: [String: String]
  ) {
    self.now = now
    self.heads = heads
    self.ownTips = ownTips
    self.work = work
    self.extracted = extracted
  }
}

/// What the ledger owes a vendor and expects from it, in units × languages.
package struct VendorWork: Hashable, Sendable {
  /// Outstanding units of shipments that the vendor does not have yet.
  package var unsent: Int
  /// Units that are not wanted any more, which the vendor was not told.
  package var toNotify: Int
  /// Units that the vendor has and has not returned.
  package var outstanding: Int
  /// The id of the newest unsent shipment and of the newest unit to notify: they tell equal numbers of other units apart. 0: none.
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

/// What the ledger says is to be done, as of one instant.
package struct PendingWork: Hashable, Sendable {
  /// Goes up whenever a merge should look again: a bundle came, units were closed, a person retried a round.
  package var revision: Int64
  /// Goes up whenever a person cancelled or retried a round, so that planning should look again.
  package var decisions: Int64
  /// By the ledger's name of the vendor; those without any work may be missing.
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
