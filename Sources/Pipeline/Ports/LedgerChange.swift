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
  /// The vendor answered that it cannot translate these units of a shipment, each with the reason. They are withdrawn without a notice, and
  /// planned again. The units have the catalog names that the vendor knows. Units that are not outstanding are left unchanged.
  case refused(ShipmentID, [UnitID: String])
  /// Planning must run again, although no branch has changed.
  case planAgain
  /// The vendor was notified that these units are no longer needed: outstanding ones that were closed, or returned ones that were removed.
  case notified([SentUnitID])
  /// The vendor shows these units again. It had returned them, and was later notified of their removal.
  case recalled([SentUnitID])
  /// Records a bundle and its units. If the bundle was recorded before, only its review changes.
  case receive(NewBundle)
  case acknowledged(vendor: String, digest: String)
  /// The results of a review against a branch.
  case outcomes([BranchOutcome], branch: String)
  /// The results of a review, and the number of decisions (`PendingWork.decisions`) that people had made when the review read the ledger.
  /// If somebody has made another decision since, the results may contradict it: none is stored, and the decision makes the merge due
  /// again.
  case reviewed([BranchOutcome], branch: String, decisions: Int64)
  /// Records commits before they are pushed.
  case deliver(NewDelivery, branch: String)
  /// People accepted these returns although their source text is not the one that was sent. Each counts as the return of its vendor's
  /// outstanding unit with this source pin, which is the pin on the branch that it was accepted for.
  case answered([ReturnedUnitID: PinDigest])
  /// The result of a delivery. The outcomes of an abandoned delivery are undone, and those of a settled one are settled.
  case delivery(DeliveryID, Delivery.State)
  /// Reviews returned units on a branch again, even if they already have an outcome there.
  case reopen([ReturnedUnitID], branch: String)
  /// Rounds were planned from these heads.
  case compared([RunID])
  /// Translations became outdated, and others are no longer on a watched branch.
  case outdated(Set<OutdatedTranslation>, gone: Set<OutdatedTranslation>)
  /// The text of a delivery branch's pull request was written for this content.
  case proposed(ProposedContent, target: String)
  /// A catalog has a new path, on every branch.
  case rename(TreePath, to: TreePath)
}
