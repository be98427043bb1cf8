package import FoundationEssentials
package import Localization

/// A change to the ledger. The changes of a stage are written in one transaction together with the new state of its job.
package enum LedgerChange: Sendable {
  /// Records a round and its shipments before they are sent.
  case plan(PlannedRound)
  /// The vendor has the shipment.
  case shipped(ShipmentID, ShipmentReceipt, at: Date)
  /// The vendor does not have the shipment, so it need not be notified of withdrawals.
  case neverArrived(ShipmentID)
  /// Closes outstanding units as withdrawn or superseded. Units that are not outstanding are not changed.
  case close([SentUnitID], as: SentUnitState)
  /// The vendor answered that it cannot translate these units of a shipment. The keys are the units, with the catalog paths at the time of
  /// sending, and the values are the vendor's reasons. The units are withdrawn without a notice to the vendor, and planned again.
  /// Units that are not outstanding are left unchanged.
  case refused(ShipmentID, [UnitID: String])
  /// Planning must run again, although no branch has changed.
  case planAgain
  /// The vendor was notified that these units are no longer needed: outstanding units that were closed, or returned units that were
  /// removed.
  case notified([SentUnitID])
  /// The vendor shows these units again. The vendor had returned the units, and was later notified of their removal.
  case recalled([SentUnitID])
  /// Records a bundle and its units. If the bundle was recorded before, its review is replaced, its held units are reviewed again, and its
  /// units can count as returns of units that were sent since.
  case receive(NewBundle)
  case acknowledged(vendor: String, digest: String)
  /// The results of a review against a branch.
  case outcomes([BranchOutcome], branch: String)
  /// The results of a review, and the value of `PendingWork.decisions` when the review read the ledger. If this value has changed since, for
  /// example because a person decided about a held unit, the results may contradict that decision. In that case, no result is stored, and
  /// the merge is due again.
  case reviewed([BranchOutcome], branch: String, decisions: Int64)
  /// Records commits before they are pushed.
  case deliver(NewDelivery, branch: String)
  /// People accepted these returns although their source text is not the text that was sent. Each return counts as the return of the
  /// vendor's outstanding unit with this source pin, which is the pin on the branch for which the return was accepted.
  case answered([ReturnedUnitID: PinDigest])
  /// The new state of a delivery. The outcomes of an abandoned delivery are undone, and the outcomes of a settled delivery become settled.
  case delivery(DeliveryID, Delivery.State)
  /// Reviews returned units on a branch again, even if they already have an outcome there.
  case reopen([ReturnedUnitID], branch: String)
  /// Planning has read these heads, with or without a new round.
  case compared([RunID])
  /// Translations became outdated, and the translations in `gone` are no longer on a watched branch.
  case outdated(Set<OutdatedTranslation>, gone: Set<OutdatedTranslation>)
  /// The text of a delivery branch's pull request now describes this content.
  case proposed(ProposedContent, target: String)
  /// A catalog has a new path, on every branch.
  case rename(TreePath, to: TreePath)
}
